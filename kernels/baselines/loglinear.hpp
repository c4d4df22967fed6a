// An l1-regularised log-linear model of expanded features, trained by stochastic gradient descent with cumulative penalty
// (Tsuruoka, Tsujii and Ananiadou, 2009), as the 2010 paper compares with.
//
// All conjunctions of the examples are numbered before training and their numbers kept, which takes four bytes for each
// conjunction of each example: that is what the method costs. A visit adds up the weights of an example's conjunctions,
// moves them along the gradient, and pulls each towards zero by the part of the penalty that it has not received yet.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/baselines/conjunction_numbers.hpp"

namespace kakari {

class LogLinear {
 public:
  LogLinear(int degree, double cost, double rate, double decay)
      : degree_(degree), cost_(cost), rate_(rate), decay_(decay) {}

  int64_t conjunctions() const { return numbers_.size(); }
  int64_t visits() const { return visits_; }

  int64_t bytes() const {
    return numbers_.bytes() +
           static_cast<int64_t>(weights_.capacity() * sizeof(Weight) + places_.capacity() * 4 + starts_.capacity() * 8);
  }

  int64_t active() const {
    return std::count_if(weights_.begin(), weights_.end(), [](const Weight &weight) { return weight.value != 0; });
  }

  void begin(const int32_t *ids, const int64_t *offsets, int64_t rows) {
    starts_.assign(1, 0);
    double total = 0;
    for (int64_t row = 0; row < rows; ++row) total += expanded(static_cast<double>(offsets[row + 1] - offsets[row]));
    places_.reserve(static_cast<size_t>(total));
    for (int64_t row = 0; row < rows; ++row) {
      numbers_.expand(ids + offsets[row], static_cast<int>(offsets[row + 1] - offsets[row]), degree_, true,
                      [this](int32_t number) { places_.push_back(number); });
      starts_.push_back(static_cast<int64_t>(places_.size()));
    }
    weights_.resize(numbers_.size());
  }

  // Visit these rows in this order; `labels` are 1 and -1.
  void visit(const int64_t *order, int64_t count, const int32_t *labels) {
    const double rows = static_cast<double>(starts_.size() - 1);
    for (int64_t i = 0; i < count; ++i, ++visits_) {
      const int32_t *begin = places_.data() + starts_[order[i]], *end = places_.data() + starts_[order[i] + 1];
      double margin = 0;
      for (const int32_t *place = begin; place != end; ++place) margin += weights_[*place].value;
      const double rate = rate_ * std::pow(decay_, static_cast<double>(visits_) / rows);
      const double sign = labels[order[i]];
      const double move = rate * sign / (1 + std::exp(sign * margin));
      penalty_ += rate * cost_ / rows;
      for (const int32_t *place = begin; place != end; ++place) {
        weights_[*place].value += move;
        pull(weights_[*place]);
      }
    }
  }

  // Apply to every weight the penalty that it has not received yet, and release the examples.
  void end() {
    for (Weight &weight : weights_) pull(weight);
    places_ = {}, starts_ = {};
  }

  double margin(const int32_t *ids, int length) {
    double sum = 0;
    numbers_.expand(ids, length, degree_, false, [&](int32_t number) { sum += weights_[number].value; });
    return sum;
  }

 private:
  struct Weight {
    double value = 0, received = 0;
  };

  double expanded(double length) const {
    double sum = 1, chosen = 1;
    for (int size = 0; size < degree_; ++size) sum += chosen *= (length - size) / (size + 1);
    return sum;
  }

  void pull(Weight &weight) const {
    const double before = weight.value;
    if (before > 0)
      weight.value = std::max(0.0, before - (penalty_ + weight.received));
    else if (before < 0)
      weight.value = std::min(0.0, before + (penalty_ - weight.received));
    weight.received += weight.value - before;
  }

  int degree_;
  double cost_, rate_, decay_, penalty_ = 0;
  int64_t visits_ = 0;
  ConjunctionNumbers numbers_;
  std::vector<Weight> weights_;
  std::vector<int32_t> places_;  // of all examples, one after another
  std::vector<int64_t> starts_;
};

}  // namespace kakari
