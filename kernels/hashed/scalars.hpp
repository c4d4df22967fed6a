// One linear weight for each hashed conjunction: scores of parts of a structure, not of classes.
//
// While learning, an open-addressing table of slots (hash, weight) is probed linearly. Weights are integers in units of
// 2^-20, so that sums do not depend on their order and the same data give the same model everywhere. `moments` lies
// beside the slots and is touched by updates only: the sum of updates times the example at which they were made, from
// which the average over all examples follows.
//
// Frozen, the averaged weights are bytes in lines of 64 bytes, one cache line a lookup: 21 checks of 16 bits, their
// weights, how many there are. A byte b stands for b |b| units: a few weights are a hundred times larger than most, and
// both matter. The high half of a hash chooses the line. A line that would hold more drops its smallest
// weights. A hash that is not stored is taken for a stored one with a probability of about 2e-4.
//
// More weights can be added to the frozen ones (a user's corrections): a learner with amounts in the table's units.
//
// Scoring prefetches all lines, then reads them: the memory's latency is paid once.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <utility>
#include <vector>
#if defined(__SSE2__) && !defined(KAKARI_PORTABLE)
#include <emmintrin.h>
#define KAKARI_SCALAR_LINES_SSE2
#endif

#include "kernels/hardware/bits.hpp"
#include "kernels/hardware/huge_pages.hpp"

namespace kakari {

constexpr int SCALAR_BITS = 20;  // fractional bits of a learner's weight

class ScalarLearner {
 public:
  ScalarLearner() : slots_(size_t{1} << 16), moments_(size_t{1} << 16), mask_(slots_.size() - 1) {}

  void ask(uint64_t hash) const { prefetch(&slots_[hash & mask_]); }
  int64_t amount(uint64_t hash) const { return slots_[place_of(hash)].amount; }  // 0 where the slot is free

  int64_t score(const uint64_t *hashes, int count) const {
    for (int i = 0; i < count; ++i) ask(hashes[i]);
    int64_t sum = 0;
    for (int i = 0; i < count; ++i) sum += amount(hashes[i]);
    return sum;
  }

  void add(uint64_t hash, int32_t amount, int64_t now) {
    if (hash == 0) return;  // a free slot has it; one conjunction in 2^64
    const uint64_t at = place_for(hash);
    slots_[at].amount += amount;
    moments_[at] += amount * now;
  }

  // Add the weights of another learner.
  void absorb(const ScalarLearner &other) {
    for (size_t i = 0; i < other.slots_.size(); ++i) {
      if (other.slots_[i].hash == 0) continue;
      const uint64_t at = place_for(other.slots_[i].hash);
      slots_[at].amount += other.slots_[i].amount;
      moments_[at] += other.moments_[i];
    }
  }

  int64_t size() const { return static_cast<int64_t>(used_); }

  // The averaged weights that are not 0, in the order of their hashes.
  void averages(int64_t examples, std::vector<uint64_t> &hashes, std::vector<float> &values) const {
    std::vector<std::pair<uint64_t, float>> found;
    for (size_t at = 0; at < slots_.size(); ++at) {
      if (slots_[at].hash == 0) continue;
      const double average = slots_[at].amount - static_cast<double>(moments_[at]) / (examples + 1.0);
      if (average != 0) found.push_back({slots_[at].hash, static_cast<float>(std::ldexp(average, -SCALAR_BITS))});
    }
    std::sort(found.begin(), found.end());
    for (const auto &[hash, value] : found) {
      hashes.push_back(hash);
      values.push_back(value);
    }
  }

 private:
  struct Slot {
    uint64_t hash = 0;
    int32_t amount = 0;
  };

  uint64_t place_of(uint64_t hash) const {
    uint64_t at = hash & mask_;
    while (slots_[at].hash != 0 && slots_[at].hash != hash) at = (at + 1) & mask_;
    return at;
  }

  // The place of a hash, or the free place where it belongs.
  uint64_t place_for(uint64_t hash) {
    uint64_t at = place_of(hash);
    if (slots_[at].hash != 0) return at;
    if (10 * (used_ + 1) > 6 * slots_.size()) {
      grow();
      at = place_of(hash);
    }
    slots_[at].hash = hash;
    ++used_;
    return at;
  }

