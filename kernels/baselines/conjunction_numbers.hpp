// Numbers of conjunctions: every set of up to three features that occurs in an example gets the next free number.
//
// A conjunction is packed into one 64-bit key, 21 bits a feature (increasing, one added, so that a missing feature is 0),
// and looked up in one open-addressing table: a slot is a key and a number, at most half of the slots are taken.
// Expanding an example of n features costs one look-up for each of its 1 + n + n(n-1)/2 + n(n-1)(n-2)/6 conjunctions.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/hardware/mixing.hpp"

namespace kakari {

constexpr int64_t LARGEST_FEATURE = (int64_t{1} << 21) - 2;

class ConjunctionNumbers {
 public:
  ConjunctionNumbers() : slots_(1 << 10) {}

  int64_t size() const { return count_; }
  int64_t bytes() const { return static_cast<int64_t>(slots_.size() * sizeof(Slot)); }

  // Call `visit` with the number of each conjunction of up to `degree` features; unknown ones are added (`learn`) or left out.
  template <class Visit>
  void expand(const int32_t *ids, int length, int degree, bool learn, Visit visit) {
    emit(1, learn, visit);  // the empty conjunction; no packed key is 1: the first feature has the highest bits
    for (int i = 0; i < length; ++i) {
      const uint64_t one = packed(ids[i]) << 42;
      emit(one, learn, visit);
      if (degree < 2) continue;
      for (int j = 0; j < i; ++j) {
        const uint64_t two = one | packed(ids[j]) << 21;
        emit(two, learn, visit);
        if (degree < 3) continue;
        for (int k = 0; k < j; ++k) emit(two | packed(ids[k]), learn, visit);
      }
    }
  }

 private:
  struct Slot {
    uint64_t key = 0;
    int32_t number = -1;
  };

  static uint64_t packed(int32_t id) { return static_cast<uint64_t>(id) + 1; }

  template <class Visit>
  void emit(uint64_t key, bool learn, Visit &visit) {
    const uint64_t mask = slots_.size() - 1;
    uint64_t at = splitmix64(key) & mask;
    while (slots_[at].key != key) {
      if (slots_[at].key == 0) {
        if (!learn) return;
        if (2 * (count_ + 1) > static_cast<int64_t>(slots_.size())) {
          grow();
          return emit(key, learn, visit);
        }
        slots_[at] = {key, static_cast<int32_t>(count_++)};
        break;
      }
      at = (at + 1) & mask;
    }
    visit(slots_[at].number);
  }

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    const uint64_t mask = slots_.size() - 1;
    for (const Slot &slot : old) {
      if (slot.key == 0) continue;
      uint64_t at = splitmix64(slot.key) & mask;
      while (slots_[at].key != 0) at = (at + 1) & mask;
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;
  int64_t count_ = 0;
};

}  // namespace kakari
