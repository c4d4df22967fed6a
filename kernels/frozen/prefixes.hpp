// Running totals of feature prefixes, in open-addressing tables whose nodes are chained by parent and rank.
#pragma once
#include "kernels/frozen/arrays.hpp"

namespace kakari {

// Follows the example's ranks down a table. Returns how many were found; `path[i]` is the node after i ranks.
// A key holds the whole of what identifies a node, so a hit is never a coincidence of hashes.
inline int64_t follow(const uint64_t *keys, uint32_t mask, uint32_t first_node, const int32_t *ranks, int64_t at,
                      int64_t length, uint32_t *path) {
  for (; at < length; ++at) {
    const uint64_t key = uint64_t(path[at]) << 32 | uint32_t(ranks[at] + 1);
    uint32_t slot = hash_key(key) & mask;
    while (keys[slot] && keys[slot] != key) slot = (slot + 1) & mask;
    if (!keys[slot]) break;
    path[at + 1] = first_node + slot;
  }
  return at;
}

// The nodes of the adaptive table are numbered behind those of the static one, whose paths they continue.
struct PrefixWalk {
  const FrozenArrays &model;
  FrozenScratch &scratch;
  uint32_t adaptive_first;
  bool adaptive;

  PrefixWalk(const FrozenArrays &model, FrozenScratch &scratch)
      : model(model),
        scratch(scratch),
        adaptive_first(model.prefix_keys ? model.prefix_mask + 2 : 1),
        adaptive(!scratch.prefix_keys.empty()) {}

  // Finds the longest known prefix, and its total.
  int64_t find(int64_t length) {
    scratch.path[0] = 0;
    int64_t known = 0;
    if (model.prefix_keys)
      known = follow(model.prefix_keys, model.prefix_mask, 1, scratch.ranks.data(), 0, length, scratch.path.data());
    if (adaptive)
      known = follow(scratch.prefix_keys.data(), uint32_t(scratch.prefix_keys.size() - 1), adaptive_first,
                     scratch.ranks.data(), known, length, scratch.path.data());
    return known;
  }

  double total(int64_t at) const {
    const uint32_t node = scratch.path[at];
    return node >= adaptive_first ? scratch.prefix_totals[node - adaptive_first] : model.prefix_totals[node - 1];
  }

  // Adds what lies behind the known prefix. A full table starts anew: what is frequent soon comes back.
  void remember(int64_t known, int64_t length) {
    if (!adaptive) return;
    const uint32_t mask = uint32_t(scratch.prefix_keys.size() - 1);
    if (scratch.prefix_used + (length - known) > int64_t(scratch.prefix_keys.size()) / 2) {
      std::fill(scratch.prefix_keys.begin(), scratch.prefix_keys.end(), 0);
      scratch.prefix_used = 0;
      return;
    }
    for (int64_t at = known; at < length; ++at) {
      const uint64_t key = uint64_t(scratch.path[at]) << 32 | uint32_t(scratch.ranks[at] + 1);
      uint32_t slot = hash_key(key) & mask;
      while (scratch.prefix_keys[slot]) slot = (slot + 1) & mask;
      scratch.prefix_keys[slot] = key;
      scratch.prefix_totals[slot] = scratch.totals[at + 1];
      scratch.path[at + 1] = adaptive_first + slot;
      ++scratch.prefix_used;
    }
  }
};

}  // namespace kakari
