// Frozen weights of many classes, laid out for decoders that score hundreds of conjunctions at a time.
//
// A line is 64 bytes: 15 slots of four bytes, and a number. A slot is a weight: 16 bits of the conjunction's hash (these
// stand together), the class, the amount. A conjunction with more than LONG weights (there are few, but they are read all the time) has one
// slot with an amount of 0, whose class is the place of its weights in `longs_`, counted from the line's number. A
// bucket of `RowTable` is one line; a bucket that does not fit is marked, and looked up in the table itself. A lookup
// compares all slots at once: it reads one cache line, and has no loop over records whose lengths a processor cannot
// predict. Whether a conjunction has weights cannot be predicted either: those that have are noted first, without a
// branch. Long rows are prefetched when they are met and added in the end, so that no lookup waits for them. All sums
// are those of `RowTable`.
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

  // Long rows that were met and are still to be added.
  template <class Score>
  struct Later {
    Score *scores = nullptr;
    int64_t unit = 0;
  };
  struct Waiting {
    std::vector<Later<Sum>> rows;
    size_t count = 0;  // of these, the others are room
  };

  void score(const uint64_t *hashes, int count, int32_t *scores) const {
    for (int i = 0; i < count; ++i) ask(hashes[i]);
    Later<int32_t> longs[MOST_CLASSES];
    for (int begin = 0; begin < count; begin += MOST_CLASSES) {
      const int met = add_lines(hashes + begin, std::min(count - begin, MOST_CLASSES), scores, longs);
      for (int i = 0; i < met; ++i) add_row(units(longs[i].unit), longs[i].scores);
    }
  }

  // The same, of at most 256 conjunctions whose lines were asked for; `finish` adds what is left.
  void add(const uint64_t *hashes, int count, Sum *scores, Waiting &waiting) const {
    if (waiting.rows.size() < waiting.count + count) waiting.rows.resize(2 * waiting.count + MOST_CLASSES);
    waiting.count += add_lines(hashes, count, scores, waiting.rows.data() + waiting.count);
  }

  void finish(Waiting &waiting) const {
    for (size_t i = 0; i < waiting.count; ++i) add_row(units(waiting.rows[i].unit), waiting.rows[i].scores);
    waiting.count = 0;
  }

 private:
  static constexpr int SLOTS = 15, LONG = 3;
  static constexpr uint32_t CROWDED = UINT32_MAX;

  struct alignas(64) Line {
    uint16_t checks[SLOTS] = {};
    uint8_t places[SLOTS] = {};  // 0 beside an amount of 0 where there is no weight
    int8_t amounts[SLOTS] = {};
    uint32_t number = 0;
  };
  static_assert(sizeof(Line) == 64);

  struct alignas(16) Unit {
    uint8_t bytes[16] = {};
  };

  uint64_t line_of(uint64_t hash) const { return shift_ == 64 ? 0 : hash >> shift_; }

  const uint8_t *units(int64_t place) const { return longs_[place].bytes; }

  // A long row is how many weights it has, then their classes and amounts.
  template <class Score>
  static void add_row(const uint8_t *row, Score *scores) {
    const uint8_t *const end = row + 1 + 2 * row[0];
    for (const uint8_t *at = row + 1; at < end; at += 2)
      scores[at[0]] = static_cast<Score>(scores[at[0]] + static_cast<int8_t>(at[1]));
  }

  // Add what stands in the lines themselves; how many long rows are put into `longs`, which has room for `count`.
  template <class Score>
  int add_lines(const uint64_t *hashes, int count, Score *scores, Later<Score> *longs) const {
    struct Hit {
      const Line *line;
      uint32_t found;
    } hits[MOST_CLASSES];
    int some = 0, met = 0;
    for (int i = 0; i < count; ++i) {
      const Line &line = lines_[line_of(hashes[i])];
      hits[some] = {&line, matches(line, static_cast<uint16_t>(hashes[i]))};
      some += hits[some].found != 0;
      if (line.number == CROWDED) table_.score(&hashes[i], 1, scores);
    }
    for (int i = 0; i < some; ++i) {
      const Line &line = *hits[i].line;
      bool is_long = false;
      int64_t unit = 0;
      for (uint32_t found = hits[i].found; found != 0; found &= found - 1) {
        const int at = lowest_one(found), amount = line.amounts[at], place = line.places[at];
        const bool own = amount == 0 && place != 0;
        unit = own ? line.number + int64_t{place} - 1 : unit;
        is_long |= own;
        Score &score = scores[amount != 0 ? place : 0];
        score = static_cast<Score>(score + amount);
      }
      longs[met] = {scores, unit};
      if (is_long) prefetch(&longs_[unit]);
      met += is_long;
    }
    return met;
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
      const auto put = [&](size_t place, uint8_t amount) {
        filled.checks[used] = static_cast<uint16_t>(check);
        filled.places[used] = static_cast<uint8_t>(place);
        filled.amounts[used++] = static_cast<int8_t>(amount);
      };
      if (at[2] > LONG) {
        const size_t unit = longs_.size();
        put(unit - longs + 1, 0);
        longs_.resize(unit + (1 + 2 * at[2] + 15) / 16);
        std::copy(at + 2, at + 3 + 2 * at[2], longs_[unit].bytes);
        continue;
      }
      for (int k = 0; k < at[2]; ++k)
        if (at[4 + 2 * k] != 0) put(at[3 + 2 * k], at[4 + 2 * k]);
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
    const __m128i *at = reinterpret_cast<const __m128i *>(line.checks);  // the second register ends among the places
    const __m128i wanted = _mm_set1_epi16(static_cast<int16_t>(check));
    const __m128i first = _mm_cmpeq_epi16(_mm_load_si128(at), wanted);
    const __m128i second = _mm_cmpeq_epi16(_mm_load_si128(at + 1), wanted);
    return static_cast<uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(first, second))) & ((1u << SLOTS) - 1);
#else
    uint32_t found = 0;
    for (int k = 0; k < SLOTS; ++k) found |= static_cast<uint32_t>(line.checks[k] == check) << k;
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
