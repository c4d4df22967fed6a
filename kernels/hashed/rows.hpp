// Linear weights of hashed conjunctions for many classes: a row for each conjunction, which holds only the classes
// that it has a weight for.
//
// A conjunction is a 64-bit hash that its user makes. While learning, an open-addressing table gives the row of a
// hash; rows lie in one array and move to its end, with twice the room, when they are full. Weights are integers (the
// updates of a structured perceptron are), so that sums do not depend on their order. `moment` is the sum of updates
// times the example at which they were made, from which the average over all examples follows without a look at
// rows that did not change.
//
// Frozen, the averaged weights are bytes. The high bits of a hash choose a bucket; a bucket is a run of records
// [16 bits of the hash, how many, (class, weight) ...], about six of them, so that a lookup reads two cache lines. A
// hash that is not stored is taken for a stored one with a probability of about 1e-4.
//
// Scoring n conjunctions prefetches all rows, then adds them up: the memory's latency is paid once.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "kernels/hardware/bits.hpp"
#include "kernels/hardware/huge_pages.hpp"
#include "kernels/hardware/mixing.hpp"

namespace kakari {

constexpr int MOST_CLASSES = 256;

// A missing part: conjunctions with it are left out.
constexpr uint64_t ABSENT = ~uint64_t{0};

// Collects the hashes of conjunctions: the number of a template, then its parts.
class Conjunctions {
 public:
  explicit Conjunctions(uint64_t *out) : out_(out) {}

  template <class... Parts>
  void operator()(uint64_t name, Parts... parts) {
    if (((static_cast<uint64_t>(parts) == ABSENT) || ...)) return;
    uint64_t hash = join(0x51ED270B27B4F3CFu, name);
    ((hash = join(hash, parts)), ...);
    out_[count++] = mix(hash);
  }

  int count = 0;

 private:
  uint64_t *out_;
};

class RowLearner {
 public:
  RowLearner() { slots_.assign(1 << 16, Slot{}); }

  using Sum = int32_t;  // of a class in a row

  void ask(uint64_t hash) const { prefetch(&slots_[hash & (slots_.size() - 1)]); }

  void score(const uint64_t *hashes, int count, int32_t *scores) const {
    for (int i = 0; i < count; ++i) ask(hashes[i]);
    add(hashes, count, scores);
  }

  struct Waiting {};  // see RowLines
  void add(const uint64_t *hashes, int count, int32_t *scores, Waiting &) const { add(hashes, count, scores); }
  void finish(Waiting &) const {}

  // The same, of conjunctions whose slots were asked for.
  void add(const uint64_t *hashes, int count, int32_t *scores) const {
    const Slot *found[MOST_CLASSES];
    int hits = 0;
    for (int i = 0; i < count; ++i) {
      const Slot &slot = slots_[place_of(hashes[i])];
      if (slot.count == 0) continue;
      prefetch(&weights_[slot.start]);
      found[hits++] = &slot;
    }
    for (int i = 0; i < hits; ++i) {
      const Weight *row = &weights_[found[i]->start];
      for (int k = 0; k < found[i]->count; ++k) scores[row[k].place] += row[k].amount;
    }
  }

  void update(const uint64_t *hashes, int count, int32_t place, int32_t amount, int64_t now) {
    for (int i = 0; i < count; ++i) add(hashes[i], place, amount, amount * now);
  }

  void add(uint64_t hash, int32_t place, int32_t amount, int64_t moment) {
    classes_ = std::max<size_t>(classes_, static_cast<size_t>(place) + 1);
    uint64_t at = place_of(hash);
    if (slots_[at].count == 0) {
      if (10 * (used_ + 1) > 6 * slots_.size()) {
        grow();
        at = place_of(hash);
      }
      slots_[at] = Slot{hash, new_row(1), 0, 1};
      ++used_;
    }
    Slot &slot = slots_[at];
    for (int k = 0; k < slot.count; ++k)
      if (weights_[slot.start + k].place == place) {
        weights_[slot.start + k].amount += amount;
        moments_[slot.start + k] += moment;
        return;
      }
    if (slot.count == slot.capacity) move_row(slot);
    weights_[slot.start + slot.count] = Weight{place, amount};
    moments_[slot.start + slot.count] = moment;
    ++slot.count;
  }

