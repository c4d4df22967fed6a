// Support vector machines in the dual: minimise ½ vᵀKv − tᵀv over coefficients v that are bounded by 0 and the
// example's cost, on the side of its sign; with a bias they also add up to 0. The target t is the sign itself in
// classification. In regression an example is a member twice, once for each side of its tube, with t = y ∓ ε.
//
// A step moves two coefficients against each other (one, without a bias): the first violates optimality most, the
// second gains most by the quadratic model of both (Fan, Chen and Lin 2005). O(active) a step. Coefficients that
// stay at a bound are left out (shrinking) until the others are optimal; then the gradient of all is worked out
// again. Rows of K come from a cache that may lack them: `run` then returns the rows it needs, and continues from
// the same place when it is called again. So the solver has no callbacks, and can be stopped between any two steps.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/solvers/gram_rows.hpp"

namespace kakari {

struct DualOptions {
  double tolerance = 1e-3;
  bool bias = true, shrinking = true;
};

class DualSolver {
 public:
  enum State { CONVERGED = 0, WANTS_ROWS = 1, PAUSED = 2 };

  // Of each member: its number among the rows, its sign, target, cost, and start (signed; the caller sees to Σ = 0).
  void start(GramRows &rows, int64_t count, const int64_t *numbers, const double *signs, const double *targets,
             const double *costs, const double *values, const double *diagonal, const DualOptions &options) {
    rows_ = &rows;
    options_ = options;
    bool cold = true;
    for (int64_t i = 0; i < count; ++i) {
      const double low = signs[i] > 0 ? 0.0 : -costs[i], high = signs[i] > 0 ? costs[i] : 0.0;
      number_.push_back(numbers[i]);
      place_.push_back(i);
      target_.push_back(targets[i]);
      low_.push_back(low);
      high_.push_back(high);
      value_.push_back(std::min(std::max(values[i], low), high));
      gradient_.push_back(-targets[i]);
      diagonal_.push_back(static_cast<double>(static_cast<float>(diagonal[numbers[i]])));
      cold = cold && value_.back() == 0.0;
    }
    batch_ = std::max<int64_t>(1, std::min<int64_t>(16, rows.capacity() / 2));
    active_ = cold ? count : 0;  // a warm start works out the gradient of all first
    rebuild_at_ = cold ? -1 : 0;
    until_shrinking_ = shrink_every();
  }

  State run(int64_t steps) {
    for (; steps > 0; --steps) {
      if (rebuild_at_ >= 0 && !rebuild()) return WANTS_ROWS;
      if (options_.shrinking && --until_shrinking_ <= 0) {
        until_shrinking_ = shrink_every();
        shrink();
        if (rebuild_at_ >= 0 && !rebuild()) return WANTS_ROWS;
      }
      const State state = options_.bias ? step_of_two() : step_of_one();
      if (state == WANTS_ROWS) return state;
      if (state == PAUSED) {
        ++steps_;
      } else {
        if (active_ == size()) return CONVERGED;
        start_rebuilding();
      }
    }
    return PAUSED;
  }

  // Works out the gradient of all after a run that was stopped early; false if rows are missing.
  bool settle() {
    if (active_ == size()) return true;
    if (rebuild_at_ < 0) start_rebuilding();
    return rebuild();
  }

  const std::vector<int64_t> &wanted() const { return wanted_; }
  int64_t steps() const { return steps_; }
  int64_t active() const { return active_; }
  double gap() const { return gap_; }

  // Once converged or settled.
  double objective() const {
    double sum = 0.0;
    for (int64_t t = 0; t < size(); ++t) sum += value_[t] * (gradient_[t] - target_[t]);
    return 0.5 * sum;
  }

  // The bias: it is added to Σ v K so that free coefficients have margin 1.
  double bias() const {
    if (!options_.bias) return 0.0;
    double sum = 0.0, up = -INFINITE, down = INFINITE;
    int64_t free = 0;
    for (int64_t t = 0; t < size(); ++t) {
      const bool may_rise = value_[t]<high_[t], may_fall = value_[t]> low_[t];
      if (may_rise && may_fall) {
        sum -= gradient_[t];
        ++free;
      }
      if (may_rise) up = std::max(up, -gradient_[t]);
      if (may_fall) down = std::min(down, -gradient_[t]);
    }
    if (free > 0) return sum / static_cast<double>(free);
    if (up == -INFINITE) return down == INFINITE ? 0.0 : down;
    return down == INFINITE ? up : (up + down) / 2;
  }

