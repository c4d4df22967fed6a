// Numbers of conjunctions: every set of up to three features that occurs in an example gets the next free number.
//
// A conjunction is packed into one 64-bit key, 21 bits a feature (increasing, one added, so that a missing feature is 0),
// and looked up in one table. Expanding an example of n features costs one look-up for each of its 1 + n + n(n-1)/2 + n(n-1)(n-2)/6 conjunctions.
#pragma once

#include <cstdint>

#include "kernels/baselines/numbered_keys.hpp"

namespace kakari {

constexpr int64_t LARGEST_FEATURE = (int64_t{1} << 21) - 2;

class ConjunctionNumbers {
 public:
  int64_t size() const { return keys_.size(); }
  int64_t bytes() const { return keys_.bytes(); }

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
  static uint64_t packed(int32_t id) { return static_cast<uint64_t>(id) + 1; }

  template <class Visit>
  void emit(uint64_t key, bool learn, Visit &visit) {
    const int32_t number = learn ? keys_.add(key) : keys_.find(key);
    if (number >= 0) visit(number);
  }

  NumberedKeys keys_;
};

}  // namespace kakari