  // Add the weights of another learner.
  void absorb(const RowLearner &other) {
    for (const Slot &slot : other.slots_)
      for (int k = 0; k < slot.count; ++k) {
        const Weight &weight = other.weights_[slot.start + k];
        add(slot.hash, weight.place, weight.amount, other.moments_[slot.start + k]);
      }
  }

  int64_t rows() const { return static_cast<int64_t>(used_); }

  // No class is as large as this.
  size_t classes() const { return classes_; }

  // All weights in the order of their hashes and classes.
  void list(std::vector<uint64_t> &hashes, std::vector<int32_t> &places, std::vector<int32_t> &amounts,
            std::vector<int64_t> &moments) const {
    for (const Slot *slot : sorted())
      for (uint32_t at : sorted_row(*slot)) {
        hashes.push_back(slot->hash);
        places.push_back(weights_[at].place);
        amounts.push_back(weights_[at].amount);
        moments.push_back(moments_[at]);
      }
  }

  double average(size_t at, int64_t examples) const {
    return weights_[at].amount - static_cast<double>(moments_[at]) / (examples + 1.0);
  }

  // How large the averaged weights are, in no particular order.
  void magnitudes(int64_t examples, std::vector<float> &out) const {
    for (const Slot &slot : slots_)
      for (int k = 0; k < slot.count; ++k)
        out.push_back(static_cast<float>(std::fabs(average(slot.start + k, examples))));
  }

  // The averaged weights that are not smaller than `smallest`, in the order of their hashes and classes.
  void averages(int64_t examples, double smallest, std::vector<uint64_t> &hashes, std::vector<uint8_t> &places,
                std::vector<double> &values) const {
    for (const Slot *slot : sorted())
      for (uint32_t at : sorted_row(*slot)) {
        const double value = average(at, examples);
        if (std::fabs(value) < smallest) continue;
        hashes.push_back(slot->hash);
        places.push_back(static_cast<uint8_t>(weights_[at].place));
        values.push_back(value);
      }
  }

 private:
  struct Slot {
    uint64_t hash = 0;
    uint32_t start = 0;
    uint16_t count = 0, capacity = 0;
  };
  struct Weight {
    int32_t place, amount;
  };

  uint64_t place_of(uint64_t hash) const {
    const uint64_t mask = slots_.size() - 1;
    uint64_t at = hash & mask;
    while (slots_[at].count != 0 && slots_[at].hash != hash) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    std::vector<Slot, HugePages<Slot>> old;
    old.swap(slots_);
    slots_.assign(2 * old.size(), Slot{});
    for (const Slot &slot : old)
      if (slot.count != 0) slots_[place_of(slot.hash)] = slot;
  }

  uint32_t new_row(int capacity) {
    const size_t start = weights_.size();
    if (start + capacity > UINT32_MAX) throw std::length_error("there are more than 2**32 weights");
    weights_.resize(start + capacity);
    moments_.resize(start + capacity);
    return static_cast<uint32_t>(start);
  }

  void move_row(Slot &slot) {
    const uint16_t capacity = static_cast<uint16_t>(std::min(2 * slot.capacity, MOST_CLASSES));
    const uint32_t start = new_row(capacity);
    std::copy_n(weights_.begin() + slot.start, slot.count, weights_.begin() + start);
    std::copy_n(moments_.begin() + slot.start, slot.count, moments_.begin() + start);
    slot.start = start;
    slot.capacity = capacity;
  }

  std::vector<const Slot *> sorted() const {
    std::vector<const Slot *> order;
    for (const Slot &slot : slots_)
      if (slot.count != 0) order.push_back(&slot);
    std::sort(order.begin(), order.end(), [](const Slot *a, const Slot *b) { return a->hash < b->hash; });
    return order;
  }

