// Frozen weights laid out for decoders: a feature's row is found by one cache line and no loop over records.
//
// A line holds the 16-bit checks of up to eight rows side by side, which are compared at once, and behind them their
// weights. With two labels a row is its two weights, and sums are formed without a branch (32 bytes a line). With more
// of them a row is up to two pairs of label and weight (64 bytes a line); longer rows stand elsewhere, and the longest,
// which belong to the most frequent features, have a weight for every label, of which only those are read that a token
// may have. A bucket of `RowTable` becomes a few lines, so that most lines are half empty; a line with too many rows is marked,
// and the table itself answers. All sums are those of `RowTable`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>
#if defined(__SSE2__) && !defined(KAKARI_PORTABLE)
#include <emmintrin.h>
#define KAKARI_LINES_SSE2
#endif

#include "kernels/hardware/bits.hpp"
#include "kernels/hardware/huge_pages.hpp"
#include "kernels/hashed/rows.hpp"

namespace kakari {

// A feature that is left out; no hash of a feature is looked up under this value.
constexpr uint64_t NO_FEATURE = ~uint64_t{0};

// The labels whose scores are asked for; all where `count` is negative. Other scores may miss some weights.
struct Wanted {
  const uint8_t *labels = nullptr;
  int32_t count = -1;
};

// No sum leaves 16 bits: a token has at most 250 features, and their weights are bytes.
inline void add(int16_t &sum, int8_t amount) { sum = static_cast<int16_t>(sum + amount); }

// Adds what the table itself says of a feature.
inline void add_exactly(const RowTable &table, uint64_t hash, int16_t *scores) {
  int32_t found[MOST_CLASSES] = {};
  table.score(&hash, 1, found);
  for (int label = 0; label < MOST_CLASSES; ++label) scores[label] = static_cast<int16_t>(scores[label] + found[label]);
}

// What both layouts share: which line a hash belongs to.
class LineIndex {
 public:
  // About three rows a line.
  LineIndex(int64_t buckets, int64_t rows) {
    while (int64_t{1} << (64 - shift_) < buckets) --shift_;
    while (extra_ < 16 && 3 * (buckets << extra_) < rows) ++extra_;
  }

  int64_t lines() const { return int64_t{1} << (64 - shift_ + extra_); }
  uint64_t line(uint64_t hash) const {
    const uint64_t bucket = shift_ == 64 ? 0 : hash >> shift_;
    return bucket << extra_ | (hash & ((uint64_t{1} << extra_) - 1));
  }
  uint64_t line(uint64_t bucket, uint16_t check) const {
    return bucket << extra_ | (check & ((uint64_t{1} << extra_) - 1));
  }

 private:
  int shift_ = 64, extra_ = 0;
};

// Calls visit(bucket, check, weights, count) for each row of frozen weights; a weight is two bytes, label and amount.
template <class Visit>
void each_row(const uint32_t *buckets, int64_t count, const uint8_t *records, Visit visit) {
  for (int64_t bucket = 0; bucket < count; ++bucket)
    for (uint32_t at = buckets[bucket]; at < buckets[bucket + 1]; at += 3 + 2 * records[at + 2])
      visit(static_cast<uint64_t>(bucket), static_cast<uint16_t>(records[at] | records[at + 1] << 8), records + at + 3,
            static_cast<int>(records[at + 2]));
}

inline int64_t count_rows(const uint32_t *buckets, int64_t count, const uint8_t *records) {
  int64_t rows = 0;
  each_row(buckets, count, records, [&](uint64_t, uint16_t, const uint8_t *, int) { ++rows; });
  return rows;
}

// Two labels.
class PairLines {
 public:
  PairLines(const uint32_t *buckets, int64_t count, const uint8_t *records, int32_t)
      : table_(buckets, count, records), index_(count, count_rows(buckets, count, records)), lines_(index_.lines()) {
    std::vector<uint8_t> used(lines_.size(), 0);
    each_row(buckets, count, records, [&](uint64_t bucket, uint16_t check, const uint8_t *weights, int size) {
      const uint64_t at = index_.line(bucket, check);
      Line &line = lines_[at];
      if (std::find(line.checks, line.checks + used[at], check) != line.checks + used[at]) return;
      int sums[2] = {0, 0};
      for (int k = 0; k < size; ++k)
        if (weights[2 * k] < 2) sums[weights[2 * k]] += static_cast<int8_t>(weights[2 * k + 1]);
      const bool fits = std::abs(sums[0]) <= 127 && std::abs(sums[1]) <= 127;
      if (used[at] == ROWS || !fits) {
        line.weights[ROWS][0] = 1;
        return;
      }
      line.checks[used[at]] = check;
      line.weights[used[at]][0] = static_cast<int8_t>(sums[0]);
      line.weights[used[at]][1] = static_cast<int8_t>(sums[1]);
      ++used[at];
    });
  }

