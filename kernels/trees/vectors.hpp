// Kernels of sparse rows. A row of the block scatters one vector over a dense array, then every other vector is one pass
// over its own entries: O(entries of b) a row. Where columns are sparse, b is held by column, and a row costs the entries
// of b in its own columns only. Entries are in column order, so a·b and b·a are the same bits, either way.
#pragma once

#include <algorithm>
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

// The rows of a block by column, if that is the shorter way to all dot products with them.
class RowsByColumn {
 public:
  RowsByColumn(const SparseRows &a, const SparseRows &b, int64_t width) {
    const int64_t entries = b.starts[b.count] - b.starts[0];
    if (a.count < FEW || width > 4 * entries) return;
    starts_.assign(width + 1, 0);
    for (int64_t k = b.starts[0]; k < b.starts[b.count]; ++k) ++starts_[b.columns[k] + 1];
    int64_t products = 0;
    for (int64_t k = a.starts[0]; k < a.starts[a.count]; ++k) products += starts_[a.columns[k] + 1];
    worth_it_ = 2 * products < a.count * entries;
    if (!worth_it_) return;
    for (int64_t column = 0; column < width; ++column) starts_[column + 1] += starts_[column];
    std::vector<int64_t> next(starts_.begin(), starts_.end() - 1);
    rows_.resize(entries);
    values_.resize(entries);
    for (int64_t j = 0; j < b.count; ++j)
      for (int64_t k = b.starts[j]; k < b.starts[j + 1]; ++k) {
        const int64_t place = next[b.columns[k]]++;
        rows_[place] = static_cast<int32_t>(j);
        values_[place] = b.values[k];
      }
  }

  bool worth_it() const { return worth_it_; }

  // dots[j] += value · entry of row j, for all rows with an entry in this column.
  void add(int32_t column, double value, double *dots) const {
    for (int64_t place = starts_[column]; place < starts_[column + 1]; ++place)
      dots[rows_[place]] += value * values_[place];
  }

 private:
  static constexpr int64_t FEW = 8;

  std::vector<int64_t> starts_;
  std::vector<int32_t> rows_;
  std::vector<double> values_;
  bool worth_it_ = false;
};

// Radial kernels of binary features have distances that are small whole numbers: their exponentials are worked out once.
class Exponentials {
 public:
  Exponentials(const VectorOptions &options, int64_t values) {
    if (options.kind != VectorKernelKind::RADIAL || values < 16 * MOST) return;
    for (int64_t distance = 0; distance < MOST; ++distance)
      known_.push_back(options.value(0.0, static_cast<double>(distance), 0.0));
  }

  bool known() const { return !known_.empty(); }

  double value(const VectorOptions &options, double dot, double norm_a, double norm_b) const {
    const double distance = norm_a + norm_b - 2.0 * dot;
    if (distance >= 0.0 && distance < static_cast<double>(MOST)) {
      const int64_t whole = static_cast<int64_t>(distance);
      if (static_cast<double>(whole) == distance) return known_[whole];
    }
    return options.value(dot, norm_a, norm_b);
  }

 private:
  static constexpr int64_t MOST = 256;

  std::vector<double> known_;
};

struct VectorScratch {
  std::vector<double> dense;
};

// values[i, j] = k(row i of a, row j of b); the columns of both are below `width`. A row of a is multiplied with all of
// b by its own columns, or by the entries of b: either way a product is summed in the order of the columns.
inline void vector_gram(const SparseRows &a, const SparseRows &b, int64_t width, const VectorOptions &options,
                        int64_t threads, double *values) {
  const RowsByColumn by_column(a, b, width);
  const Exponentials exponentials(options, a.count * b.count);
  for_each_item<VectorScratch>(a.count, threads, [&](int64_t i, VectorScratch &scratch) {
    double *dots = values + i * b.count;
    if (by_column.worth_it()) {
      std::fill(dots, dots + b.count, 0.0);
      for (int64_t k = a.starts[i]; k < a.starts[i + 1]; ++k) by_column.add(a.columns[k], a.values[k], dots);
    } else {
      std::vector<double> &dense = scratch.dense;
      dense.resize(width, 0.0);
      for (int64_t k = a.starts[i]; k < a.starts[i + 1]; ++k) dense[a.columns[k]] = a.values[k];
      for (int64_t j = 0; j < b.count; ++j) {
        double dot = 0.0;
        for (int64_t k = b.starts[j]; k < b.starts[j + 1]; ++k) dot += dense[b.columns[k]] * b.values[k];
        dots[j] = dot;
      }
      for (int64_t k = a.starts[i]; k < a.starts[i + 1]; ++k) dense[a.columns[k]] = 0.0;
    }
    if (options.kind == VectorKernelKind::LINEAR) return;
    if (exponentials.known())
      for (int64_t j = 0; j < b.count; ++j) dots[j] = exponentials.value(options, dots[j], a.norms[i], b.norms[j]);
    else
      for (int64_t j = 0; j < b.count; ++j) dots[j] = options.value(dots[j], a.norms[i], b.norms[j]);
  });
}

}  // namespace kakari
