// Scores of states, put together from parts that many states share.
//
// Hypotheses of a beam mostly differ deep in the stack or inside finished constituents, where few features look or none,
// or in the label of the topmost item. So the features stand in groups by what they see (features.hpp): of the topmost item,
// of the item below it, of both, of both with what lies deeper, with that label and without it. Each group's scores are computed once for all states of the sentence that look the
// same to it. Sums of integers do not depend on their order: the scores are those of all features at once.
//
// A view is compared as a whole, number by number; its hash only proposes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "kernels/hardware/mixing.hpp"
#include "parsers/english/constituency/features.hpp"

namespace kakari {

// Numbers keys in the order in which they are first met.
template <size_t Size>
class Numbering {
 public:
  using Key = std::array<int32_t, Size>;

  void clear() {
    for (uint32_t slot : used_) slots_[slot] = 0;
    used_.clear();
    keys_.clear();
  }

  size_t size() const { return keys_.size(); }

  // A key's number; one that is new is the number of keys before.
  int32_t of(const Key &key) {
    if (2 * (keys_.size() + 1) > slots_.size()) grow();
    uint32_t &slot = slots_[place_of(key)];
    if (slot == 0) {
      used_.push_back(static_cast<uint32_t>(&slot - slots_.data()));
      keys_.push_back(key);
      slot = static_cast<uint32_t>(keys_.size());
    }
    return static_cast<int32_t>(slot - 1);
  }

 private:
  uint64_t place_of(const Key &key) const {
    uint64_t hash = 0, mask = slots_.size() - 1;
    for (int32_t number : key) hash = join(hash, static_cast<uint32_t>(number));
    uint64_t at = mix(hash) & mask;
    while (slots_[at] != 0 && keys_[slots_[at] - 1] != key) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    slots_.assign(std::max<size_t>(256, 2 * slots_.size()), 0);
    used_.clear();
    for (size_t i = 0; i < keys_.size(); ++i) {
      const uint64_t at = place_of(keys_[i]);
      slots_[at] = static_cast<uint32_t>(i + 1);
      used_.push_back(static_cast<uint32_t>(at));
    }
  }

  std::vector<Key> keys_;
  std::vector<uint32_t> slots_, used_;  // numbers + 1 by hash, a power of two; the slots that are not 0
};

// A row of scores for each key.
template <size_t Size>
class ScoreRows {
 public:
  void clear(size_t classes) {
    numbering_.clear();
    rows_.clear();
    classes_ = classes;
  }

  // The row of a key; `fill` computes it into a cleared one where the key is new. It stays until the next call.
  template <class Fill>
  const int32_t *of(const typename Numbering<Size>::Key &key, Fill fill) {
    if (numbering_.size() == MOST) clear(classes_);
    const size_t known = numbering_.size(), number = numbering_.of(key);
    if (number == known) {
      rows_.resize((known + 1) * classes_, 0);
      fill(&rows_[number * classes_]);
    }
    return &rows_[number * classes_];
  }

 private:
  static constexpr size_t MOST = 4096;  // then it begins anew: a long sentence takes no more memory

  Numbering<Size> numbering_;
  std::vector<int32_t> rows_;
  size_t classes_ = 0;
};

template <class Weights>
class SharedScores {
 public:
  explicit SharedScores(const Weights &weights) : weights_(weights) {}

  // Begin a sentence. Rows hold all actions, and whatever else there are weights for.
  void begin(const ParserFeatures &features, size_t actions) {
    features_ = &features;
    classes_ = std::max<size_t>(actions, weights_.classes());
    items_.clear();
    queues_.clear(classes_);
    belows_.clear(classes_);
    words_.clear(classes_);
    bare_.clear(classes_);
    tops_.clear(classes_);
    pairs_.clear(classes_);
    states_.clear(classes_);
    lone_.clear(classes_);
    unaries_.clear(classes_);
  }

  // The scores of the actions that join the two topmost items, or shift; they stay until the next call.
  const int32_t *join(const Step &state) {
    const Step &s1 = ParserFeatures::under(state), &s2 = ParserFeatures::under(s1), &s3 = ParserFeatures::under(s2);
    const int32_t a = number_of(state), b = number_of(s1), deeper = s2.symbol | s3.symbol << 8;
    const int32_t depth = std::min(state.depth, 4) << 16;
    return states_.of({a, b, deeper | depth, s2.head, s2.begin, s2.end, s3.head}, [&](int32_t *into) {
      const int32_t modifier = state.right ? state.right->head : -1;
      add(into, bare_.of({state.head, modifier, state.end, b, deeper, s2.head, s2.end, s3.head}, [&](int32_t *bare) {
        add(bare, words_.of({state.head, state.end, b}, [&](int32_t *words) {
          add(words,
              queues_.of({state.end}, [&](int32_t *own) { score(features_->join_queue(state.end, hashes_), own); }));
          add(words, belows_.of({b}, [&](int32_t *own) { score(features_->join_below(s1, hashes_), own); }));
          score(features_->join_words(state, hashes_), words);
        }));
        score(features_->join_deep_words(state, hashes_), bare);
      }));
      add(into, pairs_.of({a, b}, [&](int32_t *both) {
        add(both, tops_.of({a}, [&](int32_t *own) { score(features_->join_top(state, hashes_), own); }));
        score(features_->join_pair(state, hashes_), both);
      }));
      score(features_->join_deep(state, hashes_), into);
    });
  }

  // The scores of the unary chains; they stay until the next call.
  const int32_t *unary(const Step &state) {
    const Step &s1 = ParserFeatures::under(state), &s2 = ParserFeatures::under(s1);
    const int32_t parts = state.symbol | (state.left ? state.left->symbol << 8 | state.right->symbol << 16 : 255 << 24);
    const int32_t symbols = s1.symbol | s2.symbol << 8;
    const typename Numbering<4>::Key top = {parts, state.head, state.begin, state.end};
    return unaries_.of({top[0], top[1], top[2], top[3], symbols, s1.head}, [&](int32_t *into) {
      add(into, lone_.of(top, [&](int32_t *own) { score(features_->unary_top(state, hashes_), own); }));
      score(features_->unary_deep(state, hashes_), into);
    });
  }

 private:
  // The number of what features see of the topmost item and of the one below it.
  int32_t number_of(const Step &step) {
    const Step *left = step.left, *right = step.right;
    const int32_t symbols = step.symbol | step.inner << 8 | (left ? left->symbol : 255) << 16;
    // Of the right part's borders only that is seen: whether it is one word, and which.
    const bool is_word = right != nullptr && right->end - right->begin == 1;
    return items_.of({symbols, right ? right->symbol : 255, step.head, step.begin, step.end, left ? left->head : -1,
                      right ? right->head : -1, is_word ? right->begin : -1});
  }

  void score(int count, int32_t *into) const { weights_.score(hashes_, count, into); }

  void add(int32_t *into, const int32_t *row) const {
    for (size_t i = 0; i < classes_; ++i) into[i] += row[i];
  }

  const Weights &weights_;
  const ParserFeatures *features_ = nullptr;
  size_t classes_ = 0;
  uint64_t hashes_[ParserFeatures::MOST];
  Numbering<8> items_;
  ScoreRows<1> queues_, belows_, tops_;
  ScoreRows<2> pairs_;
  ScoreRows<3> words_;
  ScoreRows<8> bare_;
  ScoreRows<7> states_;
  ScoreRows<4> lone_;
  ScoreRows<6> unaries_;
};

}  // namespace kakari
