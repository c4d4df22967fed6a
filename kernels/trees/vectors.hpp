// Kernels of sparse rows. A row of the block scatters one vector over a dense array, then every other vector
// is one pass over its own entries: O(entries of b) a row. Entries are in column order, so a·b and b·a are
// the same bits.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/hardware/threads.hpp"

namespace kakari {

enum class VectorKernelKind { LINEAR = 0, POLYNOMIAL = 1, RADIAL = 2, SIGMOID = 3 };

struct VectorOptions {
  VectorKernelKind kind = VectorKernelKind::LINEAR;
  int64_t degree = 1;
  double gamma = 1.0, constant = 0.0;

  double value(double dot, double norm_a, double norm_b) const {
    if (kind == VectorKernelKind::LINEAR) return dot;
    if (kind == VectorKernelKind::RADIAL) return std::exp(-gamma * std::max(0.0, norm_a + norm_b - 2.0 * dot));
    const double inside = gamma * dot + constant;
    if (kind == VectorKernelKind::SIGMOID) return std::tanh(inside);
    double power = 1.0;
    for (int64_t i = 0; i < degree; ++i) power *= inside;
    return power;
  }
};

struct SparseRows {
  int64_t count = 0;
  const int64_t *starts = nullptr;
  const int32_t *columns = nullptr;
  const double *values = nullptr;
  const double *norms = nullptr;  // squared lengths
};

// values[i, j] = k(row i of a, row j of b); the columns of both are below `width`.
inline void vector_gram(const SparseRows &a, const SparseRows &b, int64_t width, const VectorOptions &options,
                        int64_t threads, double *values) {
  for_each_item<std::vector<double>>(a.count, threads, [&](int64_t i, std::vector<double> &dense) {
    dense.resize(width, 0.0);
    for (int64_t k = a.starts[i]; k < a.starts[i + 1]; ++k) dense[a.columns[k]] = a.values[k];
    for (int64_t j = 0; j < b.count; ++j) {
      double dot = 0.0;
      for (int64_t k = b.starts[j]; k < b.starts[j + 1]; ++k) dot += dense[b.columns[k]] * b.values[k];
      values[i * b.count + j] = options.value(dot, a.norms[i], b.norms[j]);
    }
    for (int64_t k = a.starts[i]; k < a.starts[i + 1]; ++k) dense[a.columns[k]] = 0.0;
  });
}

}  // namespace kakari
