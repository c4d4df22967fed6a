// Explicit weights of conjunctions for several classes: conjunctions.hpp with k numbers in each place.
//
// The weights of all classes of a conjunction lie together, so one walk over the conjunctions of a set yields all
// k margins, and each step of it adds k neighbours to k sums. Places are those of conjunctions.hpp, times k: a
// simplex array an order for the `dense` first ranks, and a trie for the others below `common`, whose nodes are
// numbered there and weighted here. An update touches two numbers a conjunction: the right and the wrong class.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/learning/conjunctions.hpp"

namespace kakari {

// What one update does: add an amount to a class and take it from another.
struct Shift {
  int32_t right, wrong;
  double amount;

  void apply(double *weights) const {
    weights[right] += amount;
    weights[wrong] -= amount;
  }
};

template <int degree>
class ClassWeights {
 public:
  // Conjunctions of the ranks below `common`; those of ranks below `dense` in simplex arrays.
  void reset(int32_t classes, int32_t common, int32_t dense) {
    classes_ = classes;
    common_ = common;
    dense_ = std::min(common, dense);
    constants_.assign(classes, 0.0);
    sums_.assign(classes, 0.0);
    for (int order = 1; order <= degree; ++order) {
      simplex_[order].assign(choose(dense_, order) * classes, 0.0);
      simplex_[order].shrink_to_fit();
    }
    trie_.clear();
    trie_weights_.assign(classes, 0.0);  // of the root, never read
    trie_weights_.shrink_to_fit();
  }

  int32_t dense() const { return dense_; }

  // How many of the ranks are common; `ranks` is increasing.
  int count_common(const int32_t *ranks, int length) const { return count_below(common_, ranks, length); }

  // Write the margins of the set without its features of rank `common` and above, one a class.
  void sum(const int32_t *ranks, int length, double *margins) {
    const int common = count_common(ranks, length), dense = count_below(dense_, ranks, common);
    std::copy(constants_.begin(), constants_.end(), margins);
    orders_sum<degree>(ranks, dense, margins);
    for (int i = dense; i < common; ++i) trie_sum<1>(0, ranks, i, margins);
  }

  void add(const int32_t *ranks, int length, const Shift &shift) {
    const int common = count_common(ranks, length), dense = count_below(dense_, ranks, common);
    shift.apply(constants_.data());
    orders_add<degree>(ranks, dense, shift);
    for (int i = dense; i < common; ++i) trie_add<1>(0, ranks, i, shift);
  }

  int64_t bytes() const {
    int64_t numbers = trie_weights_.capacity() + constants_.capacity() + sums_.capacity();
    for (int order = 1; order <= degree; ++order) numbers += simplex_[order].capacity();
    return trie_.bytes() + numbers * sizeof(double);
  }

 private:
  static int count_below(int32_t limit, const int32_t *ranks, int length) {
    return static_cast<int>(std::lower_bound(ranks, ranks + length, limit) - ranks);
  }

  static void add_scaled(double *__restrict sums, const double *__restrict weights, int32_t classes, double scale) {
    for (int32_t i = 0; i < classes; ++i) sums[i] += scale * weights[i];
  }

  template <int order>
  void orders_sum(const int32_t *ranks, int count, double *margins) {
    if constexpr (order > 0) {
      orders_sum<order - 1>(ranks, count, margins);
      std::fill(sums_.begin(), sums_.end(), 0.0);
      simplex_sum<order>(simplex_[order].data(), ranks, count, sums_.data());
      add_scaled(margins, sums_.data(), classes_, subset_weight(degree, order));
    }
  }

  template <int order>
  void simplex_sum(const double *weights, const int32_t *ranks, int count, double *sums) const {
    if constexpr (order == 1) {
      row_sum(weights, ranks, count, sums);
    } else {
      for (int i = order - 1; i < count; ++i)
        simplex_sum<order - 1>(weights + choose<order>(ranks[i]) * classes_, ranks, i, sums);
    }
  }

  // Few classes are summed in registers, whose number the compiler must know.
  void row_sum(const double *weights, const int32_t *ranks, int count, double *sums) const {
    switch (classes_) {
      case 2:
        return row_sum_of<2>(weights, ranks, count, sums);
      case 3:
        return row_sum_of<3>(weights, ranks, count, sums);
      case 4:
        return row_sum_of<4>(weights, ranks, count, sums);
      case 5:
        return row_sum_of<5>(weights, ranks, count, sums);
      case 6:
        return row_sum_of<6>(weights, ranks, count, sums);
      case 7:
        return row_sum_of<7>(weights, ranks, count, sums);
      case 8:
        return row_sum_of<8>(weights, ranks, count, sums);
      default:
        for (int i = 0; i < count; ++i)
          add_scaled(sums, weights + static_cast<int64_t>(ranks[i]) * classes_, classes_, 1.0);
    }
  }

  template <int classes>
  static void row_sum_of(const double *weights, const int32_t *ranks, int count, double *sums) {
    double own[classes];
    std::copy(sums, sums + classes, own);
    for (int i = 0; i < count; ++i) {
      const double *row = weights + static_cast<int64_t>(ranks[i]) * classes;
      for (int j = 0; j < classes; ++j) own[j] += row[j];
    }
    std::copy(own, own + classes, sums);
  }

  template <int order>
  void orders_add(const int32_t *ranks, int count, const Shift &shift) {
    if constexpr (order > 0) {
      orders_add<order - 1>(ranks, count, shift);
      simplex_add<order>(simplex_[order].data(), ranks, count, shift);
    }
  }

  template <int order>
  void simplex_add(double *weights, const int32_t *ranks, int count, const Shift &shift) {
    for (int i = order - 1; i < count; ++i) {
      double *place = weights + choose<order>(ranks[i]) * classes_;
      if constexpr (order == 1)
        shift.apply(place);
      else
        simplex_add<order - 1>(place, ranks, i, shift);
    }
  }

  // The conjunctions below `parent` whose next feature is the one at `place`.
  template <int order>
  void trie_sum(int32_t parent, const int32_t *ranks, int place, double *margins) const {
    const int32_t node = trie_.child(parent, ranks[place]);
    if (node == 0) return;
    add_scaled(margins, trie_weights_.data() + static_cast<int64_t>(node) * classes_, classes_,
               subset_weight(degree, order));
    if constexpr (order < degree)
      for (int i = 0; i < place; ++i) trie_sum<order + 1>(node, ranks, i, margins);
  }

  template <int order>
  void trie_add(int32_t parent, const int32_t *ranks, int place, const Shift &shift) {
    const int32_t node = trie_.grown_child(parent, ranks[place]);
    const size_t begin = static_cast<size_t>(node) * classes_;
    if (begin == trie_weights_.size()) trie_weights_.resize(begin + classes_, 0.0);
    shift.apply(trie_weights_.data() + begin);
    if constexpr (order < degree)
      for (int i = 0; i < place; ++i) trie_add<order + 1>(node, ranks, i, shift);
  }

  int32_t classes_ = 0, common_ = 0, dense_ = 0;
  std::vector<double> constants_, sums_;
  std::vector<double, HugePages<double>> simplex_[degree + 1];
  ConjunctionTrie trie_;
  std::vector<double> trie_weights_;  // by node, k each
};

}  // namespace kakari
