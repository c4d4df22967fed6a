// A set against a block of 512 updates: how many features it shares with each, and the sum of the kernels.
//
// The rows of the set's features (bitmaps.hpp) are added up column by column. A tree of carry-save adders does this for
// all updates of a block at once: eight rows in, one carry out, three to five operations on a row for each. The sums
// come out as six bit planes, which are transposed, eight bits by eight planes, to one byte an update; register j then
// holds the updates from 64 j on. Where coefficients are one number times -1, 0 or 1 (regular_steps.hpp), the sum
// of the kernels is a sum of small integers. 512-bit registers look (1 + shared)^degree up byte by byte and multiply it
// with the signs in two instructions for 64 updates; others compute it in 16 bits.
#pragma once

#include <cstdint>
#include <cstring>

#include "kernels/hardware/processor.hpp"
#ifdef KAKARI_WIDEST
#include <immintrin.h>
#endif

namespace kakari {

constexpr int BLOCK = 512;  // updates of a block
constexpr int ROW_BYTES = BLOCK / 8;
constexpr int ROWS_AT_ONCE = 56;  // what six planes can count, in groups of eight

struct alignas(ROW_BYTES) Row {
  uint64_t words[BLOCK / 64];
};

// Where the rows of a set lie among those of a block: in groups of eight, filled up with an empty row.
struct Places {
  int32_t rows[ROWS_AT_ONCE];
  int length, groups;
};

// (1 + shared)^degree for all that can be shared, also byte by byte.
struct Powers {
  int degree;
  int32_t values[64];
  alignas(64) uint8_t by_byte[3][64];

  explicit Powers(int wanted = 1) : degree(wanted) {
    for (int shared = 0; shared < 64; ++shared) {
      values[shared] = 1;
      for (int i = 0; i < degree; ++i) values[shared] *= 1 + shared;
      for (int byte = 0; byte < 3; ++byte) by_byte[byte][shared] = static_cast<uint8_t>(values[shared] >> 8 * byte);
    }
  }

  bool two_bytes_hold(int shared) const { return values[shared] < 1 << 16; }
};

// A register of so many bytes: GNU's vectors on x86-64, one word elsewhere.
template <int lane>
struct Register {
#ifdef KAKARI_X86
  typedef uint64_t Lane __attribute__((vector_size(lane)));
#else
  static_assert(lane == sizeof(uint64_t), "wider registers are for x86-64");
  using Lane = uint64_t;
#endif
};

// Bit planes in registers of so many bytes.
template <int lane>
struct Planes {
  using Lane = typename Register<lane>::Lane;
  Lane planes[8] = {};

  // Add the given bytes of eight rows.
  KAKARI_INLINE void add_eight(const Row *base, const int32_t *rows, int begin) {
    Lane two[4], four[2], eight, a, b;
    for (int i = 0; i < 4; ++i) {
      std::memcpy(&a, reinterpret_cast<const char *>(base + rows[2 * i]) + begin, lane);
      std::memcpy(&b, reinterpret_cast<const char *>(base + rows[2 * i + 1]) + begin, lane);
      add_carry(planes[0], a, b, two[i]);
    }
    for (int i = 0; i < 2; ++i) add_carry(planes[1], two[2 * i], two[2 * i + 1], four[i]);
    add_carry(planes[2], four[0], four[1], eight);
    for (int i = 3; i < 6; ++i) {
      const Lane carry = planes[i] & eight;
      planes[i] ^= eight;
      eight = carry;
    }
  }

  // Bit j of each byte of plane k becomes bit k of the same byte of plane j: squares of 2, 4 and 8 bits in turn.
  KAKARI_INLINE void transpose() {
    swap_squares<1>(0x5555555555555555);
    swap_squares<2>(0x3333333333333333);
    swap_squares<4>(0x0f0f0f0f0f0f0f0f);
  }

 private:
  static KAKARI_INLINE void add_carry(Lane &sum, const Lane &a, const Lane &b, Lane &carry) {
    const Lane either = sum ^ a;
    carry = (sum & a) | (either & b);
    sum = either ^ b;
  }

