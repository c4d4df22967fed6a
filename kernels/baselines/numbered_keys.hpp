// Keys that get the next free number when they are first met: an open-addressing table of keys and numbers.
//
// A key is 64 bits and not 0, which marks a free slot; at most half of the slots are taken, so that a look-up reads two
// slots on average. 16 bytes a slot.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/hardware/mixing.hpp"

namespace kakari {

class NumberedKeys {
 public:
  NumberedKeys() : slots_(1 << 10) {}

  int64_t size() const { return count_; }
  int64_t bytes() const { return static_cast<int64_t>(slots_.size() * sizeof(Slot)); }

  // The key's number, or -1.
  int32_t find(uint64_t key) const { return slots_[place(key)].number; }

  // The key's number; a new key gets the next one.
  int32_t add(uint64_t key) {
    uint64_t at = place(key);
    if (slots_[at].key == 0) {
      if (2 * (count_ + 1) > static_cast<int64_t>(slots_.size())) {
        grow();
        at = place(key);
      }
      slots_[at] = {key, static_cast<int32_t>(count_++)};
    }
    return slots_[at].number;
  }

 private:
  struct Slot {
    uint64_t key = 0;
    int32_t number = -1;
  };

  // The slot of the key, or the free one where it would stand.
  uint64_t place(uint64_t key) const {
    const uint64_t mask = slots_.size() - 1;
    uint64_t at = splitmix64(key) & mask;
    while (slots_[at].key != key && slots_[at].key != 0) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot &slot : old) {
      if (slot.key != 0) slots_[place(slot.key)] = slot;
    }
  }

  std::vector<Slot> slots_;
  int64_t count_ = 0;
};

}  // namespace kakari
