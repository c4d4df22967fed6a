// Trees by shift and reduce with a beam.
//
// A derivation of n words has 4n - 2 steps: n times a word is shifted and n - 1 times the two topmost items of the
// stack are joined, and after each of these one decision says which chain of unary nodes, if any, goes on top. So all
// hypotheses have the same number of steps and their scores compare. Nodes with more than two parts are built around
// their head: first the parts to its right, then those to its left, through starred nodes that vanish in the end.
//
// A hypothesis is one `Step`, which says what the topmost item is and points to the step that left the item below
// it on the stack, to the steps that made its parts, and to the step before: nothing is ever copied. The queue begins
// where the topmost item ends. A step costs about 90 lookups (a unary one 35) for each hypothesis whose view (views.hpp)
// no other one of the beam has.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "parsers/english/constituency/features.hpp"
#include "parsers/english/constituency/views.hpp"

namespace kakari {

// A narrow beam that is tried first: how wide it is (0: none), and the lead that makes its tree the answer.
struct Narrowing {
  int32_t width = 0;
  int64_t margin = 0;
};

// A way to tag a sentence, and what it adds to the score of a tree.
struct Tagging {
  const uint8_t *tags;  // as symbols
  int64_t score;
};

template <class Weights>
class ParserBeam {
 public:
  ParserBeam(const Weights &weights, const Grammar &grammar, int32_t width, Narrowing narrowing = {})
      : grammar_(grammar), width_(width), narrowing_(narrowing), shared_(weights) {}

  // Parse; the best derivation's last step stays valid until the next search. With a narrowing, the narrow beam comes first,
  // and its tree is taken unless something that it dropped came near the derivation that won. The wide beam finds
  // the scores of all states that the narrow one has been in.
  const Step &run(const ParserSentence &sentence) {
    const ParserFeatures features(sentence, grammar_);
    shared_.begin(features, grammar_.actions.size());
    return narrow_first(sentence);
  }

  // Parse with that one of several taggings which gives the best sum of its own score and its tree's in the narrow beam, the
  // first of equal ones; `chosen` is its number.
  const Step &run(ParserSentence sentence, const std::vector<Tagging> &taggings, size_t &chosen) {
    std::vector<ParserFeatures> features;
    for (const Tagging &one : taggings) {
      sentence.tags = one.tags;
      features.emplace_back(sentence, grammar_);
    }
    shared_.begin(features[0], grammar_.actions.size());
    chosen = 0;
    if (taggings.size() == 1) return narrow_first(features[0].sentence());
    int64_t best = 0, lead = 0;
    for (size_t k = 0; k < taggings.size(); ++k) {
      if (k > 0) shared_.retag(features[k]);
      search(features[k].sentence(), nullptr, narrows() ? narrowing_.width : width_);
      const int64_t sum = bests_.back()->score + taggings[k].score;
      if (k > 0 && sum <= best) continue;
      best = sum;
      chosen = k;
      lead = smallest_lead();
      arena_.swap(kept_arena_);  // the steps stay where they are
      bests_.swap(kept_bests_);
    }
    if (!narrows() || lead > narrowing_.margin) return *kept_bests_.back();
    shared_.retag(features[chosen]);
    search(features[chosen].sentence(), nullptr, width_);
    return *bests_.back();
  }

  // Parse; how many derivations are left in the end. `left` are their last steps, the best first, until the next search.
  size_t finals(const ParserSentence &sentence) {
    const ParserFeatures features(sentence, grammar_);
    shared_.begin(features, grammar_.actions.size());
    search(sentence, nullptr, width_);
    return beam_.size();
  }
  const Step *left(size_t number) const { return beam_[number]; }

