// Sequences of 32-bit numbers, numbered 0, 1, 2, … in the order of their first appearance.
//
// The sequences lie end to end in one array; an open-addressed table of (part of the hash, number) finds
// them. A hash only proposes: the sequence itself is always compared, so two different sequences never
// share a number. Finding or adding a sequence of n numbers costs O(n).
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <vector>

#include "kernels/hardware/secrets.hpp"

namespace kakari {

class SequenceTable {
 public:
  SequenceTable() : starts_(1, 0), slots_(16) {}

  int64_t size() const { return static_cast<int64_t>(starts_.size()) - 1; }
  const int32_t *begin(int64_t number) const { return numbers_.data() + starts_[number]; }
  int64_t length(int64_t number) const { return starts_[number + 1] - starts_[number]; }
  int64_t start(int64_t number) const { return starts_[number]; }
  const std::vector<int64_t> &starts() const { return starts_; }
  const std::vector<int32_t> &numbers() const { return numbers_; }

  // The sequence's number, or -1.
  int32_t find(const int32_t *sequence, int64_t length) const {
    return slots_[slot_of(sequence, length, hash(sequence, length))].number;
  }

  int32_t find_or_add(const int32_t *sequence, int64_t length) {
    const uint64_t mixed = hash(sequence, length);
    const uint64_t slot = slot_of(sequence, length, mixed);
    if (slots_[slot].number >= 0) return slots_[slot].number;
    if (size() >= INT32_MAX) throw std::length_error("a table holds at most 2**31 - 1 sequences");
    const int32_t number = static_cast<int32_t>(size());
    numbers_.insert(numbers_.end(), sequence, sequence + length);
    starts_.push_back(static_cast<int64_t>(numbers_.size()));
    slots_[slot] = {tag(mixed), number};
    if (2 * static_cast<uint64_t>(size()) > slots_.size()) grow();
    return number;
  }

  void clear() {
    if (size() == 0) return;
    numbers_.clear();
    starts_.resize(1);
    slots_.assign(slots_.size(), Slot());
  }

 private:
  struct Slot {
    uint32_t tag = 0;
    int32_t number = -1;
  };

  static uint32_t tag(uint64_t mixed) { return static_cast<uint32_t>(mixed >> 32); }

  uint64_t hash(const int32_t *sequence, int64_t length) const {
    uint64_t mixed = hash_.begin(static_cast<uint64_t>(length));
    for (int64_t i = 0; i < length; ++i) mixed = hash_.join(mixed, static_cast<uint32_t>(sequence[i]));
    return mixed;
  }

  uint64_t slot_of(const int32_t *sequence, int64_t length, uint64_t mixed) const {
    const uint64_t mask = slots_.size() - 1;
    uint64_t slot = mixed & mask;
    while (slots_[slot].number >= 0) {
      const int32_t number = slots_[slot].number;
      if (slots_[slot].tag == tag(mixed) && this->length(number) == length &&
          (length == 0 || std::memcmp(begin(number), sequence, length * sizeof(int32_t)) == 0))
        break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  void grow() {
    std::vector<Slot> larger(2 * slots_.size());
    const uint64_t mask = larger.size() - 1;
    for (int64_t number = 0; number < size(); ++number) {
      const uint64_t mixed = hash(begin(number), length(number));
      uint64_t slot = mixed & mask;
      while (larger[slot].number >= 0) slot = (slot + 1) & mask;
      larger[slot] = {tag(mixed), static_cast<int32_t>(number)};
    }
    slots_.swap(larger);
  }

  SecretHash hash_;
  std::vector<int32_t> numbers_;
  std::vector<int64_t> starts_;
  std::vector<Slot> slots_;
};

}  // namespace kakari
