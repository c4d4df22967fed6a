// The k best trees of a sentence, each with its relations. Trees of one list differ in a few arcs, and a word that stands
// where it stood in a tree before keeps its relation: labels of k trees cost little more than of one.
#pragma once

#include <algorithm>
#include <bitset>
#include <cmath>
#include <cstdint>
#include <vector>

#include "parsers/dependency/labelling.hpp"
#include "parsers/dependency/search.hpp"

namespace kakari {

// Where a word stands in a tree: all that the conjunctions of its relation are made of, beside the sentence.
struct LabelPlace {
  int32_t head = 0, grandparent = 0, nearer = 0, farther = 0, before = 0;
  bool lefts = false, rights = false;   // whether the head has modifiers on its left, several on its right
  std::bitset<LONGEST_SEARCHED> below;  // the modifiers of the word
  LabelHistory history{};

  LabelPlace(const TreeShape &shape, const int32_t *heads, int32_t m, const LabelHistory &own) : history(own) {
    const TreeShape::Around &around = shape.around[m];
    head = heads[m - 1];
    grandparent = head == 0 ? -1 : heads[head - 1];
    nearer = around.nearer;
    farther = around.farther;
    before = around.before;
    lefts = shape.around[head].lefts > 0;
    rights = shape.around[head].rights > 1;
    for (const int32_t c : shape.modifiers(m)) below.set(c - 1);
  }

  bool operator==(const LabelPlace &other) const {
    return head == other.head && grandparent == other.grandparent && nearer == other.nearer &&
           farther == other.farther && before == other.before && lefts == other.lefts && rights == other.rights &&
           history.above == other.history.above && history.before == other.history.before &&
           history.taken == other.history.taken && below == other.below;
  }
};

// Remembers the relations of one sentence's words, and sums up how sure those of a tree are: their scores, and their
// leads over the second-best ones.
class LabelMemory {
 public:
  void begin_sentence(int32_t length) {
    if (static_cast<int32_t>(known_.size()) <= length) known_.resize(length + 1);
    for (int32_t m = 0; m <= length; ++m) known_[m].clear();
    used_ = length <= LONGEST_SEARCHED;  // a longer one has one tree
  }
  void begin_tree() { leads = sums = 0; }

  bool recall(const TreeShape &shape, const int32_t *heads, int32_t m, const LabelHistory &history, uint8_t &label) {
    word_ = m;
    if (!used_) return false;
    const LabelPlace place(shape, heads, m, history);
    for (const Known &one : known_[m])
      if (one.place == place) {
        label = one.label;
        sums += one.score;
        leads += one.lead;
        return true;
      }
    known_[m].push_back({place, 0, 0, 0});
    return false;
  }

  void keep(const int32_t *scores, int32_t labels, uint8_t label) {
    int32_t best = INT32_MIN, second = INT32_MIN;
    for (int32_t k = 0; k < labels; ++k) {
      second = std::max(second, std::min(best, scores[k]));
      best = std::max(best, scores[k]);
    }
    const int64_t lead = labels > 1 ? int64_t{best} - second : 0;
    sums += best;
    leads += lead;
    if (!used_) return;
    Known &own = known_[word_].back();
    own.score = best;
    own.lead = lead;
    own.label = label;
  }

  int64_t leads = 0, sums = 0;

 private:
  struct Known {
    LabelPlace place;
    int64_t score, lead;
    uint8_t label;
  };

  std::vector<std::vector<Known>> known_;  // by word
  int32_t word_ = 0;
  bool used_ = true;
};

class ListLabeller {
 public:
  ListLabeller(const RowTable &rows, int32_t labels) : labeller_(rows, labels) {}
  ListLabeller(const ListLabeller &) = delete;

  LabelMemory memory;

  void run(const TokenView &tokens, const int32_t *heads, uint8_t *found) {
    memory.begin_tree();
    std::fill(found, found + tokens.length(), uint8_t{0});
    labeller_.run(tokens, heads, found, memory);
  }

 private:
  Labeller<RowTable> labeller_;
};

// Trees one after the other, and the figures of each.
struct TreeLists {
  std::vector<int32_t> heads;
  std::vector<uint8_t> relations;
  std::vector<int64_t> scores, leads, label_scores, light;
  std::vector<double> consensus;

  template <class Light, class Full>
  int32_t add(const TokenView &tokens, const Light &light_weights, const Full &full, int32_t k, TreeSearch &search,
              double unit, ListLabeller &labeller) {
    const int32_t n = tokens.length();
    const std::vector<FoundTree> &found = search.run(tokens, light_weights, full, k);
    labeller.memory.begin_sentence(n);
    for (const FoundTree &tree : found) {
      heads.insert(heads.end(), tree.heads.begin(), tree.heads.end());
      relations.resize(heads.size());
      labeller.run(tokens, tree.heads.data(), relations.data() + relations.size() - n);
      scores.push_back(tree.score);
      leads.push_back(labeller.memory.leads);
      label_scores.push_back(labeller.memory.sums);
      light.push_back(n > LONGEST_SEARCHED ? tree.score : 0);
      for (int32_t m = 1; n <= LONGEST_SEARCHED && m <= n; ++m) light.back() += search.arcs.at(tree.heads[m - 1], m);
    }
    agree(found, n, unit);
    return static_cast<int32_t>(found.size());
  }

 private:
  // How many of a tree's heads are right if the trees are as probable as the exponentials of their scores.
  void agree(const std::vector<FoundTree> &found, int32_t n, double unit) {
    double total = 0;
    std::vector<double> probabilities;
    for (const FoundTree &tree : found) {
      probabilities.push_back(std::exp(unit * static_cast<double>(tree.score - found[0].score)));
      total += probabilities.back();
    }
    for (const FoundTree &one : found) {
      double expected = 0;
      for (size_t j = 0; j < found.size(); ++j) {
        int32_t same = 0;
        for (int32_t m = 0; m < n; ++m) same += one.heads[m] == found[j].heads[m];
        expected += probabilities[j] / total * same;
      }
      consensus.push_back(expected);
    }
  }
};

}  // namespace kakari