  template <int width>
  KAKARI_INLINE void swap_squares(uint64_t lower) {
    for (int i = 0; i < 8; ++i) {
      if (i & width) continue;
      const Lane swapped = ((planes[i] >> width) ^ planes[i + width]) & lower;
      planes[i + width] ^= swapped;
      planes[i] ^= swapped << width;
    }
  }
};

// Blocks of updates, one after another: their rows, and the signs of their coefficients.
struct Blocks {
  const Row *rows;
  int64_t rows_of_a_block;
  const int8_t *signs;
  int64_t count;
};

template <int lane>
KAKARI_INLINE void count_block_body(const Row *rows, const Places &places, uint8_t *counts) {
  for (int begin = 0; begin < ROW_BYTES; begin += lane) {
    Planes<lane> sums;
    for (int group = 0; group < places.groups; ++group) sums.add_eight(rows, places.rows + group * 8, begin);
    sums.transpose();
    for (int i = 0; i < 8; ++i) std::memcpy(counts + i * ROW_BYTES + begin, &sums.planes[i], lane);
  }
}

// Sum of sign * (1 + shared)^degree over 64 updates, whose fourth powers 32 bits can hold.
template <int degree>
KAKARI_INLINE int32_t signed_run(const int8_t *signs, const uint8_t *shared) {
  int32_t sum = 0;
  for (int i = 0; i < 64; ++i) {
    const int16_t base = static_cast<int16_t>(shared[i] + 1);
    const int16_t square = static_cast<int16_t>(base * base);
    const int16_t left = degree > 2 ? square : degree == 2 ? base : int16_t{1};
    const int16_t right = degree == 4 ? square : base;
    sum += left * static_cast<int16_t>(right * signs[i]);
  }
  return sum;
}

// The same over whole blocks, except for the first `begin` updates.
template <int degree>
KAKARI_INLINE int64_t signed_sum(const Blocks &blocks, int begin, const uint8_t *counts) {
  int64_t total = 0, start = begin / 64 * 64;
  if (start < begin) {
    int8_t later[64] = {};
    std::memcpy(later + (begin - start), blocks.signs + begin, 64 - (begin - start));
    total += signed_run<degree>(later, counts + start);
    start += 64;
  }
  for (; start < blocks.count * BLOCK; start += 64) total += signed_run<degree>(blocks.signs + start, counts + start);
  return total;
}

template <int lane>
KAKARI_INLINE int64_t blocks_sum_body(const Blocks &blocks, const Places &places, int begin, const Powers &powers,
                                      uint8_t *counts) {
  for (int64_t block = 0; block < blocks.count; ++block)
    count_block_body<lane>(blocks.rows + block * blocks.rows_of_a_block, places, counts + block * BLOCK);
  switch (powers.degree) {
    case 1:
      return signed_sum<1>(blocks, begin, counts);
    case 2:
      return signed_sum<2>(blocks, begin, counts);
    case 3:
      return signed_sum<3>(blocks, begin, counts);
    default:
      return signed_sum<4>(blocks, begin, counts);
  }
}

#ifdef KAKARI_WIDE
KAKARI_WIDE inline void count_block_wide(const Row *rows, const Places &places, uint8_t *counts) {
  count_block_body<32>(rows, places, counts);
}

KAKARI_WIDE inline int64_t blocks_sum_wide(const Blocks &blocks, const Places &places, int begin, const Powers &powers,
                                           uint8_t *counts) {
  return blocks_sum_body<32>(blocks, places, begin, powers, counts);
}
#endif

#ifdef KAKARI_WIDEST
// Sum and carry of three bits are two of the operations that one instruction has for all of them, 0x96 and 0xe8.
KAKARI_WIDEST KAKARI_INLINE void add_widest(__m512i &sum, __m512i a, __m512i b, __m512i &carry) {
  carry = _mm512_ternarylogic_epi64(sum, a, b, 0xe8);
  sum = _mm512_ternarylogic_epi64(sum, a, b, 0x96);
}

KAKARI_WIDEST KAKARI_INLINE void add_eight_widest(const Row *base, const int32_t *rows, __m512i *planes) {
  __m512i two[4], four[2], eight;
  for (int i = 0; i < 4; ++i)
    add_widest(planes[0], _mm512_load_si512(base + rows[2 * i]), _mm512_load_si512(base + rows[2 * i + 1]), two[i]);
  for (int i = 0; i < 2; ++i) add_widest(planes[1], two[2 * i], two[2 * i + 1], four[i]);
  add_widest(planes[2], four[0], four[1], eight);
  for (int i = 3; i < 6; ++i) {
    const __m512i carry = _mm512_and_si512(planes[i], eight);
    planes[i] = _mm512_xor_si512(planes[i], eight);
    eight = carry;
  }
}

// 0x28 is (a ^ b) & c.
template <int width>
KAKARI_WIDEST KAKARI_INLINE void swap_squares_widest(__m512i *planes, int64_t lower) {
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) {
    if (i & width) continue;
    const __m512i swapped = _mm512_ternarylogic_epi64(_mm512_srli_epi64(planes[i], width), planes[i + width],
                                                      _mm512_set1_epi64(lower), 0x28);
    planes[i + width] = _mm512_xor_si512(planes[i + width], swapped);
    planes[i] = _mm512_xor_si512(planes[i], _mm512_slli_epi64(swapped, width));
  }
}