  void ask(uint64_t hash) const { prefetch(&lines_[index_.line(hash)]); }

  // Adds the weights of hashes that lie `stride` apart.
  void score(const uint64_t *hashes, int stride, int count, const Wanted &, int16_t *scores) const {
#ifdef KAKARI_LINES_SSE2
    __m128i first = _mm_setzero_si128(), second = _mm_setzero_si128();
    for (int i = 0; i < count; ++i) {
      const uint64_t hash = hashes[static_cast<int64_t>(i) * stride];
      if (hash == NO_FEATURE) continue;
      const Line &line = lines_[index_.line(hash)];
      if (line.weights[ROWS][0] != 0) {
        add_exactly(table_, hash, scores);
        continue;
      }
      const __m128i checks = _mm_load_si128(reinterpret_cast<const __m128i *>(line.checks));
      const __m128i weights = _mm_load_si128(reinterpret_cast<const __m128i *>(line.weights));
      const __m128i same = _mm_cmpeq_epi16(checks, _mm_set1_epi16(static_cast<int16_t>(hash)));
      const __m128i own = _mm_and_si128(weights, same);
      first = _mm_add_epi16(first, _mm_srai_epi16(_mm_slli_epi16(own, 8), 8));
      second = _mm_add_epi16(second, _mm_srai_epi16(own, 8));
    }
    scores[0] = static_cast<int16_t>(scores[0] + sum(first));
    scores[1] = static_cast<int16_t>(scores[1] + sum(second));
#else
    for (int i = 0; i < count; ++i) {
      const uint64_t hash = hashes[static_cast<int64_t>(i) * stride];
      if (hash == NO_FEATURE) continue;
      const Line &line = lines_[index_.line(hash)];
      if (line.weights[ROWS][0] != 0) {
        add_exactly(table_, hash, scores);
        continue;
      }
      for (int k = 0; k < ROWS; ++k)
        if (line.checks[k] == static_cast<uint16_t>(hash)) {
          add(scores[0], line.weights[k][0]);
          add(scores[1], line.weights[k][1]);
        }
    }
#endif
  }

 private:
  static constexpr int ROWS = 7;  // the eighth's weight marks a line with too many
  struct alignas(32) Line {
    uint16_t checks[ROWS + 1] = {};
    int8_t weights[ROWS + 1][2] = {};
  };

#ifdef KAKARI_LINES_SSE2
  static int32_t sum(__m128i lanes) {
    alignas(16) int16_t values[8];
    _mm_store_si128(reinterpret_cast<__m128i *>(values), lanes);
    int32_t total = 0;
    for (int16_t value : values) total += value;
    return total;
  }
#endif

  RowTable table_;
  LineIndex index_;
  std::vector<Line, HugePages<Line>> lines_;
};

// Any number of labels.
class SparseLines {
 public:
  SparseLines(const uint32_t *buckets, int64_t count, const uint8_t *records, int32_t labels)
      : table_(buckets, count, records),
        index_(count, count_rows(buckets, count, records)),
        lines_(index_.lines()),
        records_(records),
        width_(labels <= FEW ? FEW : labels) {
    each_row(buckets, count, records, [&](uint64_t bucket, uint16_t check, const uint8_t *weights, int size) {
      Line &line = lines_[index_.line(bucket, check)];
      if (std::find(line.checks, line.checks + line.used, check) != line.checks + line.used) return;
      if (line.used == ROWS || weights - records >= DENSE || names_twice(weights, size)) {
        line.full = 1;
        return;
      }
      line.checks[line.used] = check;
      uint32_t &row = line.rows[line.used];
      if (size > 2) {
        line.longer = static_cast<uint8_t>(line.longer | 1 << line.used);
        row = size < (width_ == FEW ? 3 : LONG) ? static_cast<uint32_t>(weights - records)
                                                : DENSE | dense_row(weights, size);
      } else {
        for (int k = 0; k < 2 * size; ++k) row |= static_cast<uint32_t>(weights[k]) << (8 * k);
      }
      ++line.used;
    });
  }

  void ask(uint64_t hash) const { prefetch(&lines_[index_.line(hash)]); }