  std::vector<uint32_t> sorted_row(const Slot &slot) const {
    std::vector<uint32_t> order(slot.count);
    for (int k = 0; k < slot.count; ++k) order[k] = slot.start + k;
    std::sort(order.begin(), order.end(),
              [&](uint32_t a, uint32_t b) { return weights_[a].place < weights_[b].place; });
    return order;
  }

  std::vector<Slot, HugePages<Slot>> slots_;  // a power of two
  std::vector<Weight, HugePages<Weight>> weights_;
  std::vector<int64_t, HugePages<int64_t>> moments_;
  size_t used_ = 0, classes_ = 0;
};

// Lay weights out as buckets of records. They come in the order of their hashes; none is 0.
inline void lay_out(const uint64_t *hashes, const uint8_t *places, const int8_t *amounts, size_t count,
                    std::vector<uint32_t> &buckets, std::vector<uint8_t> &records) {
  size_t distinct = 0;
  for (size_t i = 0; i < count; ++i) distinct += i == 0 || hashes[i] != hashes[i - 1];
  int bits = 0;
  while ((size_t{6} << bits) < distinct) ++bits;
  buckets.assign((size_t{1} << bits) + 1, 0);
  records.clear();
  for (size_t i = 0; i < count;) {
    size_t end = i;
    while (end < count && hashes[end] == hashes[i]) ++end;
    // A record counts its weights in a byte.
    if (end - i > 255) throw std::length_error("a conjunction has more than 255 classes");
    records.push_back(static_cast<uint8_t>(hashes[i]));
    records.push_back(static_cast<uint8_t>(hashes[i] >> 8));
    records.push_back(static_cast<uint8_t>(end - i));
    const size_t bucket = bits == 0 ? 0 : hashes[i] >> (64 - bits);
    for (; i < end; ++i) {
      records.push_back(places[i]);
      records.push_back(static_cast<uint8_t>(amounts[i]));
    }
    if (records.size() > UINT32_MAX) throw std::length_error("the frozen weights exceed 4 GB");
    buckets[bucket + 1] = static_cast<uint32_t>(records.size());
  }
  for (size_t i = 1; i < buckets.size(); ++i) buckets[i] = std::max(buckets[i], buckets[i - 1]);
}

// The frozen weights, borrowed.
class RowTable {
 public:
  RowTable() = default;
  RowTable(const uint32_t *buckets, int64_t count, const uint8_t *records)
      : buckets_(buckets), records_(records), shift_(64) {
    while (int64_t{1} << (64 - shift_) < count) --shift_;
  }

  template <class Score>
  void score(const uint64_t *hashes, int count, Score *scores) const {
    for (int i = 0; i < count; ++i) prefetch(buckets_ + bucket_of(hashes[i]));
    for (int i = 0; i < count; ++i) prefetch(records_ + buckets_[bucket_of(hashes[i])]);
    for (int i = 0; i < count; ++i) {
      const uint64_t bucket = bucket_of(hashes[i]);
      const uint8_t *at = records_ + buckets_[bucket];
      const uint8_t *end = records_ + buckets_[bucket + 1];
      const uint8_t low = static_cast<uint8_t>(hashes[i]), high = static_cast<uint8_t>(hashes[i] >> 8);
      for (; at < end; at += 3 + 2 * at[2]) {
        if (at[0] != low || at[1] != high) continue;
        const uint8_t *stop = at + 3 + 2 * at[2];
        for (at += 3; at < stop; at += 2)
          scores[at[0]] = static_cast<Score>(scores[at[0]] + static_cast<int8_t>(at[1]));
        break;
      }
    }
  }

 private:
  uint64_t bucket_of(uint64_t hash) const { return shift_ == 64 ? 0 : hash >> shift_; }

  const uint32_t *buckets_ = nullptr;
  const uint8_t *records_ = nullptr;
  int shift_ = 64;
};

}  // namespace kakari