  // Where the best hypothesis beats the gold derivation by most: the last steps of both, or a pair of nulls.
  std::pair<const Step *, const Step *> violation(const ParserSentence &sentence, const uint8_t *gold) {
    const ParserFeatures features(sentence, grammar_);
    shared_.begin(features, grammar_.actions.size());
    search(sentence, gold, width_);
    int64_t most = -1;
    std::pair<const Step *, const Step *> worst(nullptr, nullptr);
    for (size_t i = 0; i < bests_.size(); ++i) {
      const int64_t lead = bests_[i]->score - golds_[i]->score;
      if (lead <= most || (lead == 0 && same(bests_[i], golds_[i]))) continue;
      most = lead;
      worst = {bests_[i], golds_[i]};
    }
    return worst;
  }

  static bool same(const Step *a, const Step *b) {
    for (; a->previous != nullptr; a = a->previous, b = b->previous)
      if (a->action != b->action) return false;
    return true;
  }

  const Grammar &grammar() const { return grammar_; }

 private:
  struct Branch {
    int64_t score;
    int32_t from;
    uint8_t action;
    bool forced;
  };

  // What a hypothesis can do, and where the scores of that stand if there is a choice.
  struct Choice {
    ActionSet legal;
    bool free;
    typename SharedScores<Weights>::Rows rows;
  };

  bool narrows() const { return narrowing_.width > 0 && narrowing_.width < width_; }

  const Step &narrow_first(const ParserSentence &sentence) {
    if (narrows()) {
      search(sentence, nullptr, narrowing_.width);
      if (smallest_lead() > narrowing_.margin) return *bests_.back();
    }
    search(sentence, nullptr, width_);
    return *bests_.back();
  }

  // How far the derivation that won was ahead of the best one that was dropped, where it was least so.
  int64_t smallest_lead() const {
    int64_t least = std::numeric_limits<int64_t>::max();
    const Step *step = bests_.back();
    for (size_t i = dropped_.size(); i-- > 0; step = step->previous)
      if (dropped_[i] != NOTHING) least = std::min(least, step->score - dropped_[i]);
    return least;
  }

  void search(const ParserSentence &sentence, const uint8_t *gold, int32_t width) {
    const int32_t steps = 4 * sentence.length - 2;
    arena_.clear();
    arena_.reserve(static_cast<size_t>(steps) * (width + 1) + 1);  // so that no step ever moves
    arena_.emplace_back();
    bests_.clear();
    golds_.clear();
    dropped_.clear();
    std::vector<const Step *> &beam = beam_, next;
    beam.assign(1, &arena_[0]);
    const Step *right = &arena_[0];
    for (int32_t i = 0; i < steps; ++i) {
      const bool unary = i % 2;
      branch(sentence, beam, width, unary, false);
      if (branches_.empty() && i > 0) branch(sentence, beam, width, unary, true);
      if (gold != nullptr) {
        const bool free = (unary ? tops(*right) : moves(sentence, *right, false)).many();
        const int32_t gained = free ? score(*right, unary, gold[i]) : 0;
        arena_.push_back(after(sentence, *right, gold[i], gained));
        arena_.back().forced = !free;
        golds_.push_back(right = &arena_.back());
      }
      const size_t alive = std::min<size_t>(width, branches_.size());
      dropped_.push_back(alive < branches_.size() ? branches_[alive].score : NOTHING);
      next.clear();
      for (size_t k = 0; k < alive; ++k) {
        const Step &from = *beam[branches_[k].from];
        arena_.push_back(
            after(sentence, from, branches_[k].action, static_cast<int32_t>(branches_[k].score - from.score)));
        arena_.back().forced = branches_[k].forced;
        next.push_back(&arena_.back());
      }
      if (next.empty()) throw std::logic_error("there is no action that goes on with a sentence");
      beam.swap(next);
      bests_.push_back(beam[0]);
    }
  }

