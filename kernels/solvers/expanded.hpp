// A support vector machine with a polynomial kernel over sets, without a separate bias, trained on conjunctions.
//
// The kernel (1 + |x & y|)^d is a scalar product of conjunctions (learning/conjunctions.hpp), so the dual can be
// descended one example at a time (Hsieh et al., 2008) with the sums W(u) of the coefficients of all examples
// that have the conjunction u at hand: a step costs the conjunctions of one example, whatever the number of
// examples. A conjunction that only one example has concerns no other one, so all of these together are one
// number for each example; the others are numbered once, 4 bytes an occurrence.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernels/hardware/mixing.hpp"
#include "kernels/learning/conjunctions.hpp"

namespace kakari {

// Numbers keys in order of appearance, and counts them.
class CountedKeys {
 public:
  CountedKeys() : keys_(1 << 12), numbers_(1 << 12) {}

  const std::vector<int32_t> &counts() const { return counts_; }

  int32_t add(uint64_t key) {  // no key is 0
    if (2 * counts_.size() >= keys_.size()) grow();
    const size_t place = find(key);
    if (keys_[place] == 0) {
      if (counts_.size() >= static_cast<size_t>(std::numeric_limits<int32_t>::max()))
        throw std::length_error("too many conjunctions");
      keys_[place] = key;
      numbers_[place] = static_cast<int32_t>(counts_.size());
      counts_.push_back(0);
    }
    const int32_t number = numbers_[place];
    counts_[number] += counts_[number] < std::numeric_limits<int32_t>::max();
    return number;
  }

 private:
  size_t find(uint64_t key) const {
    size_t place = splitmix64(key) & (keys_.size() - 1);
    while (keys_[place] != 0 && keys_[place] != key) place = (place + 1) & (keys_.size() - 1);
    return place;
  }

  void grow() {
    std::vector<uint64_t> keys(2 * keys_.size());
    std::vector<int32_t> numbers(2 * keys_.size());
    keys.swap(keys_);
    numbers.swap(numbers_);
    for (size_t old = 0; old < keys.size(); ++old)
      if (keys[old] != 0) {
        const size_t place = find(keys[old]);
        keys_[place] = keys[old];
        numbers_[place] = numbers[old];
      }
  }

  std::vector<uint64_t> keys_;
  std::vector<int32_t> numbers_, counts_;
};

class ExpandedSolver {
 public:
  static constexpr int32_t MOST_FEATURES = (1 << 21) - 1;  // three numbers above 0 fit into a key

  // Sets of increasing feature numbers below MOST_FEATURES.
  ExpandedSolver(int degree, int64_t count, const int64_t *offsets, const int32_t *ids) : degree_(degree) {
    CountedKeys keys;
    for (int64_t i = 0; i < count; ++i) {
      const int32_t *set = ids + offsets[i];
      const int64_t size = offsets[i + 1] - offsets[i];
      for (int order = 1; order <= degree; ++order) {
        enumerate(keys, set, size, order, 0);
        ends_.push_back(static_cast<int64_t>(numbers_.size()));
      }
    }
    keep_shared(count, keys.counts());
    coefficients_.assign(count, 0.0);
    order_.resize(count);
    for (int64_t i = 0; i < count; ++i) order_[i] = i;
  }

  int64_t conjunctions() const { return static_cast<int64_t>(weights_.size()); }
  const std::vector<double> &coefficients() const { return coefficients_; }

