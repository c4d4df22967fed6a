// Scores of states, put together from parts that many states share.
//
// Hypotheses of a beam mostly differ deep in the stack or inside finished constituents, where few features look or none,
// or in the label of the topmost item. So the features stand in groups by what they see (features.hpp): of the topmost item,
// of the item below it, of both, of both with what lies deeper, with that label and without it. Each group's scores are computed once for all states of the sentence that look the
// same to it. Sums of integers do not depend on their order: the scores are those of all features at once.
//
// All states of a step are asked for before the first score is read (row_pool.hpp), and of a state's rows only those
// actions are added up that can be taken: few of all.
//
// A view is compared as a whole, number by number; its hash only proposes. A sentence may be parsed with several taggings, one
// after the other: a view names a place by its number and by the tags that features can see from there, so that taggings
// share the scores of all states from which their differences cannot be seen.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "kernels/hardware/mixing.hpp"
#include "kernels/hashed/row_pool.hpp"
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

// The number of a row of scores for each key.
template <size_t Size>
class RowNumbers {
 public:
  void clear() {
    numbering_.clear();
    rows_.clear();
  }

  // The row of a key; `make` gives the number of a new one where the key is new.
  template <class Make>
  int32_t of(const typename Numbering<Size>::Key &key, Make make) {
    const size_t known = rows_.size(), number = numbering_.of(key);
    if (number == known) rows_.push_back(make());
    return rows_[number];
  }

 private:
  Numbering<Size> numbering_;
  std::vector<int32_t> rows_;
};

template <class Weights>
class SharedScores {
 public:
  // Rows whose sum is the scores of a state's actions.
  static constexpr size_t OF_JOIN = 7, OF_UNARY = 2;
  using Rows = std::array<int32_t, OF_JOIN>;

  explicit SharedScores(const Weights &weights) : weights_(weights), pool_(weights) {}

  // Begin a sentence. Rows hold all actions, and whatever else there are weights for.
  void begin(const ParserFeatures &features, size_t actions) {
    borders_.clear();
    words_at_.clear();
    retag(features);
    classes_ = std::max<size_t>(actions, weights_.classes());
    forget();
  }

  // Go on with another tagging of the same sentence.
  void retag(const ParserFeatures &features) {
    features_ = &features;
    const ParserSentence &sentence = features.sentence();
    const auto tag = [&](int32_t at) { return at < 0 || at >= sentence.length ? 255 : sentence.tags[at]; };
    border_.resize(sentence.length + 1);
    word_at_.resize(sentence.length + 2);
    word_at_[0] = words_at_.of({-1, 255});
    for (int32_t i = 0; i <= sentence.length; ++i) {
      const int32_t before = tag(i - 2) | tag(i - 1) << 8;
      const int32_t behind = tag(i) | tag(i + 1) << 8 | tag(i + 2) << 16 | tag(i + 3) << 24;
      border_[i] = borders_.of({i, before, behind});
      word_at_[i + 1] = words_at_.of({i, tag(i)});
    }
  }

  // Begin to ask for states; what was asked for before is gone.
  void begin_asking() {
    if (pool_.rows() > MOST) forget();  // so that a long sentence takes no more memory
  }

  // Ask for the scores of the actions that join the two topmost items, or shift.
  Rows join(const Step &state) {
    const Step &s1 = ParserFeatures::under(state), &s2 = ParserFeatures::under(s1), &s3 = ParserFeatures::under(s2);
    const int32_t a = number_of(state), b = number_of(s1), deeper = s2.symbol | s3.symbol << 8;
    const int32_t depth = std::min(state.depth, 4) << 16, end = border_[state.end];
    const int32_t head = head_of(state), head2 = head_of(s2), head3 = head_of(s3), end2 = border_[s2.end];
    const uint64_t counts = features_->counts_of_pair(state);
    const int32_t counted = static_cast<int32_t>(counts), insides = static_cast<int32_t>(counts >> 32);
    const size_t known = joins_.size();
    const size_t number = states_.of({a, b, deeper | depth, head2, s2.begin, end2, head3, counted, insides});
    if (number < known) return joins_[number];
    const ParserFeatures &see = *features_;
    const int32_t modifier = state.right ? head_of(*state.right) : -1;
    joins_.push_back({
        queues_.of({end}, [&] { return pool_.ask(see.join_queue(state.end, pool_.room())); }),
        belows_.of({b}, [&] { return pool_.ask(see.join_below(s1, pool_.room())); }),
        words_.of({head, end, b}, [&] { return pool_.ask(see.join_words(state, pool_.room())); }),
        bare_.of({head, modifier, end, b, deeper, head2, end2, head3},
                 [&] { return pool_.ask(see.join_deep_words(state, pool_.room())); }),
        tops_.of({a}, [&] { return pool_.ask(see.join_top(state, pool_.room())); }),
        pairs_.of({a, b, counted, insides}, [&] { return pool_.ask(see.join_pair(state, pool_.room())); }),
        pool_.ask(see.join_deep(state, pool_.room())),
    });
    return joins_.back();
  }

