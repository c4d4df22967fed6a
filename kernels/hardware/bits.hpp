// Words of bits and early loads: the compiler's own operations where it has them, plain arithmetic elsewhere.
//
// GCC and Clang have them on every processor. KAKARI_PORTABLE (which setup.py sets for other compilers) leaves them
// out, so that what those compile is tested here too.
#pragma once

#include <cstdint>

#if defined(__GNUC__) && !defined(KAKARI_PORTABLE)
#define KAKARI_BUILTINS
#define KAKARI_INLINE inline __attribute__((always_inline))
#else
#define KAKARI_INLINE inline
#endif

namespace kakari {

// The place of the lowest one of a word that is not zero.
KAKARI_INLINE int lowest_one(uint64_t word) {
#ifdef KAKARI_BUILTINS
  return __builtin_ctzll(word);
#else
  int place = 0;
  for (int half = 32; half > 0; half /= 2) {
    const bool below = (word & ((uint64_t{1} << half) - 1)) != 0;
    place += below ? 0 : half;
    word >>= below ? 0 : half;
  }
  return place;
#endif
}

// The number of ones in a word, in the instructions that the calling function may use.
KAKARI_INLINE int ones_in(uint64_t word) {
#ifdef KAKARI_BUILTINS
  return __builtin_popcountll(word);
#else
  word -= word >> 1 & 0x5555555555555555;
  word = (word & 0x3333333333333333) + (word >> 2 & 0x3333333333333333);
  word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0f;
  return static_cast<int>(word * 0x0101010101010101 >> 56);
#endif
}

// Start to load what will be read soon. An address that holds nothing does no harm.
KAKARI_INLINE void prefetch([[maybe_unused]] const void *address) {
#ifdef KAKARI_BUILTINS
  __builtin_prefetch(address);
#endif
}

}  // namespace kakari
