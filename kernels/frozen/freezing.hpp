// Fills the simplex arrays of a frozen model from its support vectors.
#pragma once
#include <vector>

#include "kernels/frozen/classifier.hpp"

namespace kakari {

// Adds each row's coefficient to all conjunctions of its common features; levels[k] is for k + 1 features.
// Rows are ascending in rank. The weight of a conjunction's size is left to the caller.
inline void add_rows_to_simplex(const int64_t *offsets, const int32_t *ranks, const double *coefficients, int64_t rows,
                                int64_t common, int degree, double *const *levels) {
  std::vector<int32_t> subsets[frozen_degrees];
  for (int64_t row = 0; row < rows; ++row) {
    for (auto &places : subsets) places.clear();
    for (int64_t i = offsets[row]; i < offsets[row + 1] && ranks[i] < common; ++i) {
      const int64_t rank = ranks[i];
      levels[0][rank] += coefficients[row];
      for (int size = degree - 1; size > 0; --size) {
        double *block = levels[size] + choose(rank, size + 1);
        for (int32_t place : subsets[size]) block[place] += coefficients[row];
        if (size == 1)
          subsets[1].push_back(int32_t(rank));
        else
          for (int32_t place : subsets[size - 1]) subsets[size].push_back(int32_t(choose(rank, size)) + place);
      }
    }
  }
}

}  // namespace kakari
