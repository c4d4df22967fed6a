// What the features of a state can see of it. Hypotheses of a beam mostly differ deep in the stack or inside finished
// constituents, where no feature looks: states with equal views have equal scores, which are then computed once.
//
// A view is compared as a whole, number by number; its hash only proposes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "kernels/hardware/mixing.hpp"
#include "parsers/english/constituency/states.hpp"

namespace kakari {

struct View {
  uint64_t hash = 0;
  std::array<int32_t, 27> seen = {};

  bool operator==(const View &other) const { return hash == other.hash && seen == other.seen; }
};

class ViewMaker {
 public:
  // Everything that ParserFeatures::join reads.
  static View join(const Step &state) {
    static const Step nothing;
    const Step &s1 = state.below ? *state.below : nothing;
    const Step &s2 = s1.below ? *s1.below : nothing;
    const Step &s3 = s2.below ? *s2.below : nothing;
    ViewMaker made;
    made.whole(state);
    made.whole(s1);
    made.add(s2.symbol, s2.head, s2.begin, s2.end);
    made.add(s3.symbol, s3.head);
    made.add(std::min(state.depth, 4));
    return made.done();
  }

  // Everything that ParserFeatures::unary reads.
  static View unary(const Step &state) {
    static const Step nothing;
    const Step &s1 = state.below ? *state.below : nothing;
    const Step &s2 = s1.below ? *s1.below : nothing;
    ViewMaker made;
    made.add(state.symbol, state.head, state.begin, state.end);
    made.add(state.left ? state.left->symbol : -1, state.right ? state.right->symbol : -1);
    made.add(s1.symbol, s1.head, s2.symbol);
    return made.done();
  }

 private:
  void whole(const Step &step) {
    add(step.symbol, step.inner, step.head, step.begin, step.end);
    add(step.left ? step.left->head : -1, step.left ? step.left->symbol : -1);
    add(step.right ? step.right->head : -1, step.right ? step.right->symbol : -1);
    // Of the right part's borders only that is seen: whether it is one word, and which.
    add(step.right && step.right->end - step.right->begin == 1 ? step.right->begin : -1);
  }

  template <class... Numbers>
  void add(Numbers... numbers) {
    ((view_.seen[count_++] = static_cast<int32_t>(numbers)), ...);
  }

  View done() {
    uint64_t hash = 0;
    for (int32_t number : view_.seen) hash = kakari::join(hash, static_cast<uint32_t>(number));
    view_.hash = hash;
    return view_;
  }

  View view_;
  int count_ = 0;
};

// The scores of the states of one step, each kind of state once.
class SharedScores {
 public:
  void clear() { used_ = 0; }

  // The scores of a state; `score` computes them into a cleared array where no equal state came before.
  template <class Score>
  const int32_t *of(const View &view, Score score) {
    for (size_t i = 0; i < used_; ++i)
      if (entries_[i].view == view) return entries_[i].scores;
    if (used_ == entries_.size()) entries_.resize(2 * used_ + 8);
    Entry &entry = entries_[used_++];
    entry.view = view;
    std::fill(std::begin(entry.scores), std::end(entry.scores), 0);
    score(entry.scores);
    return entry.scores;
  }

 private:
  struct Entry {
    View view;
    int32_t scores[MOST_CLASSES];
  };
  std::vector<Entry> entries_;
  size_t used_ = 0;
};

}  // namespace kakari
