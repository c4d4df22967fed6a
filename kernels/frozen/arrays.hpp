// What a frozen model consists of: borrowed flat arrays, and the scratch memory of one thread.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/hardware/secrets.hpp"

namespace kakari {

constexpr int frozen_degrees = 4;

struct FrozenArrays {
  int degree = 1;
  double constant = 0;
  int64_t features = 0;          // known features, numbered by rank from the most frequent
  int64_t common = 0;            // features of the head: the most frequent ones
  int64_t rows = 0;              // support vectors
  const int32_t *ids = nullptr;  // of each rank
  SecretHash hash;
  std::vector<int32_t> slots;       // hash table of ranks, -1 if free; empty if `direct` is used
  const int32_t *direct = nullptr;  // rank of each id below direct_size, -1 if unknown; null if `slots` are used
  int64_t direct_size = 0;

  // Head: level k is the simplex array of all conjunctions of k + 1 common features.
  const void *head[frozen_degrees] = {};
  double scale[frozen_degrees] = {1, 1, 1, 1};

  // Tail by kernel: which rows hold a rare feature; each row's common features as bits of `words` words,
  // followed by the bits of its coefficient (float64), so that one cache line has it all.
  bool kernel_tail = false;
  int words = 0;
  const int64_t *posting_starts = nullptr;
  const void *postings = nullptr;
  const uint64_t *table = nullptr;

  // Tail by trie: level 0 is indexed by rank - common. Below it, nodes with extensions ("inner") and
  // without ("leaf") stand apart; node i of level k has inner children inner_starts[k][i] .. [i + 1] and
  // leaves leaf_starts[k][i] .. [i + 1] in level k + 1.
  const void *inner_labels[frozen_degrees] = {};
  const void *inner_weights[frozen_degrees] = {};
  const uint32_t *inner_starts[frozen_degrees] = {};
  const uint32_t *leaf_starts[frozen_degrees] = {};
  const void *leaf_labels[frozen_degrees] = {};
  const void *leaf_weights[frozen_degrees] = {};

  // For each rare feature: the positive and the negative weight (both >= 0) that it can bring. By kernel
  // these are sums of coefficients, still to be multiplied by the kernel's growth.
  const double *tail_positive = nullptr;
  const double *tail_negative = nullptr;

  uint64_t slot_of(int32_t id) const { return hash(static_cast<uint32_t>(id)) & (slots.size() - 1); }

  // Build the hash table of ranks, at most two thirds full; false if an id occurs twice.
  bool fill_slots() {
    size_t size = 1;
    while (2 * size < 3 * static_cast<size_t>(features) + 2) size *= 2;
    slots.assign(size, -1);
    for (int64_t rank = 0; rank < features; ++rank) {
      uint64_t slot = slot_of(ids[rank]);
      for (; slots[slot] >= 0; slot = (slot + 1) & (size - 1))
        if (ids[slots[slot]] == ids[rank]) return false;
      slots[slot] = static_cast<int32_t>(rank);
    }
    return true;
  }
};

// Memory that a classification writes to; one for each thread. It only grows, so that after the first few
// examples nothing is allocated any more.
struct FrozenScratch {
  std::vector<int32_t> ranks;                    // of the example, ascending: the head's first, then the tail's
  std::vector<double> totals;                    // the margin of the first i features, the constant being totals[0]
  std::vector<uint64_t> mask;                    // the example's common features as bits
  std::vector<int32_t> subsets[frozen_degrees];  // offsets of its subsets in the next level's simplex
  int64_t subset_counts[frozen_degrees] = {};
  std::vector<double> growth;     // (2 + n)**d - (1 + n)**d
  std::vector<uint16_t> matches;  // features shared with each row, plus one; 0 if not met yet
  std::vector<int32_t> met;       // the rows whose matches are not 0
  int64_t met_count = 0;
  std::vector<int8_t> present;              // by rank: all bits set, or none
  std::vector<uint32_t> nodes, next_nodes;  // of the trie, met on one level and on the next
  // Prefix table: key = parent node << 32 | rank + 1, 0 where free; node = slot + 1; the root is node 0.
  std::vector<uint64_t> prefix_keys;
  std::vector<double> prefix_totals;
  std::vector<uint32_t> path;  // prefix nodes of the current example
  int64_t prefix_used = 0;
  int64_t head_size = 0;

  void prepare(const FrozenArrays &model, int64_t length) {
    if (int64_t(ranks.size()) < length + 1) {
      ranks.resize(length + 1);
      totals.resize(length + 2);
      path.resize(length + 2);
      while (int64_t(growth.size()) < length + 2) {
        const double n = double(growth.size());
        double before = 1, after = 1;
        for (int i = 0; i < model.degree; ++i) before *= n + 1, after *= n + 2;
        growth.push_back(after - before);
      }
    }
    if (mask.empty()) {
      mask.resize((model.common + 63) / 64 + 1);
      if (model.kernel_tail) {
        matches.resize(model.rows);
        met.resize(model.rows);
      } else {
        present.resize(model.features);
      }
    }
  }

  void make_room_for_subsets(int degree) {
    int64_t needed = 1;
    for (int size = 1; size < degree; ++size) {
      needed = needed * (head_size - size + 1) / size;
      if (int64_t(subsets[size].size()) < needed) subsets[size].resize(std::max<int64_t>(needed, 0));
      subset_counts[size] = 0;
    }
  }
};

}  // namespace kakari