  void grow() {
    std::vector<Slot, HugePages<Slot>> old(2 * slots_.size());
    std::vector<int64_t, HugePages<int64_t>> old_moments(2 * slots_.size());
    old.swap(slots_);
    old_moments.swap(moments_);
    mask_ = slots_.size() - 1;
    for (size_t i = 0; i < old.size(); ++i) {
      if (old[i].hash == 0) continue;
      const uint64_t at = place_of(old[i].hash);
      slots_[at] = old[i];
      moments_[at] = old_moments[i];
    }
  }

  std::vector<Slot, HugePages<Slot>> slots_;  // a power of two
  std::vector<int64_t, HugePages<int64_t>> moments_;
  uint64_t mask_;
  size_t used_ = 0;
};

struct alignas(64) ScalarLine {
  static constexpr int MOST = 21;
  uint16_t checks[MOST] = {};
  int8_t weights[MOST] = {};
  uint8_t count = 0;

  // The amount of the first entry with this check, 0 if there is none. All checks are compared at once.
  int32_t amount(uint16_t check) const {
    const uint32_t found = matches(check) & ((1u << count) - 1);
    // No branch: whether a conjunction is stored cannot be predicted.
    const int32_t weight = weights[lowest_one(found | 1u << (MOST - 1))] & -static_cast<int32_t>(found != 0);
    return weight * std::abs(weight);
  }

 private:
  // A bit for each place that has this check; places beyond `count` may be among them.
  uint32_t matches(uint16_t check) const {
#ifdef KAKARI_SCALAR_LINES_SSE2
    const __m128i *at = reinterpret_cast<const __m128i *>(this);  // the third register ends among the weights
    const __m128i wanted = _mm_set1_epi16(static_cast<int16_t>(check));
    const __m128i first = _mm_cmpeq_epi16(_mm_load_si128(at), wanted);
    const __m128i second = _mm_cmpeq_epi16(_mm_load_si128(at + 1), wanted);
    const __m128i third = _mm_cmpeq_epi16(_mm_load_si128(at + 2), wanted);
    return static_cast<uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(first, second))) |
           static_cast<uint32_t>(_mm_movemask_epi8(_mm_packs_epi16(third, third))) << 16;
#else
    uint32_t found = 0;
    for (int k = 0; k < MOST; ++k) found |= static_cast<uint32_t>(checks[k] == check) << k;
    return found;
#endif
  }
};
static_assert(sizeof(ScalarLine) == 64 && offsetof(ScalarLine, checks) == 0);

class ScalarTable {
 public:
  // The content in columns: how many weights each line has, then the check and the weight of each.
  void fill(const uint8_t *counts, int64_t lines, const uint16_t *checks, const int8_t *weights) {
    lines_.assign(static_cast<size_t>(std::max<int64_t>(lines, 1)), ScalarLine{});
    for (int64_t i = 0; i < lines; ++i) {
      if (counts[i] > ScalarLine::MOST) throw std::length_error("a line of weights has more than 21");
      lines_[i].count = counts[i];
      std::copy_n(checks, counts[i], lines_[i].checks);
      std::copy_n(weights, counts[i], lines_[i].weights);
      checks += counts[i];
      weights += counts[i];
    }
  }

  static uint64_t line_of(uint64_t hash, uint64_t lines) { return (hash >> 32) * lines >> 32; }

  // Add the amounts of a learner, which is borrowed, to all later scores.
  void add_beside(const ScalarLearner *beside) { beside_ = beside; }

  void ask(uint64_t hash) const { prefetch(&lines_[line_of(hash, lines_.size())]); }
  int64_t amount(uint64_t hash) const {
    const int32_t own = lines_[line_of(hash, lines_.size())].amount(static_cast<uint16_t>(hash));
    return beside_ == nullptr ? own : own + beside_->amount(hash);
  }

  int64_t score(const uint64_t *hashes, int count) const {
    for (int i = 0; i < count; ++i) ask(hashes[i]);
    int64_t sum = 0;
    for (int i = 0; i < count; ++i) sum += amount(hashes[i]);
    return sum;
  }

 private:
  std::vector<ScalarLine, HugePages<ScalarLine>> lines_{ScalarLine{}};
  const ScalarLearner *beside_ = nullptr;
};

}  // namespace kakari