  // Ask for the scores of the unary chains; there are `OF_UNARY` rows.
  Rows unary(const Step &state) {
    const Step &s1 = ParserFeatures::under(state), &s2 = ParserFeatures::under(s1);
    const int32_t parts = state.symbol | (state.left ? state.left->symbol << 8 | state.right->symbol << 16 : 255 << 24);
    const int32_t symbols = s1.symbol | s2.symbol << 8;
    const int32_t counts = static_cast<int32_t>(features_->counts_of_item(state));
    const typename Numbering<5>::Key top = {parts, head_of(state), border_[state.begin], border_[state.end], counts};
    const int32_t own = lone_.of(top, [&] { return pool_.ask(features_->unary_top(state, pool_.room())); });
    return {own, unaries_.of({own, symbols, head_of(s1)},
                             [&] { return pool_.ask(features_->unary_deep(state, pool_.room())); })};
  }

  // Find all scores that were asked for.
  void settle() { pool_.settle(); }

  // The scores of actions, the sums over some rows, which are found; they stay until the next ones are.
  template <size_t Count>
  struct Sums {
    std::array<const typename RowPool<Weights>::Sum *, Count> rows;
    int32_t operator[](int action) const {
      int32_t sum = 0;
      for (const auto *row : rows) sum += row[action];
      return sum;
    }
  };
  template <size_t Count>
  Sums<Count> sums(const Rows &rows) const {
    Sums<Count> found;
    for (size_t i = 0; i < Count; ++i) found.rows[i] = pool_.row(rows[i]);
    return found;
  }

 private:
  static constexpr size_t MOST = 16384;

  void forget() {
    pool_.clear(classes_);
    items_.clear();
    queues_.clear();
    belows_.clear();
    words_.clear();
    bare_.clear();
    tops_.clear();
    pairs_.clear();
    states_.clear();
    joins_.clear();
    lone_.clear();
    unaries_.clear();
  }

  // The number of what features see of the topmost item and of the one below it.
  int32_t number_of(const Step &step) {
    const Step *left = step.left, *right = step.right;
    const int32_t symbols = step.symbol | step.inner << 8 | (left ? left->symbol : 255) << 16;
    // Of the right part's borders only that is seen: whether it is one word, and which.
    const bool is_word = right != nullptr && right->end - right->begin == 1;
    return items_.of({symbols, right ? right->symbol : 255, head_of(step), border_[step.begin], border_[step.end],
                      left ? head_of(*left) : -1, right ? head_of(*right) : -1, is_word ? right->begin : -1});
  }

  // The number of an item's head with its tag.
  int32_t head_of(const Step &step) const { return word_at_[step.head + 1]; }

  const Weights &weights_;
  RowPool<Weights> pool_;
  const ParserFeatures *features_ = nullptr;
  size_t classes_ = 0;
  Numbering<3> borders_;   // a place between words, with two tags before it and four behind it
  Numbering<2> words_at_;  // a word's place, with its tag
  std::vector<int32_t> border_,
      word_at_;  // numbers of these in the present tagging; of words, the place before them first
  Numbering<8> items_;
  RowNumbers<1> queues_, belows_, tops_;
  RowNumbers<3> words_, unaries_;
  RowNumbers<4> pairs_;
  RowNumbers<5> lone_;
  RowNumbers<8> bare_;
  Numbering<9> states_;
  std::vector<Rows> joins_;  // of each state
};

}  // namespace kakari