KAKARI_WIDEST KAKARI_INLINE void count_block_widest(const Row *rows, const Places &places, __m512i *planes) {
#pragma GCC unroll 8
  for (int i = 0; i < 8; ++i) planes[i] = _mm512_setzero_si512();
  for (int group = 0; group < places.groups; ++group) add_eight_widest(rows, places.rows + group * 8, planes);
  swap_squares_widest<1>(planes, 0x5555555555555555);
  swap_squares_widest<2>(planes, 0x3333333333333333);
  swap_squares_widest<4>(planes, 0x0f0f0f0f0f0f0f0f);
}

template <int bytes>
KAKARI_WIDEST inline int64_t blocks_sum_widest(const Blocks &blocks, const Places &places, int begin,
                                               const Powers &powers, uint8_t *counts) {
  __m512i planes[8], sums[bytes], power[bytes];
  for (int byte = 0; byte < bytes; ++byte) {
    sums[byte] = _mm512_setzero_si512();
    power[byte] = _mm512_load_si512(powers.by_byte[byte]);
  }
  for (int64_t block = 0; block < blocks.count; ++block, begin -= BLOCK, counts += BLOCK) {
    count_block_widest(blocks.rows + block * blocks.rows_of_a_block, places, planes);
#pragma GCC unroll 8
    for (int i = 0; i < 8; ++i) {
      const int earlier = begin - i * 64;
      const __mmask64 later = earlier <= 0 ? ~__mmask64{0} : earlier >= 64 ? 0 : ~__mmask64{0} << earlier;
      const __m512i signs = _mm512_maskz_loadu_epi8(later, blocks.signs + block * BLOCK + i * 64);
      _mm512_store_si512(counts + i * 64, planes[i]);
      for (int byte = 0; byte < bytes; ++byte)
        sums[byte] = _mm512_dpbusd_epi32(sums[byte], _mm512_permutexvar_epi8(planes[i], power[byte]), signs);
    }
  }
  int64_t total = 0;
  for (int byte = bytes - 1; byte >= 0; --byte) total = total * 256 + _mm512_reduce_add_epi32(sums[byte]);
  return total;
}
#endif

// Count for each update of a block the rows in which it occurs.
inline void count_block(const Row *rows, const Places &places, uint8_t *counts) {
#ifdef KAKARI_WIDE
  if (has_wide_registers()) return count_block_wide(rows, places, counts);
#endif
  count_block_body<PLAIN_LANE>(rows, places, counts);
}

// Count for each update of some blocks the rows in which it occurs (`counts` is aligned to 64 bytes), and sum
// sign * (1 + count)^degree over all but the first `begin`. Whole numbers, so that all processors give the same.
inline int64_t blocks_sum(const Blocks &blocks, const Places &places, int begin, const Powers &powers,
                          uint8_t *counts) {
#ifdef KAKARI_WIDEST
  if (has_widest_registers())
    return powers.two_bytes_hold(places.length) ? blocks_sum_widest<2>(blocks, places, begin, powers, counts)
                                                : blocks_sum_widest<3>(blocks, places, begin, powers, counts);
#endif
#ifdef KAKARI_WIDE
  if (has_wide_registers()) return blocks_sum_wide(blocks, places, begin, powers, counts);
#endif
  return blocks_sum_body<PLAIN_LANE>(blocks, places, begin, powers, counts);
}

}  // namespace kakari
