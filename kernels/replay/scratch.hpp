// Memory that a margin needs while it is computed; one for each thread.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/replay/block_sums.hpp"

namespace kakari {

struct Scratch {
  struct alignas(64) Counts {
    uint8_t of_block[BLOCK];
  };
  struct Seen {
    uint32_t query, rare;
  };
  std::vector<Counts> counts;         // by entry: how many features it shares with x
  std::vector<uint32_t> wide_counts;  // the same where a byte is too small
  std::vector<int32_t> marks;         // by rank: 1 for a feature of x
  std::vector<Seen> seen;             // by entry: the last query that met it, and the rare features it shares with x
  uint32_t query = 0;
  std::vector<int32_t> met;  // entries that share a rare feature with x

  int64_t bytes() const {
    return counts.capacity() * sizeof(Counts) + wide_counts.capacity() * sizeof(uint32_t) +
           (marks.capacity() + met.capacity()) * sizeof(int32_t) + seen.capacity() * sizeof(Seen);
  }
};

}  // namespace kakari