  // Adds the weights of hashes that lie `stride` apart.
  void score(const uint64_t *hashes, int stride, int count, const Wanted &wanted, int16_t *scores) const {
    uint32_t found[MOST_CLASSES], longer[MOST_CLASSES];
    int hits = 0, long_hits = 0;
    for (int i = 0; i < count; ++i) {
      const uint64_t hash = hashes[static_cast<int64_t>(i) * stride];
      if (hash == NO_FEATURE) continue;
      const Line &line = lines_[index_.line(hash)];
      const uint32_t place = place_of(line, static_cast<uint16_t>(hash));
      if (line.full != 0) {
        add_exactly(table_, hash, scores);
      } else if (place < line.used && (line.longer >> place & 1)) {
        const uint32_t row = longer[long_hits++] = line.rows[place];
        prefetch((row & DENSE) == 0 ? static_cast<const void *>(records_ + row)
                                    : dense_of(row) + (wanted.count > 0 ? wanted.labels[0] : 0));
      } else {
        found[hits] = line.rows[place % ROWS];
        hits += place < line.used;
      }
    }
    for (int i = 0; i < hits; ++i) {
      add(scores[found[i] & 0xFF], static_cast<int8_t>(found[i] >> 8 & 0xFF));
      add(scores[found[i] >> 16 & 0xFF], static_cast<int8_t>(found[i] >> 24));
    }
    for (int i = 0; i < long_hits; ++i) add_longer(longer[i], wanted, scores);
  }

 private:
  static constexpr uint32_t ROWS = 8;
  struct alignas(64) Line {
    uint16_t checks[ROWS] = {};
    uint32_t rows[ROWS] = {};  // two labels with their weights, a byte each, or where a longer row stands
    uint8_t used = 0, full = 0, longer = 0;
  };
  static constexpr int LONG = 6;  // weights of a row that has one for every label; with few labels 3 are enough
  static constexpr int FEW = 32;
  static constexpr uint32_t DENSE = uint32_t{1} << 31;

  const int8_t *dense_of(uint32_t row) const { return dense_.data() + static_cast<size_t>(row & ~DENSE) * width_; }

  // Whether a row has two weights for a label, as no learner writes them.
  static bool names_twice(const uint8_t *weights, int size) {
    bool named[MOST_CLASSES] = {};
    for (int k = 0; k < size; ++k)
      if (std::exchange(named[weights[2 * k]], true)) return true;
    return false;
  }

  uint32_t dense_row(const uint8_t *weights, int size) {
    const size_t start = dense_.size();
    dense_.resize(start + width_, 0);
    for (int k = 0; k < size; ++k)
      if (weights[2 * k] < width_) dense_[start + weights[2 * k]] = static_cast<int8_t>(weights[2 * k + 1]);
    return static_cast<uint32_t>(start / width_);
  }

  void add_longer(uint32_t row, const Wanted &wanted, int16_t *scores) const {
    if ((row & DENSE) != 0) {
      const int8_t *dense = dense_of(row);
      if (wanted.count >= 0)
        for (int32_t i = 0; i < wanted.count; ++i) add(scores[wanted.labels[i]], dense[wanted.labels[i]]);
      else if (width_ == FEW)
        for (int32_t label = 0; label < FEW; ++label) add(scores[label], dense[label]);
      else
        for (int32_t label = 0; label < width_; ++label) add(scores[label], dense[label]);
      return;
    }
    const uint8_t *weights = records_ + row;
    const int size = weights[-1];  // a record tells it before its weights
    for (int k = 0; k < size; ++k) add(scores[weights[2 * k]], static_cast<int8_t>(weights[2 * k + 1]));
  }

  // The first row with this check, ROWS or an unused one if there is none.
  static uint32_t place_of(const Line &line, uint16_t check) {
#ifdef KAKARI_LINES_SSE2
    const __m128i checks = _mm_load_si128(reinterpret_cast<const __m128i *>(line.checks));
    const __m128i same = _mm_cmpeq_epi16(checks, _mm_set1_epi16(static_cast<int16_t>(check)));
    const uint32_t bits = static_cast<uint32_t>(_mm_movemask_epi8(same)) | 1u << (2 * ROWS);
    return static_cast<uint32_t>(lowest_one(bits)) / 2;
#else
    return static_cast<uint32_t>(std::find(line.checks, line.checks + ROWS, check) - line.checks);
#endif
  }

  RowTable table_;
  LineIndex index_;
  std::vector<Line, HugePages<Line>> lines_;
  std::vector<int8_t> dense_;
  const uint8_t *records_;
  int32_t width_;  // of a row with a weight for every label
};

}  // namespace kakari
