// Frozen weights of many classes, laid out for decoders that score hundreds of conjunctions at a time.
//
// A line is 64 bytes: 15 slots of four bytes, and a number. A slot is a weight: 16 bits of the conjunction's hash, the
// class, the amount. A conjunction with more than LONG weights (there are few, but they are read all the time) has one
// slot with an amount of 0, whose class is the place of its weights in `longs_`, counted from the line's number. A
// bucket of `RowTable` is one line; a bucket that does not fit is marked, and looked up in the table itself. A lookup
// compares all slots at once: it reads one cache line, and has no loop over records whose lengths a processor cannot
// predict. Long rows are prefetched when they are met and added after all lines, so that no lookup waits for them. All
// sums are those of `RowTable`.
//
// It costs 64 bytes a bucket, about twice the records.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>
#if defined(__SSE2__) && !defined(KAKARI_PORTABLE)
#include <emmintrin.h>
#define KAKARI_ROW_LINES_SSE2
#endif

#include "kernels/hardware/bits.hpp"
#include "kernels/hardware/huge_pages.hpp"
#include "kernels/hashed/rows.hpp"

namespace kakari {

class RowLines {
 public:
  // The arrays are borrowed and must outlive this object.
  RowLines(const uint32_t *buckets, int64_t count, const uint8_t *records)
      : table_(buckets, count, records), lines_(count) {
    while (int64_t{1} << (64 - shift_) < count) --shift_;
    for (int64_t bucket = 0; bucket < count; ++bucket)
      if (!fill(records + buckets[bucket], records + buckets[bucket + 1], lines_[bucket]))
        lines_[bucket].number = CROWDED;
    for (const uint8_t *at = records, *end = records + buckets[count]; at < end; at += 3 + 2 * at[2])
      for (int k = 0; k < at[2]; ++k) classes_ = std::max<size_t>(classes_, size_t{at[3 + 2 * k]} + 1);
  }

  // No class is as large as this.
  size_t classes() const { return classes_; }

  // Of a class in a row that is the sum of 256 conjunctions at most.
  using Sum = int16_t;

  void ask(uint64_t hash) const { prefetch(&lines_[line_of(hash)]); }

  void score(const uint64_t *hashes, int count, int32_t *scores) const {
    for (int i = 0; i < count; ++i) ask(hashes[i]);
    add(hashes, count, scores);
  }

  // The same, of conjunctions whose lines were asked for.
  template <class Score>
  void add(const uint64_t *hashes, int count, Score *scores) const {
    const Unit *longs[MOST_CLASSES];
    for (int begin = 0; begin < count; begin += MOST_CLASSES) {
      const int end = std::min(count, begin + MOST_CLASSES);
      int met = 0;
      for (int i = begin; i < end; ++i) {
        const Line &line = lines_[line_of(hashes[i])];
        for (uint32_t found = matches(line, static_cast<uint16_t>(hashes[i])); found != 0; found &= found - 1) {
          const uint32_t slot = line.slots[lowest_one(found)], amount = slot >> 24;
          if (amount != 0) {
            Score &score = scores[slot >> 16 & 255];
            score = static_cast<Score>(score + static_cast<int8_t>(amount));
          } else if (slot >> 16 != 0) {
            longs[met] = &longs_[line.number + (slot >> 16) - 1];
            prefetch(longs[met++]);
          }
        }
        if (line.number == CROWDED) table_.score(&hashes[i], 1, scores);
      }
      for (int i = 0; i < met; ++i) add_row(longs[i]->bytes, scores);
    }
  }

 private:
  static constexpr int SLOTS = 15, LONG = 3;
  static constexpr uint32_t CROWDED = UINT32_MAX;

  struct alignas(64) Line {
    uint32_t slots[SLOTS] = {};  // 0 where there is none
    uint32_t number = 0;
  };

  struct alignas(16) Unit {
    uint8_t bytes[16] = {};
  };

  uint64_t line_of(uint64_t hash) const { return shift_ == 64 ? 0 : hash >> shift_; }

  // A long row is how many weights it has, then their classes and amounts.
  template <class Score>
  static void add_row(const uint8_t *row, Score *scores) {
    const uint8_t *const end = row + 1 + 2 * row[0];
    for (const uint8_t *at = row + 1; at < end; at += 2) scores[at[0]] = static_cast<Score>(scores[at[0]] + static_cast<int8_t>(at[1]));
  }

  // Puts the records of a bucket into its line; a line without slots is left if they do not fit.
  bool fill(const uint8_t *at, const uint8_t *end, Line &line) {
    const uint8_t *const begin = at;
    const size_t longs = longs_.size();
    Line filled;
    filled.number = static_cast<uint32_t>(longs);
    int used = 0;
    for (; at < end; at += 3 + 2 * at[2]) {
      const uint32_t check = at[0] | static_cast<uint32_t>(at[1]) << 8;
      if (met_before(begin, at, check)) continue;  // the table finds the first alone
      const int needed = at[2] > LONG ? 1 : at[2];
      if (used + needed > SLOTS || longs_.size() - longs >= 255) {
        longs_.resize(longs);
        return false;
      }
      if (at[2] > LONG) {
        filled.slots[used++] = check | static_cast<uint32_t>(longs_.size() - longs + 1) << 16;
        longs_.resize(longs_.size() + (1 + 2 * at[2] + 15) / 16);
        std::copy(at + 2, at + 3 + 2 * at[2], longs_[longs + (filled.slots[used - 1] >> 16) - 1].bytes);
        continue;
      }
      for (int k = 0; k < at[2]; ++k) {
        const uint32_t place = at[3 + 2 * k], amount = at[4 + 2 * k];
        if (amount != 0) filled.slots[used++] = check | place << 16 | amount << 24;
      }
    }
    line = filled;
    return true;
  }

  static bool met_before(const uint8_t *at, const uint8_t *end, uint32_t check) {
    for (; at < end; at += 3 + 2 * at[2])
      if ((at[0] | static_cast<uint32_t>(at[1]) << 8) == check) return true;
    return false;
  }

  // A bit for each slot of the line that has this check.
  static uint32_t matches(const Line &line, uint16_t check) {
#ifdef KAKARI_ROW_LINES_SSE2
    const __m128i *at = reinterpret_cast<const __m128i *>(line.slots);
    const __m128i wanted = _mm_set1_epi32(check), low = _mm_set1_epi32(0xFFFF);
    __m128i same[4];
    for (int i = 0; i < 4; ++i) same[i] = _mm_cmpeq_epi32(_mm_and_si128(_mm_load_si128(at + i), low), wanted);
    const __m128i packed = _mm_packs_epi16(_mm_packs_epi32(same[0], same[1]), _mm_packs_epi32(same[2], same[3]));
    return static_cast<uint32_t>(_mm_movemask_epi8(packed)) & ((1u << SLOTS) - 1);
#else
    uint32_t found = 0;
    for (int k = 0; k < SLOTS; ++k) found |= static_cast<uint32_t>((line.slots[k] & 0xFFFF) == check) << k;
    return found;
#endif
  }

  RowTable table_;
  std::vector<Unit, HugePages<Unit>> longs_;
  std::vector<Line, HugePages<Line>> lines_;
  size_t classes_ = 0;
  int shift_ = 64;
};

}  // namespace kakari