  // Visit every example that is not left out (shrinking); return how far the gradients are from those of an optimum.
  double pass(const double *signs, double cost, uint64_t &random) {
    double largest = -std::numeric_limits<double>::infinity(), smallest = -largest;
    for (size_t i = active_; i > 1; --i) std::swap(order_[i - 1], order_[draw(random) % i]);
    for (size_t place = 0; place < active_;) {
      const int64_t i = order_[place];
      const double sign = signs[i], before = sign * coefficients_[i];
      const double gradient = sign * value(i) - 1.0;
      double projected = gradient;
      if (before <= 0.0) {
        if (gradient > highest_) {
          std::swap(order_[place], order_[--active_]);
          continue;
        }
        projected = std::min(gradient, 0.0);
      } else if (before >= cost) {
        if (gradient < lowest_) {
          std::swap(order_[place], order_[--active_]);
          continue;
        }
        projected = std::max(gradient, 0.0);
      }
      largest = std::max(largest, projected);
      smallest = std::min(smallest, projected);
      if (projected != 0.0) {
        const double after = std::min(std::max(before - gradient / selves_[i], 0.0), cost);
        if (after != before) change(i, sign * (after - before));
      }
      ++place;
    }
    highest_ = largest > 0.0 ? largest : std::numeric_limits<double>::infinity();
    lowest_ = smallest < 0.0 ? smallest : -std::numeric_limits<double>::infinity();
    return active_ == 0 ? 0.0 : std::max(largest, 0.0) - std::min(smallest, 0.0);
  }

  bool all_active() const { return active_ == order_.size(); }

  // Look at all examples again.
  void activate() {
    active_ = order_.size();
    highest_ = std::numeric_limits<double>::infinity();
    lowest_ = -highest_;
  }

 private:
  void enumerate(CountedKeys &keys, const int32_t *set, int64_t size, int order, uint64_t key) {
    for (int64_t i = order - 1; i < size; ++i) {
      const uint64_t longer = key << 21 | static_cast<uint64_t>(set[i] + 1);
      if (order == 1)
        numbers_.push_back(keys.add(longer));
      else
        enumerate(keys, set, i, order - 1, longer);
    }
  }

  // Number the conjunctions that two or more examples have; those of a single example are one number for it.
  void keep_shared(int64_t count, const std::vector<int32_t> &counts) {
    std::vector<int32_t> renamed(counts.size(), -1);
    int32_t shared = 0;
    for (size_t number = 0; number < counts.size(); ++number)
      if (counts[number] > 1) renamed[number] = shared++;
    weights_.assign(shared, 0.0);
    alone_.assign(count, 0.0);
    selves_.assign(count, subset_weight(degree_, 0));
    int64_t read = 0, written = 0;
    for (int64_t i = 0; i < count; ++i)
      for (int order = 1; order <= degree_; ++order) {
        int64_t &end = ends_[i * degree_ + order - 1];
        const double weight = subset_weight(degree_, order);
        for (; read < end; ++read) {
          selves_[i] += weight;
          const int32_t number = renamed[numbers_[read]];
          if (number < 0)
            alone_[i] += weight;
          else
            numbers_[written++] = number;
        }
        end = written;
      }
    numbers_.resize(written);
    numbers_.shrink_to_fit();
    active_ = count;
  }

  double value(int64_t i) const {
    double total = subset_weight(degree_, 0) * constant_ + alone_[i] * coefficients_[i];
    int64_t at = i == 0 ? 0 : ends_[i * degree_ - 1];
    for (int order = 1; order <= degree_; ++order) {
      const int64_t end = ends_[i * degree_ + order - 1];
      total += subset_weight(degree_, order) *
               gathered_sum(weights_.data(), numbers_.data() + at, static_cast<int>(end - at));
      at = end;
    }
    return total;
  }

  void change(int64_t i, double by) {
    coefficients_[i] += by;
    constant_ += by;
    const int64_t begin = i == 0 ? 0 : ends_[i * degree_ - 1], end = ends_[(i + 1) * degree_ - 1];
    for (int64_t at = begin; at < end; ++at) weights_[numbers_[at]] += by;
  }

  int degree_;
  std::vector<int32_t> numbers_;  // of the conjunctions of each example, singles first, then pairs, then triples
  std::vector<int64_t> ends_;     // where they end, for each example and order
  std::vector<double> weights_, alone_, selves_, coefficients_;
  double constant_ = 0.0;
  std::vector<int64_t> order_;
  size_t active_ = 0;
  double highest_ = std::numeric_limits<double>::infinity(), lowest_ = -highest_;
};

}  // namespace kakari
