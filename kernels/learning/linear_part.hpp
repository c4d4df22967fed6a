// A linear kernel beside another one: each example has a vector too, whose weights learn in the same steps.
//
// The sum of two kernels is one machine. The polynomial kernel's half is a sum over support vectors; that of vectors is
// one array of weights, with one access a value for a margin and for an update. Sums are made in the order of the
// values, so that they are the same bits whatever computes the other half.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/hardware/bits.hpp"
#include "kernels/hardware/mixing.hpp"

namespace kakari {

class LinearPart {
 public:
  // Take the vectors of a run, as compressed rows.
  void begin(const int64_t *offsets, const int32_t *columns, const float *values, int64_t rows, int64_t width) {
    offsets_.assign(offsets, offsets + rows + 1);
    columns_.assign(columns, columns + offsets[rows]);
    values_.assign(values, values + offsets[rows]);
    if (static_cast<int64_t>(weights.size()) < width) {
      weights.resize(width, 0.0);
      moments.resize(width, 0.0);
    }
  }

  // Release the vectors; the weights stay.
  void end() { offsets_ = {}, columns_ = {}, values_ = {}; }

  bool running() const { return !offsets_.empty(); }

  double margin(int64_t row) const {
    double sum = 0;
    if (!running()) return sum;
    for (int64_t i = offsets_[row]; i < offsets_[row + 1]; ++i) sum += weights[columns_[i]] * values_[i];
    return sum;
  }

  void add(int64_t row, double amount, int64_t visit) {
    if (!running()) return;
    for (int64_t i = offsets_[row]; i < offsets_[row + 1]; ++i) {
      const double step = amount * values_[i];
      weights[columns_[i]] += step;
      moments[columns_[i]] += step * static_cast<double>(visit);
    }
  }

  void foresee(int64_t row) const {
    if (!running()) return;
    prefetch(columns_.data() + offsets_[row]);
    prefetch(values_.data() + offsets_[row]);
  }

  uint64_t fingerprint() const {
    uint64_t mixed = columns_.size();
    for (size_t i = 0; i < columns_.size(); ++i) {
      uint32_t bits;
      std::memcpy(&bits, &values_[i], sizeof bits);
      mixed = join(mixed, static_cast<uint64_t>(columns_[i]) << 32 | bits);
    }
    for (int64_t offset : offsets_) mixed = join(mixed, offset);
    return mixed;
  }

  int64_t bytes() const {
    return (offsets_.capacity() + weights.capacity() + moments.capacity()) * 8 +
           (columns_.capacity() + values_.capacity()) * 4;
  }

  std::vector<double> weights;  // the sum of all updates of each column ...
  std::vector<double> moments;  // ... and of updates times the visit they were made at

 private:
  std::vector<int64_t> offsets_;
  std::vector<int32_t> columns_;
  std::vector<float> values_;
};

}  // namespace kakari
