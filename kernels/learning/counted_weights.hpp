// Explicit weights of rarer conjunctions, as how many steps of one size they have seen: two bytes each.
//
// Nearly all steps of PA-I are C and all of a perceptron's are one, so the weight of a conjunction is that unit times a
// small whole number. Here are the conjunctions whose rarest feature has a rank from `first` to `limit`, in simplex
// arrays as in conjunctions.hpp (a conjunction {a < b < c} at choose(c,3) + choose(b,2) + a): a quarter of the memory of
// doubles, which at d=3 is 2.7 GB for all conjunctions of 2,000 features. The arrays are laid out for `reserved` ranks and
// take memory where they are touched, so that the limit can rise without a copy. Updates of another size are kept in a
// log of their own and summed along its posting lists: they are few, or these weights are not used.
// A set with k features in all costs one access for each conjunction that has a feature from `first` on.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include "kernels/hardware/lazy_pages.hpp"
#include "kernels/learning/conjunctions.hpp"
#include "kernels/replay/support_log.hpp"
#include "kernels/sets/binomials.hpp"

namespace kakari {

template <int degree>
class CountedWeights {
 public:
  // Lay out the ranks from `first` on, in memory for those below `reserved`; the limit is `first` until it is raised.
  void reset(int32_t first, int32_t reserved, double unit) {
    clear();
    first_ = limit_ = first;
    reserved_ = std::max(first, reserved);
    unit_ = unit;
    reserve_orders<1>();
    odd_.reset(degree, 0);
  }

  void clear() {
    first_ = limit_ = reserved_ = 0;
    full_ = false;
    written_ = 0;
    odd_entries_ = {};
    odd_.reset(degree, 0);
    for (auto &order : lower_) order = {};
    top_.reserve(0);
  }

  int32_t largest = std::numeric_limits<int16_t>::max();  // count that fits; tests have a smaller one

  int32_t first() const { return first_; }
  int32_t limit() const { return limit_; }
  int32_t reserved() const { return reserved_; }
  bool full() const { return full_; }  // a count did not fit: the layout must begin with more doubles
  bool mostly_regular() const { return static_cast<int64_t>(odd_entries_.size()) * 16 <= written_ + 1024; }

  int64_t bytes() const {
    if (reserved_ == first_) return 0;
    int64_t total = odd_.bytes() + odd_entries_.capacity() * sizeof(int32_t);
    for (const auto &order : lower_) total += order.size() * sizeof(int32_t);
    return total + (choose(limit_, degree) - choose(first_, degree)) * static_cast<int64_t>(sizeof(int16_t));
  }

  // Add the update number `entry` of a vector.
  void add(const int32_t *ranks, int length, double amount, int64_t entry) {
    ++written_;
    if (std::abs(amount) == unit_)
      add_between(ranks, length, amount < 0 ? -1 : 1, first_, limit_);
    else {
      odd_entries_.push_back(static_cast<int32_t>(entry));
      odd_.append(odd_.add_vector(ranks, length), amount);
    }
  }

  // Raise the limit; then each update so far must be extended by the ranks from the old limit on.
  void raise(int32_t limit) { limit_ = std::min(limit, reserved_); }
  void extend(const int32_t *ranks, int length, double amount, int32_t old_limit) {
    if (std::abs(amount) == unit_) add_between(ranks, length, amount < 0 ? -1 : 1, old_limit, limit_);
  }

  void shrink(int32_t limit) {
    if (limit >= limit_) return;
    limit_ = std::max(limit, first_);
    top_.forget(choose(limit_, degree) - choose(first_, degree));
    for (int order = 1; order < degree; ++order) {
      const int64_t kept = choose(limit_, order) - choose(first_, order);
      std::fill(lower_[order].begin() + std::min<int64_t>(kept, lower_[order].size()), lower_[order].end(), 0);
    }
  }

  // What updates of the one size add to the margin by conjunctions with a feature from `first` to the limit; the set's
  // features below `first` are `begin`, those below the limit `end`.
  double sum(const int32_t *ranks, int begin, int end) const {
    if (begin == end) return 0;
    int64_t whole = 0;
    PairPlaces pairs;
    const bool listed = degree >= 3 && end <= LONGEST_LISTED;
    if (listed)
      for (int i = 0; i < begin; ++i) pairs.append(ranks, i);
    for (int i = begin; i < end; ++i) {
      whole += orders_sum<1>(ranks, i, listed ? &pairs : nullptr);
      if (listed) pairs.append(ranks, i);
    }
    return unit_ * static_cast<double>(whole);
  }

