// Rows of a Gram matrix in single precision, as many as memory allows.
//
// Rows are allocated when they are first filled, some at a time, in large pages. When there is no room left, the least
// recently used row is dropped. The caller computes and fills the rows; this class knows nothing of kernels.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/hardware/huge_pages.hpp"

namespace kakari {

class GramRows {
 public:
  GramRows(int64_t count, int64_t capacity)
      : count_(count), capacity_(std::min(std::max<int64_t>(capacity, 2), count)), slot_of_(count, -1) {}
  GramRows(const GramRows &) = delete;
  GramRows &operator=(const GramRows &) = delete;
  ~GramRows() {
    for (const Slab &slab : slabs_) Memory().deallocate(slab.memory, slab.values);
  }

  int64_t count() const { return count_; }
  int64_t capacity() const { return capacity_; }
  int64_t held() const { return static_cast<int64_t>(slots_.size()); }
  bool holds(int64_t row) const { return slot_of_[row] >= 0; }

  // nullptr if the row is not in the cache.
  const float *find(int64_t row) {
    const int64_t slot = slot_of_[row];
    if (slot < 0) return nullptr;
    last_use_[slot] = ++clock_;
    return slots_[slot];
  }

  // Makes room for a row, which the caller fills at once.
  float *place(int64_t row) {
    int64_t slot = slot_of_[row];
    if (slot < 0) {
      if (held() < capacity_) {
        slot = held();
        slots_.push_back(new_row());
        owners_.push_back(-1);
        last_use_.push_back(0);
      } else {
        slot = std::min_element(last_use_.begin(), last_use_.end()) - last_use_.begin();
        slot_of_[owners_[slot]] = -1;
      }
      owners_[slot] = row;
      slot_of_[row] = slot;
    }
    last_use_[slot] = ++clock_;
    return slots_[slot];
  }

  // values[i, j] belongs to row first_row + i and column first_column + j. Rows have been placed before.
  void fill(int64_t row, int64_t first_column, int64_t columns, const double *values) {
    float *to = place(row);
    for (int64_t j = 0; j < columns; ++j) to[first_column + j] = static_cast<float>(values[j]);
  }

  // Fills a row with the values of these columns; false if one is not finite.
  template <class Number>
  bool gather(int64_t row, const int32_t *columns, const Number *values) {
    float *to = place(row);
    float zeros = 0.0f;  // stays 0 as long as all values are finite
    for (int64_t j = 0; j < count_; ++j) {
      to[j] = static_cast<float>(values[columns[j]]);
      zeros += to[j] * 0.0f;
    }
    return zeros == 0.0f;
  }

  // Rows first to end are full from column `first` on: writes their columns into the rows after them, and their
  // own lower triangle. All rows must fit.
  void mirror(int64_t first, int64_t end) {
    static constexpr int64_t TILE = 32;
    std::vector<float *> rows;
    for (int64_t i = 0; i < count_; ++i) rows.push_back(place(i));
    for (int64_t from = first; from < end; from += TILE)
      for (int64_t to = from; to < count_; to += TILE)
        for (int64_t i = from; i < std::min(from + TILE, end); ++i)
          for (int64_t j = std::max(to, i + 1); j < std::min(to + TILE, count_); ++j) rows[j][i] = rows[i][j];
  }

 private:
  using Memory = HugePages<float>;
  static constexpr int64_t SLAB = 1 << 22;  // values that are allocated together, 16 MB

  struct Slab {
    float *memory;
    size_t values;
  };

  float *new_row() {
    if (left_ == 0) {
      left_ = std::min(std::max<int64_t>(1, SLAB / count_), capacity_ - held());
      const size_t values = static_cast<size_t>(left_ * count_);
      slabs_.reserve(slabs_.size() + 1);
      slabs_.push_back({Memory().allocate(values), values});
    }
    --left_;
    return slabs_.back().memory + left_ * count_;
  }

  int64_t count_, capacity_, clock_ = 0, left_ = 0;
  std::vector<int64_t> slot_of_, owners_, last_use_;
  std::vector<float *> slots_;
  std::vector<Slab> slabs_;
};

}  // namespace kakari
