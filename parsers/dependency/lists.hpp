// The k best trees of a sentence, each with its relations. Trees of one list differ in a few arcs, and a word whose
// conjunctions are those it had in a tree before keeps its relation: labels of k trees cost little more than of one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "parsers/dependency/labelling.hpp"
#include "parsers/dependency/search.hpp"

namespace kakari {

// Relations of the trees of one sentence, with how sure they are: the lead of the best relation over the second one.
class ListLabeller {
 public:
  ListLabeller(const RowTable &weights, int32_t labels) : weights_(weights), labels_(labels) {}

  void begin() { known_.clear(); }

  // The sums of leads and of scores over the words of one tree.
  std::pair<int64_t, int64_t> run(const TokenView &tokens, const int32_t *heads, uint8_t *found) {
    shape_.reset(heads, tokens.length());
    uint64_t hashes[MOST_CONJUNCTIONS];
    int64_t leads = 0, scores = 0;
    std::fill(found, found + tokens.length(), uint8_t{0});
    for (int32_t m : shape_.order) {
      const int32_t h = heads[m - 1];
      const uint64_t above = h == 0 ? Labeller<RowTable>::NO_LABEL : found[h - 1];
      const int count = label_conjunctions(tokens, heads, shape_, m, above, hashes);
      const Choice &choice = best(hashes, count);
      found[m - 1] = choice.label;
      leads += choice.lead;
      scores += choice.score;
    }
    return {leads, scores};
  }

 private:
  struct Choice {
    uint8_t label;
    int32_t lead, score;
  };

  const Choice &best(const uint64_t *hashes, int count) {
    uint64_t key = 0x243F6A8885A308D3u;
    for (int i = 0; i < count; ++i) key = join(key, hashes[i]);
    const auto [at, is_new] = known_.try_emplace(mix(key));
    if (!is_new) return at->second;
    int32_t scores[MOST_CLASSES] = {};
    weights_.score(hashes, count, scores);
    const int32_t *most = std::max_element(scores, scores + labels_);
    int32_t second = labels_ > 1 ? INT32_MIN : *most;
    for (int32_t k = 0; k < labels_; ++k)
      if (scores + k != most) second = std::max(second, scores[k]);
    at->second = {static_cast<uint8_t>(most - scores), *most - second, *most};
    return at->second;
  }

  const RowTable &weights_;
  int32_t labels_;
  TreeShape shape_;
  std::unordered_map<uint64_t, Choice> known_;
};

// Trees one after the other, and the figures of each.
struct TreeLists {
  std::vector<int32_t> heads;
  std::vector<uint8_t> relations;
  std::vector<int64_t> scores, leads, label_scores;

  template <class Light, class Full>
  int32_t add(const TokenView &tokens, const Light &light, const Full &full, int32_t k, TreeSearch &search,
              ListLabeller &labeller) {
    const int32_t n = tokens.length();
    const std::vector<FoundTree> &found = search.run(tokens, light, full, k);
    labeller.begin();
    for (const FoundTree &tree : found) {
      heads.insert(heads.end(), tree.heads.begin(), tree.heads.end());
      relations.resize(heads.size());
      const auto [lead, score] = labeller.run(tokens, tree.heads.data(), relations.data() + relations.size() - n);
      scores.push_back(tree.score);
      leads.push_back(lead);
      label_scores.push_back(score);
    }
    return static_cast<int32_t>(found.size());
  }
};

}  // namespace kakari
