// Numbers for 64-bit keys, exactly: 0, 1, 2 … in the order in which they came. Open addressing, linear probing.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernels/hardware/bits.hpp"
#include "kernels/hardware/huge_pages.hpp"
#include "kernels/hardware/secrets.hpp"

namespace kakari {

class Numbering {
 public:
  Numbering() { places_.assign(1 << 8, Place{}); }

  int32_t size() const { return size_; }

  void ask(uint64_t key) const { prefetch(&places_[hash_(key) & (places_.size() - 1)]); }

  // The number of a key, -1 if it is unknown.
  int32_t find(uint64_t key) const { return places_[place_of(key)].number; }

  // All keys in the order of their numbers.
  std::vector<uint64_t> keys() const {
    std::vector<uint64_t> found(size_);
    for (const Place &one : places_)
      if (one.number >= 0) found[one.number] = one.key;
    return found;
  }

  // The number of a key, which is added if it is new.
  int32_t add(uint64_t key) {
    size_t at = place_of(key);
    if (places_[at].number >= 0) return places_[at].number;
    if (size_ == INT32_MAX) throw std::length_error("there are more than 2^31 keys");
    if (2 * (static_cast<size_t>(size_) + 1) > places_.size()) {
      grow();
      at = place_of(key);
    }
    places_[at] = {key, size_};
    return size_++;
  }

 private:
  struct Place {
    uint64_t key = 0;
    int32_t number = -1;
  };

  size_t place_of(uint64_t key) const {
    const size_t mask = places_.size() - 1;
    size_t at = hash_(key) & mask;
    while (places_[at].number >= 0 && places_[at].key != key) at = (at + 1) & mask;
    return at;
  }

  void grow() {
    std::vector<Place, HugePages<Place>> old(2 * places_.size());
    old.swap(places_);
    for (const Place &one : old)
      if (one.number >= 0) places_[place_of(one.key)] = one;
  }

  SecretHash hash_;
  std::vector<Place, HugePages<Place>> places_;  // a power of two, at most half full
  int32_t size_ = 0;
};

}  // namespace kakari