  // Go on with all hypotheses. `loose` is for when nothing that was seen in training can be done: then the best one alone
  // goes on.
  void branch(const ParserSentence &sentence, const std::vector<const Step *> &beam, int32_t width, bool unary,
              bool loose) {
    branches_.clear();
    choices_.clear();
    shared_.begin_asking();
    for (const Step *state : beam) {
      const ActionSet legal = unary ? tops(*state) : moves(sentence, *state, loose);
      choices_.push_back({legal, legal.many(), {}});
      if (choices_.back().free) choices_.back().rows = ask(*state, unary);
      if (loose && legal.any()) break;
    }
    shared_.settle();
    for (size_t k = 0; k < choices_.size(); ++k) {
      const Choice &own = choices_[k];
      const auto put = [&](int action, int64_t gained) {
        keep({beam[k]->score + gained, static_cast<int32_t>(k), static_cast<uint8_t>(action), !own.free}, width);
      };
      if (!own.free) {
        own.legal.each([&](int action) { put(action, 0); });
      } else if (unary) {
        const auto sums = shared_.template sums<SharedScores<Weights>::OF_UNARY>(own.rows);
        own.legal.each([&](int action) { put(action, sums[action]); });
      } else {
        const auto sums = shared_.template sums<SharedScores<Weights>::OF_JOIN>(own.rows);
        own.legal.each([&](int action) { put(action, sums[action]); });
      }
    }
  }

  // Put a branch among the best ones, one more than the beam is wide, behind those with the same score, which come from
  // better hypotheses or have smaller numbers.
  void keep(const Branch &one, int32_t width) {
    if (branches_.size() > static_cast<size_t>(width)) {
      if (one.score <= branches_.back().score) return;
      branches_.pop_back();
    }
    size_t at = branches_.size();
    branches_.push_back(one);
    for (; at > 0 && branches_[at - 1].score < one.score; --at) branches_[at] = branches_[at - 1];
    branches_[at] = one;
  }

  typename SharedScores<Weights>::Rows ask(const Step &state, bool unary) {
    return unary ? shared_.unary(state) : shared_.join(state);
  }

  // The score of one action alone.
  int32_t score(const Step &state, bool unary, int action) {
    shared_.begin_asking();
    const auto rows = ask(state, unary);
    shared_.settle();
    return unary ? shared_.template sums<SharedScores<Weights>::OF_UNARY>(rows)[action]
                 : shared_.template sums<SharedScores<Weights>::OF_JOIN>(rows)[action];
  }

  ActionSet tops(const Step &state) const {
    ActionSet legal = grammar_.seen_tops[state.symbol];
    legal.set(1);
    return legal;
  }

  ActionSet moves(const ParserSentence &sentence, const Step &state, bool loose) const {
    ActionSet legal;
    if (state.depth > 1 && loose) {
      legal = grammar_.joins;
    } else if (state.depth > 1 && state.below->phase != 2) {
      legal = grammar_.seen[state.below->symbol * grammar_.symbols() + state.symbol];
      if (state.depth == 2)  // a starred node that could never be finished
        ActionSet(legal).each([&](int action) {
          const Grammar::Action &made = grammar_.actions[action];
          const bool hopeless = made.kind == ActionKind::HEAD_RIGHT || state.end == sentence.length;
          if (grammar_.starred(made.symbol) && hopeless) legal.reset(action);
        });
    }
    if (state.end < sentence.length && (state.phase != 2 || loose)) legal.set(0);
    return legal;
  }

  Step after(const ParserSentence &sentence, const Step &state, uint8_t action, int32_t score) const {
    const Grammar::Action &made = grammar_.actions[action];
    Step next;
    if (made.kind == ActionKind::UNARY) {
      next = state;
      next.chain = action;
      if (action != 1) next.symbol = made.symbol;
    } else if (made.kind == ActionKind::SHIFT) {
      next.below = &state;
      next.begin = next.head = state.end;
      next.end = state.end + 1;
      next.depth = state.depth + 1;
      next.symbol = next.inner = sentence.tags[state.end];
    } else {
      const Step &left = *state.below;
      next.below = left.below;
      next.left = &left;
      next.right = &state;
      next.begin = left.begin;
      next.end = state.end;
      next.head = made.kind == ActionKind::HEAD_LEFT ? left.head : state.head;
      next.depth = state.depth - 1;
      next.symbol = next.inner = made.symbol;
      if (grammar_.starred(made.symbol)) next.phase = made.kind == ActionKind::HEAD_LEFT ? 1 : 2;
    }
    next.previous = &state;
    next.forced = false;
    next.action = action;
    next.score = state.score + score;
    return next;
  }

