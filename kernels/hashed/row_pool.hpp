// Rows of scores that are formed later: the lines of hundreds of conjunctions are fetched before the first is read.
//
// A decoder that needs many rows, each a sum over some dozens of conjunctions, asks for all of them first. If each row
// waited for its own lines, the memory's latency would be paid for every row; here it is paid for all that were asked
// for. Where frozen weights are bytes, a row holds two bytes a class: it is the sum of `MOST_OF_ROW` conjunctions at most.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kakari {

constexpr int MOST_OF_ROW = 256;

// `Weights` has the type `Sum` of a class in a row, `ask(hash)`, which prefetches, `add(hashes, count, row, waiting)`, and
// `finish(waiting)`, which adds what `add` has left for later.
template <class Weights>
class RowPool {
 public:
  using Sum = typename Weights::Sum;

  explicit RowPool(const Weights &weights) : weights_(weights) {}
  RowPool(const RowPool &) = delete;
  RowPool &operator=(const RowPool &) = delete;

  // Forget all rows; new ones have so many classes.
  void clear(size_t classes) {
    classes_ = classes;
    rows_ = used_ = 0;
    pending_.clear();
  }

  size_t rows() const { return rows_; }

  // Where the conjunctions of the next row are written.
  uint64_t *room() {
    if (hashes_.size() < used_ + MOST_OF_ROW) hashes_.resize(2 * used_ + MOST_OF_ROW);
    return &hashes_[used_];
  }

  // The number of a row that will be the sum of that many conjunctions.
  int32_t ask(int count) {
    for (int i = 0; i < count; ++i) weights_.ask(hashes_[used_ + i]);
    pending_.push_back({used_, count});
    used_ += count;
    return static_cast<int32_t>(rows_++);
  }

  // Form all rows that were asked for.
  void settle() {
    if (pending_.empty()) return;
    if (sums_.size() < rows_ * classes_) sums_.resize(2 * rows_ * classes_);
    Sum *row = &sums_[(rows_ - pending_.size()) * classes_];
    std::fill_n(row, pending_.size() * classes_, Sum{0});
    for (const Pending &one : pending_) {
      weights_.add(&hashes_[one.begin], one.count, row, waiting_);
      row += classes_;
    }
    weights_.finish(waiting_);
    pending_.clear();
    used_ = 0;
  }

  // A row that is formed; it stays until the next one is.
  const Sum *row(int32_t number) const { return &sums_[static_cast<size_t>(number) * classes_]; }

 private:
  struct Pending {
    size_t begin;
    int count;
  };

  const Weights &weights_;
  std::vector<Sum> sums_;
  std::vector<uint64_t> hashes_;
  std::vector<Pending> pending_;
  typename Weights::Waiting waiting_;
  size_t classes_ = 0, rows_ = 0, used_ = 0;
};

}  // namespace kakari
