// Builds the static prefix table of a frozen model from a sample of examples.
#pragma once
#include <unordered_map>

#include "kernels/frozen/classifier.hpp"

namespace kakari {

struct PrefixTable {
  std::vector<uint64_t> keys;
  std::vector<double> totals;
};

// Counts every prefix of the sample (in order of rank) and keeps the most frequent ones, at most `limit`, each
// met at least twice. A prefix is never rarer than what continues it, so what is kept is closed.
inline PrefixTable learn_prefixes(const FrozenClassifier &classifier, const int64_t *offsets, const int32_t *ids,
                                  int64_t rows, int64_t limit) {
  struct Node {
    uint64_t key;  // parent << 32 | rank + 1, nodes numbered from 1 as they appear
    int64_t count;
  };
  FrozenScratch scratch;
  std::vector<Node> nodes;
  std::unordered_map<uint64_t, uint32_t> numbers;
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t known = classifier.rank_features(ids + offsets[row], offsets[row + 1] - offsets[row], scratch);
    uint64_t parent = 0;
    for (int64_t i = 0; i < known; ++i) {
      const uint64_t key = parent << 32 | uint32_t(scratch.ranks[i] + 1);
      const auto place = numbers.emplace(key, uint32_t(nodes.size() + 1));
      if (place.second) nodes.push_back({key, 0});
      parent = place.first->second;
      ++nodes[parent - 1].count;
    }
  }
  std::vector<int64_t> counts;
  for (const Node &node : nodes)
    if (node.count > 1) counts.push_back(node.count);
  int64_t at_least = 2;
  if (int64_t(counts.size()) > limit) {
    std::nth_element(counts.begin(), counts.begin() + limit, counts.end(), std::greater<int64_t>());
    at_least = counts[limit] + 1;
  }
  size_t size = 2, kept = 0;
  for (const Node &node : nodes) kept += node.count >= at_least;
  while (size < 2 * kept) size *= 2;
  PrefixTable table{std::vector<uint64_t>(size), std::vector<double>(size)};
  std::vector<uint32_t> slot_of(nodes.size() + 1);  // of each kept node, plus one
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].count < at_least) continue;
    const uint64_t key = uint64_t(slot_of[nodes[i].key >> 32]) << 32 | uint32_t(nodes[i].key);
    uint32_t slot = hash_key(key) & uint32_t(size - 1);
    while (table.keys[slot]) slot = (slot + 1) & uint32_t(size - 1);
    table.keys[slot] = key;
    slot_of[i + 1] = slot + 1;
  }
  std::vector<uint32_t> path;
  for (int64_t row = 0; row < rows; ++row) {
    const int64_t length = offsets[row + 1] - offsets[row];
    const int64_t known = classifier.rank_features(ids + offsets[row], length, scratch);
    path.assign(known + 1, 0);
    const int64_t found = follow(table.keys.data(), uint32_t(size - 1), 1, scratch.ranks.data(), 0, known, path.data());
    bool missing = false;
    for (int64_t i = 1; i <= found; ++i) missing |= table.totals[path[i] - 1] == 0;
    if (!missing) continue;
    classifier.margin(ids + offsets[row], length, scratch, false);
    for (int64_t i = 1; i <= found; ++i) table.totals[path[i] - 1] = scratch.totals[i];
  }
  return table;
}

}  // namespace kakari
