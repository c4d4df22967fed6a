// Running totals of feature prefixes seen before, in an open-addressing table whose nodes are chained by parent and
// rank. A key identifies its node completely, so two prefixes are never confused because of equal hashes.
#pragma once
#include "kernels/frozen/arrays.hpp"

namespace kakari {

struct PrefixWalk {
  FrozenScratch &scratch;
  const uint32_t mask;

  explicit PrefixWalk(FrozenScratch &scratch) : scratch(scratch), mask(uint32_t(scratch.prefix_keys.size() - 1)) {}

  // Returns the length of the longest known prefix; `path[i]` is the node after i ranks.
  int64_t find(int64_t length) {
    scratch.path[0] = 0;
    int64_t at = 0;
    for (; at < length; ++at) {
      const uint32_t slot = slot_of(key_at(at));
      if (!scratch.prefix_keys[slot]) break;
      scratch.path[at + 1] = slot + 1;
    }
    return at;
  }

  double total(int64_t at) const { return scratch.prefix_totals[scratch.path[at] - 1]; }

  // Adds the rest after the known prefix. A full table is emptied: frequent prefixes soon come back.
  void remember(int64_t known, int64_t length) {
    if (scratch.prefix_used + (length - known) > int64_t(scratch.prefix_keys.size()) / 2) {
      std::fill(scratch.prefix_keys.begin(), scratch.prefix_keys.end(), 0);
      scratch.prefix_used = 0;
      return;
    }
    for (int64_t at = known; at < length; ++at) {
      const uint64_t key = key_at(at);
      const uint32_t slot = slot_of(key);
      scratch.prefix_keys[slot] = key;
      scratch.prefix_totals[slot] = scratch.totals[at + 1];
      scratch.path[at + 1] = slot + 1;
      ++scratch.prefix_used;
    }
  }

 private:
  uint64_t key_at(int64_t at) const { return uint64_t(scratch.path[at]) << 32 | uint32_t(scratch.ranks[at] + 1); }

  // Where the key is, or the free slot where it would be.
  uint32_t slot_of(uint64_t key) const {
    uint32_t slot = hash_key(key) & mask;
    while (scratch.prefix_keys[slot] && scratch.prefix_keys[slot] != key) slot = (slot + 1) & mask;
    return slot;
  }
};

}  // namespace kakari
