// The data of an update whose support vector shares a rare feature with a set: one cache line, read at random.
//
// The vector's features of the first 256 ranks are bits; the ranks of the others lie beside them where they are few and
// small, so that nothing else has to be read, and otherwise among the vectors.
#pragma once

#include <cstdint>

#include "kernels/replay/signature.hpp"

namespace kakari {

struct alignas(64) Entry {
  static constexpr int INLINE = 6;

  // An update of a vector whose ranks begin at `ranks`, and among those of all vectors at `offset`.
  Entry(const int32_t *ranks, int length, int within, int64_t offset, double amount)
      : signature(ranks, length), coefficient(amount), beyond(offset + within), count_beyond(length - within) {
    if (count_beyond > INLINE || (length && ranks[length - 1] > UINT16_MAX)) return;
    beyond = HERE;
    for (int32_t i = 0; i < count_beyond; ++i) inlined[i] = static_cast<uint16_t>(ranks[within + i]);
  }

  // Call visit(rank) for the vector's ranks outside the signature, in rising order, until it returns false.
  template <class Visitor>
  void each_beyond(const int32_t *all_ranks, Visitor visit) const {
    if (beyond == HERE) {
      for (int32_t i = 0; i < count_beyond; ++i)
        if (!visit(static_cast<int32_t>(inlined[i]))) return;
    } else {
      for (int32_t i = 0; i < count_beyond; ++i)
        if (!visit(all_ranks[beyond + i])) return;
    }
  }

  static constexpr int64_t HERE = -1;
  Signature signature;
  double coefficient;
  int64_t beyond;  // where the vector's ranks outside the signature begin, or HERE
  int32_t count_beyond;
  uint16_t inlined[INLINE] = {};
};

}  // namespace kakari
