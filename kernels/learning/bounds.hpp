// Bounds of what one feature can add to a margin (Eqs. 8 and 9 of the slicing paper).
//
// A support vector that has the feature shares between none and all of the `before` features that precede it
// in x, so its kernel grows by at least 2^d - 1 and at most (before + 2)^d - (before + 1)^d. Two sums a
// feature, of the positive and of the negative coefficients, turn this into a range. O(1) a feature.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace kakari {

template <int degree>
class PartialBounds {
 public:
  void add(const int32_t *ranks, int length, double coefficient) {
    if (length && ranks[length - 1] >= static_cast<int64_t>(positive_.size())) {
      positive_.resize(ranks[length - 1] + 1, 0);
      negative_.resize(ranks[length - 1] + 1, 0);
    }
    std::vector<double> &sums = coefficient > 0 ? positive_ : negative_;
    for (int i = 0; i < length; ++i) sums[ranks[i]] += coefficient;
  }

  double lowest(int32_t rank, int before) const {
    return rank < size() ? least() * positive_[rank] + most(before) * negative_[rank] : 0;
  }

  double highest(int32_t rank, int before) const {
    return rank < size() ? most(before) * positive_[rank] + least() * negative_[rank] : 0;
  }

  int64_t bytes() const { return (positive_.capacity() + negative_.capacity()) * sizeof(double); }

 private:
  int32_t size() const { return static_cast<int32_t>(positive_.size()); }

  static double power(double base) {
    double product = 1;
    for (int i = 0; i < degree; ++i) product *= base;
    return product;
  }

  static double least() { return power(2) - 1; }
  static double most(int before) { return power(before + 2) - power(before + 1); }

  std::vector<double> positive_, negative_;  // by rank
};

}  // namespace kakari