  static constexpr int64_t NOTHING = std::numeric_limits<int64_t>::min();

  const Grammar &grammar_;
  int32_t width_;
  Narrowing narrowing_;
  SharedScores<Weights> shared_;
  std::vector<Step> arena_, kept_arena_;  // kept: of the best tagging so far
  std::vector<Branch> branches_;          // the best ones of a step, the best first
  std::vector<Choice> choices_;
  std::vector<const Step *> beam_, bests_, golds_, kept_bests_;
  std::vector<int64_t> dropped_;  // the best score that each step dropped
};

// The constituents of a derivation, (label, begin, end) each, from the outside in; starred ones are left out.
inline void constituents(const Grammar &grammar, const Step &root, std::vector<int32_t> &out) {
  std::vector<std::pair<const Step *, int>> waiting{{&root, -1}};  // with the label of the node around it
  while (!waiting.empty()) {
    const auto [step, around] = waiting.back();
    waiting.pop_back();
    for (uint8_t label : grammar.actions[step->chain].chain) out.insert(out.end(), {label, step->begin, step->end});
    if (step->left == nullptr) continue;
    const int label = grammar.plain[step->inner];
    const bool vanishes = label != step->inner && label == around && step->chain == 1;
    if (!vanishes) out.insert(out.end(), {label, step->begin, step->end});
    waiting.push_back({step->right, label});
    waiting.push_back({step->left, label});
  }
}

// The score of a derivation by all features of each decision at once: what the beam's shared sums must come to.
template <class Weights>
int64_t derivation_score(const Weights &weights, const ParserSentence &sentence, const Grammar &grammar,
                         const Step &last) {
  const ParserFeatures features(sentence, grammar);
  uint64_t hashes[ParserFeatures::MOST];
  int64_t sum = 0;
  for (const Step *step = &last; step->previous != nullptr; step = step->previous) {
    if (step->forced) continue;
    const bool unary = grammar.actions[step->action].kind == ActionKind::UNARY;
    int32_t scores[MOST_CLASSES] = {};
    weights.score(hashes, unary ? features.unary(*step->previous, hashes) : features.join(*step->previous, hashes),
                  scores);
    sum += scores[step->action];
  }
  return sum;
}

// One example of structured perceptron learning; says whether it changed anything. The weights that change may be others than
// those that the beam searches with.
template <class Searched>
bool learn_tree(RowLearner &weights, ParserBeam<Searched> &beam, const ParserSentence &sentence, const uint8_t *gold,
                int64_t now) {
  auto [found, right] = beam.violation(sentence, gold);
  if (found == nullptr) return false;
  std::vector<std::pair<const Step *, const Step *>> pairs;
  for (; found->previous != nullptr; found = found->previous, right = right->previous) pairs.push_back({found, right});
  size_t first = pairs.size();
  while (pairs[first - 1].first->action == pairs[first - 1].second->action) --first;  // the same states so far
  const ParserFeatures features(sentence, beam.grammar());
  uint64_t hashes[ParserFeatures::MOST];
  const auto update = [&](const Step &step, bool unary, int amount) {
    if (step.forced) return;
    const int count = unary ? features.unary(*step.previous, hashes) : features.join(*step.previous, hashes);
    weights.update(hashes, count, step.action, amount, now);
  };
  for (size_t i = 0; i < first; ++i) {
    const bool unary = (pairs.size() - 1 - i) % 2;
    update(*pairs[i].second, unary, 1);
    update(*pairs[i].first, unary, -1);
  }
  return true;
}

}  // namespace kakari
