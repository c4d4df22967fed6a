// Sums over sets under the kernel (1 + |s & x|)^degree. Sets are only ever added; each query brings its own weights.
//
// Each distinct set is kept once, in a log with bitmaps and posting lists (support_log.hpp), which tells how many
// features x shares with all of them at once: some hundredths of an operation a feature and set. The weights of the
// sets come with each query, so nothing is written again when a machine changes all its coefficients.
// Queries change nothing, so many threads may ask at once; sets are added by one thread while no other one asks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "kernels/hardware/processor.hpp"
#include "kernels/hardware/secrets.hpp"
#include "kernels/replay/kernel_sum.hpp"
#include "kernels/replay/support_log.hpp"

namespace kakari {

// totals[i] += weight * (1 + shared[i])^degree
template <int degree, class Count>
KAKARI_INLINE void add_kernels_body(double weight, const Count *shared, int64_t length, double *totals) {
  for (int64_t i = 0; i < length; ++i) totals[i] += weight * kernel_of<degree>(shared[i]);
}

template <class Count>
KAKARI_INLINE void add_kernels_of_degree(int degree, double weight, const Count *shared, int64_t length,
                                         double *totals) {
  switch (degree) {
    case 1:
      return add_kernels_body<1>(weight, shared, length, totals);
    case 2:
      return add_kernels_body<2>(weight, shared, length, totals);
    case 3:
      return add_kernels_body<3>(weight, shared, length, totals);
    default:
      return add_kernels_body<4>(weight, shared, length, totals);
  }
}

#ifdef KAKARI_WIDE
template <class Count>
KAKARI_WIDE void add_kernels_wide(int degree, double weight, const Count *shared, int64_t length, double *totals) {
  add_kernels_of_degree(degree, weight, shared, length, totals);
}
#endif

template <class Count>
void add_kernels(int degree, double weight, const Count *shared, int64_t length, double *totals) {
#ifdef KAKARI_WIDE
  if (has_wide_registers()) return add_kernels_wide(degree, weight, shared, length, totals);
#endif
  add_kernels_of_degree(degree, weight, shared, length, totals);
}

class DistinctSets {
 public:
  // `rank_of` numbers features from the most frequent on; the first `bitmapped` are in most sets.
  void reset(int degree, const int32_t *rank_of, int64_t features, int32_t bitmapped) {
    degree_ = degree;
    rank_of_.assign(rank_of, rank_of + features);
    feature_of_.resize(features);
    for (int64_t i = 0; i < features; ++i) feature_of_[rank_of[i]] = static_cast<int32_t>(i);
    log_.reset(degree, bitmapped);
    numbers_.clear();
  }

  int64_t size() const { return log_.size(); }
  int64_t features() const { return static_cast<int64_t>(rank_of_.size()); }

  // Add sets; `numbers` receives the number of each, an old one where the same set was added before.
  void add(const int64_t *offsets, const int32_t *ids, int64_t rows, int64_t *numbers) {
    std::vector<int32_t> ranks;
    for (int64_t row = 0; row < rows; ++row) {
      read(ids + offsets[row], offsets[row + 1] - offsets[row], ranks);
      std::vector<int32_t> &same_hash = numbers_[hash(ranks)];
      const auto found =
          std::find_if(same_hash.begin(), same_hash.end(), [&](int32_t set) { return equals(set, ranks); });
      if (found != same_hash.end()) {
        numbers[row] = *found;
        continue;
      }
      const int32_t made = log_.add_vector(ranks.data(), static_cast<int>(ranks.size()));
      log_.append(made, 1.0);
      same_hash.push_back(made);
      numbers[row] = made;
    }
  }

  // values[x] = sum over the sets of coefficient * kernel with x
  void evaluate(const int64_t *offsets, const int32_t *ids, int64_t rows, const double *coefficients,
                double *values) const {
    std::vector<int32_t> ranks;
    Scratch scratch;
    for (int64_t row = 0; row < rows; ++row) {
      read(ids + offsets[row], offsets[row + 1] - offsets[row], ranks);
      log_.count_shared(ranks.data(), static_cast<int>(ranks.size()), 0, scratch, [&](const auto *counts, int64_t) {
        values[row] = kernel_sum(degree_, coefficients, counts, size());
      });
    }
  }

  // totals[set] += sum over x of weight * kernel with the set
  void respond(const int64_t *offsets, const int32_t *ids, int64_t rows, const double *weights, double *totals) const {
    std::vector<int32_t> ranks;
    Scratch scratch;
    for (int64_t row = 0; row < rows; ++row) {
      read(ids + offsets[row], offsets[row + 1] - offsets[row], ranks);
      log_.count_shared(ranks.data(), static_cast<int>(ranks.size()), 0, scratch, [&](const auto *counts, int64_t) {
        add_kernels(degree_, weights[row], counts, size(), totals);
      });
    }
  }

  int64_t set_length(int64_t set) const { return log_.vector_length(static_cast<int32_t>(set)); }

  // Write the features of a set, in their own order.
  void write(int64_t set, int32_t *ids) const {
    const int32_t *ranks = log_.vector(static_cast<int32_t>(set));
    const int64_t length = set_length(set);
    for (int64_t i = 0; i < length; ++i) ids[i] = feature_of_[ranks[i]];
    std::sort(ids, ids + length);
  }

 private:
  void read(const int32_t *ids, int64_t length, std::vector<int32_t> &ranks) const {
    ranks.resize(length);
    for (int64_t i = 0; i < length; ++i) ranks[i] = rank_of_[ids[i]];
    std::sort(ranks.begin(), ranks.end());
  }

  uint64_t hash(const std::vector<int32_t> &ranks) const {
    uint64_t mixed = hash_.begin(ranks.size());
    for (int32_t rank : ranks) mixed = hash_.join(mixed, rank);
    return mixed;
  }

  bool equals(int32_t set, const std::vector<int32_t> &ranks) const {
    return log_.vector_length(set) == static_cast<int64_t>(ranks.size()) &&
           std::equal(ranks.begin(), ranks.end(), log_.vector(set));
  }

  int degree_ = 1;
  std::vector<int32_t> rank_of_, feature_of_;
  SupportLog log_;
  SecretHash hash_;
  std::unordered_map<uint64_t, std::vector<int32_t>> numbers_;
};

}  // namespace kakari
