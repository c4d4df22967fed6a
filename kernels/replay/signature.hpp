// The features of the first ranks as a bit mask, to intersect many support vectors with one set.
#pragma once

#include <cstdint>

#include "kernels/hardware/processor.hpp"

namespace kakari {

struct Signature {
  static constexpr int WORDS = 4, RANKS = WORDS * 64;
  uint64_t words[WORDS] = {};

  Signature() = default;
  Signature(const int32_t *ranks, int length) {
    for (int i = 0; i < length && ranks[i] < RANKS; ++i) words[ranks[i] / 64] |= uint64_t{1} << ranks[i] % 64;
  }

  int shared_with(const Signature &other) const {
    int shared = 0;
    for (int i = 0; i < WORDS; ++i) shared += count_ones(words[i] & other.words[i]);
    return shared;
  }
};

}  // namespace kakari
