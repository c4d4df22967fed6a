// Coefficients of a log of updates as one unit times -1, 0 or 1, so that sums over them are sums of small integers.
//
// Nearly all steps of PA-I are as large as C allows, and all of a perceptron's are one. The size of the first update is
// the unit; updates of another size have the sign 0 and are listed beside. Where these are many, the unit is chosen
// again, at most once for each doubling of the log; where they stay many, sums are better taken over the coefficients.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/replay/block_sums.hpp"

namespace kakari {

class RegularSteps {
 public:
  void clear() {
    signs_.clear();
    odd_.clear();
    size_ = 0;
  }

  int64_t bytes() const { return signs_.capacity() + odd_.capacity() * sizeof(int32_t); }
  bool mostly_regular() const { return static_cast<int64_t>(odd_.size()) * 16 <= size_; }
  double unit() const { return unit_; }
  const int8_t *signs() const { return signs_.data(); }  // whole blocks, zero after the last update

  // Append the last of these coefficients.
  void append(const std::vector<double> &coefficients) {
    const int64_t entry = size_++;
    const bool doubled = (size_ & (size_ - 1)) == 0;
    if (entry == 0 || (doubled && !mostly_regular()))
      measure_by(std::abs(coefficients[entry]), coefficients);
    else
      put(entry, coefficients[entry]);
  }

  // Call visit(entry) for the updates of another size from `from` on.
  template <class Visitor>
  void each_odd(int64_t from, Visitor visit) const {
    for (size_t i = odd_.size(); i-- > 0 && odd_[i] >= from;) visit(odd_[i]);
  }

 private:
  void put(int64_t entry, double coefficient) {
    if (entry == static_cast<int64_t>(signs_.size())) signs_.resize(signs_.size() + BLOCK, 0);
    if (std::abs(coefficient) == unit_)
      signs_[entry] = coefficient < 0 ? -1 : 1;
    else
      odd_.push_back(static_cast<int32_t>(entry));
  }

  void measure_by(double unit, const std::vector<double> &coefficients) {
    unit_ = unit;
    signs_.clear();
    odd_.clear();
    for (int64_t entry = 0; entry < size_; ++entry) put(entry, coefficients[entry]);
  }

  double unit_ = 0;
  int64_t size_ = 0;
  std::vector<int8_t> signs_;
  std::vector<int32_t> odd_;
};

}  // namespace kakari
