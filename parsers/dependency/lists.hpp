// The k best trees of a sentence, each with its relations. Trees of one list differ in a few arcs, and a word whose
// conjunctions are those it had in a tree before keeps its relation: labels of k trees cost little more than of one.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "parsers/dependency/labelling.hpp"
#include "parsers/dependency/search.hpp"

namespace kakari {

// Weights of relations that remember the scores of one sentence's words, and sum up how sure the relations are: their
// scores, and their leads over the second-best ones. One labeller's own, not to be shared.
class RememberedRows {
 public:
  RememberedRows(const RowTable &rows, int32_t labels) : rows_(rows), labels_(labels) {}

  void begin_sentence() { known_.clear(); }
  void begin_tree() { leads = sums = 0; }

  void score(const uint64_t *hashes, int count, int32_t *scores) const {
    uint64_t key = 0x243F6A8885A308D3u;
    for (int i = 0; i < count; ++i) key = join(key, hashes[i]);
    const auto [at, is_new] = known_.try_emplace(mix(key));
    if (is_new) {
      rows_.score(hashes, count, scores);
      at->second.assign(scores, scores + labels_);
    } else {
      std::copy(at->second.begin(), at->second.end(), scores);
    }
    int32_t best = INT32_MIN, second = INT32_MIN;
    for (int32_t k = 0; k < labels_; ++k) {
      if (scores[k] > best) {
        second = best;
        best = scores[k];
      } else if (scores[k] > second) {
        second = scores[k];
      }
    }
    sums += best;
    leads += labels_ > 1 ? int64_t{best} - second : 0;
  }

  mutable int64_t leads = 0, sums = 0;

 private:
  const RowTable &rows_;
  int32_t labels_;
  mutable std::unordered_map<uint64_t, std::vector<int32_t>> known_;
};

class ListLabeller {
 public:
  ListLabeller(const RowTable &rows, int32_t labels) : rows_(rows, labels), labeller_(rows_, labels) {}
  ListLabeller(const ListLabeller &) = delete;

  RememberedRows &rows() { return rows_; }
  void run(const TokenView &tokens, const int32_t *heads, uint8_t *found) {
    rows_.begin_tree();
    std::fill(found, found + tokens.length(), uint8_t{0});
    labeller_.run(tokens, heads, found);
  }

 private:
  RememberedRows rows_;
  Labeller<RememberedRows> labeller_;
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
    labeller.rows().begin_sentence();
    for (const FoundTree &tree : found) {
      heads.insert(heads.end(), tree.heads.begin(), tree.heads.end());
      relations.resize(heads.size());
      labeller.run(tokens, tree.heads.data(), relations.data() + relations.size() - n);
      scores.push_back(tree.score);
      leads.push_back(labeller.rows().leads);
      label_scores.push_back(labeller.rows().sums);
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