  void write(double *values) const {
    for (int64_t t = 0; t < size(); ++t) values[place_[t]] = value_[t];
  }

 private:
  static constexpr double INFINITE = std::numeric_limits<double>::infinity();
  static constexpr double SMALLEST = 1e-12;  // curvature of a direction that has none

  int64_t size() const { return static_cast<int64_t>(value_.size()); }
  int64_t shrink_every() const { return std::min<int64_t>(size(), 1000); }

  void start_rebuilding() {
    rebuild_at_ = 0;
    for (int64_t t = active_; t < size(); ++t) gradient_[t] = -target_[t];
  }

  // Works out the gradient of those that were left out; false if rows are missing.
  bool rebuild() {
    for (; rebuild_at_ < size(); ++rebuild_at_) {
      if (value_[rebuild_at_] == 0.0) continue;
      const float *row = rows_->find(number_[rebuild_at_]);
      if (row == nullptr) {
        wanted_.clear();
        for (int64_t s = rebuild_at_; s < size() && static_cast<int64_t>(wanted_.size()) < batch_; ++s)
          if (value_[s] != 0.0 && !rows_->holds(number_[s]) && !wanted(number_[s])) wanted_.push_back(number_[s]);
        return false;
      }
      const double value = value_[rebuild_at_];
      for (int64_t t = active_; t < size(); ++t) gradient_[t] += value * static_cast<double>(row[number_[t]]);
    }
    rebuild_at_ = -1;
    active_ = size();
    return true;
  }

  State step_of_two() {
    double up = -INFINITE;
    int64_t first = -1;
    for (int64_t t = 0; t < active_; ++t)
      if (value_[t] < high_[t] && -gradient_[t] > up) {
        up = -gradient_[t];
        first = t;
      }
    gap_ = 0.0;
    if (first < 0) return CONVERGED;
    const float *row = row_or_wish(first);
    if (row == nullptr) return WANTS_ROWS;
    const int64_t second = partner(first, row, up);
    if (second < 0 || gap_ < options_.tolerance) return CONVERGED;
    const float *other = row_or_wish(second);
    if (other == nullptr) return WANTS_ROWS;
    const double wanted = (gradient_[second] - gradient_[first]) / curvature(first, second, row);
    const double room_up = high_[first] - value_[first], room_down = value_[second] - low_[second];
    const double move = std::min(wanted, std::min(room_up, room_down));
    value_[first] = move == room_up ? high_[first] : value_[first] + move;  // bounds are met exactly
    value_[second] = move == room_down ? low_[second] : value_[second] - move;
    for (int64_t t = 0; t < active_; ++t)
      gradient_[t] += move * (static_cast<double>(row[number_[t]]) - static_cast<double>(other[number_[t]]));
    return PAUSED;
  }

  // The member whose decrease, while `first` increases, lowers the objective most; -1 if there is no such member.
  int64_t partner(int64_t first, const float *row, double up) {
    double down = -INFINITE, best = 0.0;
    int64_t second = -1;
    for (int64_t t = 0; t < active_; ++t) {
      if (value_[t] <= low_[t]) continue;
      down = std::max(down, gradient_[t]);
      const double slope = up + gradient_[t];
      // The gain slope² / curvature is compared without dividing.
      if (slope > 0.0 && slope * slope > best * curvature(first, t, row)) {
        best = slope * slope / curvature(first, t, row);
        second = t;
      }
    }
    gap_ = std::max(0.0, up + down);
    return second;
  }

  double curvature(int64_t first, int64_t second, const float *row) const {
    const double both = 2.0 * static_cast<double>(row[number_[second]]);
    return std::max(diagonal_[first] + diagonal_[second] - both, SMALLEST);
  }