  // The same of updates of another size since the update `from`.
  double odd_sum(const int32_t *ranks, int begin, int end, int64_t from, Scratch &scratch) const {
    if (odd_entries_.empty() || begin == end || odd_entries_.back() < from) return 0;
    const int64_t since = std::lower_bound(odd_entries_.begin(), odd_entries_.end(), from) - odd_entries_.begin();
    return odd_.rare_part(ranks, end, begin, since, scratch);
  }

 private:
  template <int order>
  void reserve_orders() {
    const int64_t cells = choose(reserved_, order) - choose(first_, order);
    if constexpr (order == degree) {
      top_.reserve(cells);
    } else {
      lower_[order].assign(cells, 0);
      reserve_orders<order + 1>();
    }
  }

  template <int order>
  auto *cells() {
    if constexpr (order == degree)
      return top_.data();
    else
      return lower_[order].data();
  }
  template <int order>
  const auto *cells() const {
    if constexpr (order == degree)
      return top_.data();
    else
      return lower_[order].data();
  }

  // Where the conjunctions of this order begin whose rarest feature is `rank`.
  template <int order>
  int64_t row(int32_t rank) const {
    return choose<order>(rank) - choose<order>(first_);
  }

  template <int order>
  int64_t orders_sum(const int32_t *ranks, int last, const PairPlaces *pairs) const {
    const auto *own = cells<order>() + row<order>(ranks[last]);
    int64_t total;
    if (order == 3 && pairs)
      total = counted_sum(own, pairs->places, pairs->count);
    else
      total = subsets_sum<order - 1>(own, ranks, last);
    total *= static_cast<int64_t>(subset_weight(degree, order));
    if constexpr (order < degree) total += orders_sum<order + 1>(ranks, last, pairs);
    return total;
  }

  template <class Cell>
  static int64_t counted_sum(const Cell *own, const int32_t *places, int count) {
    int64_t sums[4] = {};
    int i = 0;
    for (; i + 4 <= count; i += 4)
      for (int lane = 0; lane < 4; ++lane) sums[lane] += own[places[i + lane]];
    for (; i < count; ++i) sums[0] += own[places[i]];
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }

  // The sum over the subsets of `size` of the first `count` ranks.
  template <int size, class Cell>
  static int64_t subsets_sum(const Cell *own, const int32_t *ranks, int count) {
    if constexpr (size == 0) {
      return own[0];
    } else if constexpr (size == 1) {
      return counted_sum(own, ranks, count);
    } else {
      int64_t total = 0;
      for (int i = size - 1; i < count; ++i) total += subsets_sum<size - 1>(own + choose<size>(ranks[i]), ranks, i);
      return total;
    }
  }

  void add_between(const int32_t *ranks, int length, int sign, int32_t from, int32_t limit) {
    const int begin = static_cast<int>(std::lower_bound(ranks, ranks + length, from) - ranks);
    const int end = static_cast<int>(std::lower_bound(ranks + begin, ranks + length, limit) - ranks);
    if (begin == end) return;
    PairPlaces pairs;
    const bool listed = degree >= 3 && end <= LONGEST_LISTED;
    if (listed)
      for (int i = 0; i < begin; ++i) pairs.append(ranks, i);
    for (int i = begin; i < end; ++i) {
      orders_add<1>(ranks, i, sign, listed ? &pairs : nullptr);
      if (listed) pairs.append(ranks, i);
    }
  }

  template <int order>
  void orders_add(const int32_t *ranks, int last, int sign, const PairPlaces *pairs) {
    auto *own = cells<order>() + row<order>(ranks[last]);
    if (order == 3 && pairs)
      for (int i = 0; i < pairs->count; ++i) count(own[pairs->places[i]], sign);
    else
      subsets_add<order - 1>(own, ranks, last, sign);
    if constexpr (order < degree) orders_add<order + 1>(ranks, last, sign, pairs);
  }

  template <int size, class Cell>
  void subsets_add(Cell *own, const int32_t *ranks, int count_, int sign) {
    if constexpr (size == 0)
      count(own[0], sign);
    else
      for (int i = size - 1; i < count_; ++i)
        subsets_add<size - 1>(own + (size == 1 ? ranks[i] : choose<size>(ranks[i])), ranks, i, sign);
  }

  template <class Cell>
  void count(Cell &cell, int sign) {
    cell = static_cast<Cell>(cell + sign);
    if constexpr (std::is_same_v<Cell, int16_t>) full_ |= cell >= largest || cell <= -largest;
  }

  int32_t first_ = 0, limit_ = 0, reserved_ = 0;
  double unit_ = 0;
  bool full_ = false;
  int64_t written_ = 0;
  std::vector<int32_t> lower_[degree];  // by order, below the degree
  LazyPages<int16_t> top_;              // of as many features as the degree
  SupportLog odd_;                      // updates of another size ...
  std::vector<int32_t> odd_entries_;    // ... and their numbers among all
};

}  // namespace kakari