  State step_of_one() {
    double best = 0.0;
    int64_t chosen = -1;
    gap_ = 0.0;
    for (int64_t t = 0; t < active_; ++t) {
      const double slope = violation(t);
      gap_ = std::max(gap_, slope);
      if (slope * slope > best * std::max(diagonal_[t], SMALLEST)) {
        best = slope * slope / std::max(diagonal_[t], SMALLEST);
        chosen = t;
      }
    }
    if (chosen < 0 || gap_ < options_.tolerance) return CONVERGED;
    const float *row = row_or_wish(chosen);
    if (row == nullptr) return WANTS_ROWS;
    const double target = value_[chosen] - gradient_[chosen] / std::max(diagonal_[chosen], SMALLEST);
    const double next = std::min(std::max(target, low_[chosen]), high_[chosen]), move = next - value_[chosen];
    value_[chosen] = next;
    for (int64_t t = 0; t < active_; ++t) gradient_[t] += move * static_cast<double>(row[number_[t]]);
    return PAUSED;
  }

  // How steeply the objective falls in the direction that the bounds allow; 0 if they allow none.
  double violation(int64_t t) const {
    if (gradient_[t] < 0.0) return value_[t] < high_[t] ? -gradient_[t] : 0.0;
    return value_[t] > low_[t] ? gradient_[t] : 0.0;
  }

  // The row of a member; if it is missing, it is requested together with those that may be needed next.
  const float *row_or_wish(int64_t member) {
    const float *row = rows_->find(number_[member]);
    if (row != nullptr) return row;
    wanted_.assign(1, number_[member]);
    candidates_.clear();
    for (int64_t t = 0; t < active_; ++t)
      if (t != member && !rows_->holds(number_[t]) && violation(t) > 0.0)
        candidates_.push_back({-violation(t), number_[t]});
    const int64_t extra = std::min<int64_t>(batch_ - 1, static_cast<int64_t>(candidates_.size()));
    std::partial_sort(candidates_.begin(), candidates_.begin() + extra, candidates_.end());
    for (int64_t i = 0; i < extra; ++i)
      if (!wanted(candidates_[i].second)) wanted_.push_back(candidates_[i].second);
    return nullptr;
  }

  bool wanted(int64_t number) const { return std::find(wanted_.begin(), wanted_.end(), number) != wanted_.end(); }

  // Leaves out the members that stay at their bounds; near the end all of them are checked again, once.
  void shrink() {
    if (!looked_again_ && gap_ <= 10.0 * options_.tolerance) {
      looked_again_ = true;
      if (active_ < size()) {
        start_rebuilding();
        return;
      }
    }
    double up = options_.bias ? -INFINITE : 0.0, down = up;
    for (int64_t t = 0; t < active_; ++t) {
      if (value_[t] < high_[t]) up = std::max(up, -gradient_[t]);
      if (value_[t] > low_[t]) down = std::max(down, gradient_[t]);
    }
    if (!options_.bias) up = down = std::max(up, down);
    std::vector<int64_t> order, left_out;
    for (int64_t t = 0; t < active_; ++t) {
      const bool stays_high = value_[t] >= high_[t] && gradient_[t] < -up;
      const bool stays_low = value_[t] <= low_[t] && gradient_[t] > down;
      (stays_high || stays_low ? left_out : order).push_back(t);
    }
    if (left_out.empty()) return;
    active_ = static_cast<int64_t>(order.size());
    order.insert(order.end(), left_out.begin(), left_out.end());
    for (std::vector<double> *array : {&target_, &low_, &high_, &value_, &gradient_, &diagonal_})
      permute(order, *array);
    permute(order, number_);
    permute(order, place_);
  }

  template <class Number>
  static void permute(const std::vector<int64_t> &order, std::vector<Number> &array) {
    const std::vector<Number> before(array.begin(), array.begin() + order.size());
    for (size_t i = 0; i < order.size(); ++i) array[i] = before[order[i]];
  }

  GramRows *rows_ = nullptr;
  DualOptions options_;
  std::vector<int64_t> number_, place_;  // of each member, the active ones first
  std::vector<double> target_, low_, high_, value_, gradient_, diagonal_;
  std::vector<int64_t> wanted_;
  std::vector<std::pair<double, int64_t>> candidates_;
  int64_t active_ = 0, rebuild_at_ = -1, until_shrinking_ = 0, batch_ = 1, steps_ = 0;
  double gap_ = INFINITE;
  bool looked_again_ = false;
};

}  // namespace kakari
