// Support vector machines in the dual: minimise ½ vᵀKv − tᵀv over coefficients v that are bounded by 0 and the
// example's cost, on the side of its sign; with a bias they also add up to 0. The target t is the sign itself in
// classification. In regression an example is a member twice, once for each side of its tube, with t = y ∓ ε.
//
// A round takes some members that violate optimality most, in both directions, solves the problem of these alone
// (working_set.hpp), and adds what has changed to the gradient of all in one pass (row_passes.hpp), which also finds the
// next members. The pass reads rows of K in order, without looking up where a member stands: members are stretches of
// consecutive numbers, two of them in a machine for two classes whose examples are sorted. Members that have no such
// order have their rows copied first. Rows come from a cache that may lack them: `run` then returns the rows it needs,
// and continues from the same place when it is called again. So the solver has no callbacks, and can be stopped between
// any two steps.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "kernels/solvers/gram_rows.hpp"
#include "kernels/solvers/row_passes.hpp"
#include "kernels/solvers/working_set.hpp"

namespace kakari {

struct DualOptions {
  double tolerance = 1e-3;
  bool bias = true;
};

class DualSolver {
 public:
  enum State { CONVERGED = 0, WANTS_ROWS = 1, PAUSED = 2, STUCK = 3 };

  // Of each member: its number among the rows, its sign, target, cost, and start (signed; the caller sees to Σ = 0).
  void start(GramRows &rows, int64_t count, const int64_t *numbers, const double *signs, const double *targets,
             const double *costs, const double *values, const DualOptions &options) {
    rows_ = &rows;
    options_ = options;
    for (int64_t i = 0; i < count; ++i) {
      const double low = signs[i] > 0 ? 0.0 : -costs[i], high = signs[i] > 0 ? costs[i] : 0.0;
      number_.push_back(numbers[i]);
      target_.push_back(targets[i]);
      low_.push_back(low);
      high_.push_back(high);
      value_.push_back(std::min(std::max(values[i], low), high));
      gradient_.push_back(-targets[i]);
    }
    may_rise_.resize(count);
    may_fall_.resize(count);
    for (int64_t t = 0; t < count; ++t) note_bounds(t);
    divide();
    most_ = std::min<int64_t>(MOST, rows.capacity());
    rebuild_at_ = 0;  // a warm start has a gradient of its own
  }

  State run(int64_t steps) {
    while (true) {
      if (rebuild_at_ >= 0 && !rebuild()) return WANTS_ROWS;
      choose();
      if (gap_ < options_.tolerance) return CONVERGED;
      if (steps <= 0) return PAUSED;
      if (!has_rows()) return WANTS_ROWS;
      const int64_t done = improve(steps);
      steps -= done;
      steps_ += done;
      if (!changes_.empty()) {
        is_fresh_ = false;
      } else {  // what would be gained is lost in rounding; a gradient that is worked out again may tell better
        if (is_fresh_) return STUCK;
        start_rebuilding();
      }
    }
  }

  const std::vector<int64_t> &wanted() const { return wanted_; }
  int64_t steps() const { return steps_; }
  double gap() const { return gap_; }

  double objective() const {
    double sum = 0.0;
    for (int64_t t = 0; t < size(); ++t) sum += value_[t] * (gradient_[t] - target_[t]);
    return 0.5 * sum;
  }

  // The bias: it is added to Σ v K so that free coefficients have margin 1.
  double bias() const {
    if (!options_.bias) return 0.0;
    double sum = 0.0, up = NONE, down = NONE;
    int64_t free = 0;
    for (int64_t t = 0; t < size(); ++t) {
      if (may_rise(t) && may_fall(t)) {
        sum -= gradient_[t];
        ++free;
      }
      if (may_rise(t)) up = std::max(up, -gradient_[t]);
      if (may_fall(t)) down = std::max(down, gradient_[t]);
    }
    if (free > 0) return sum / static_cast<double>(free);
    if (up == NONE) return down == NONE ? 0.0 : -down;
    return down == NONE ? up : (up - down) / 2;
  }

  void write(double *values) const { std::copy(value_.begin(), value_.end(), values); }

 private:
  static constexpr double NONE = -std::numeric_limits<double>::infinity();
  static constexpr int64_t MOST = 8;       // members of a working set
  static constexpr int64_t LONGEST = 128;  // members of a stretch
  static constexpr int64_t SHORTEST = 16;  // shorter ones on average are not worth their number
  static constexpr double PART = 0.5;      // of the gap, which a working set is to reach

  struct Part {
    int64_t member, number, count;  // where it starts among the members, and in a row
    Slopes slopes;
  };

  struct Candidate {
    double slope;
    const Part *part;
  };

  int64_t size() const { return static_cast<int64_t>(value_.size()); }
  bool may_rise(int64_t t) const { return value_[t] < high_[t]; }
  bool may_fall(int64_t t) const { return value_[t] > low_[t]; }

  void note_bounds(int64_t t) {
    may_rise_[t] = may_rise(t) ? 0.0f : -std::numeric_limits<float>::infinity();
    may_fall_[t] = may_fall(t) ? 0.0f : -std::numeric_limits<float>::infinity();
  }

  // Finds the stretches of members whose numbers follow one another; short ones for few members, so that there are
  // enough to choose from.
  void divide() {
    const int64_t longest = std::max<int64_t>(1, std::min(LONGEST, size() / (2 * MOST)));
    int64_t runs = 0;
    for (int64_t t = 0; t < size(); ++t) {
      const bool follows = t > 0 && number_[t] == number_[t - 1] + 1;
      runs += !follows;
      if (follows && parts_.back().count < longest)
        ++parts_.back().count;
      else
        parts_.push_back({t, number_[t], 1, {}});
    }
    copies_ = runs * SHORTEST > size() + LONGEST;
    if (!copies_) return;
    parts_.clear();
    for (int64_t t = 0; t < size(); t += longest) parts_.push_back({t, t, std::min(longest, size() - t), {}});
    copies_of_rows_.resize(MOST * size());
  }

  void add_changes() {
    if (copies_)
      for (size_t k = 0; k < changes_.size(); ++k) {
        float *copy = copies_of_rows_.data() + k * size();
        for (int64_t t = 0; t < size(); ++t) copy[t] = changes_[k].values[number_[t]];
        changes_[k].values = copy;
      }
    for (Part &part : parts_) {
      const Stretch stretch{gradient_.data() + part.member, may_rise_.data() + part.member,
                            may_fall_.data() + part.member, part.count, part.number};
      part.slopes = add_rows(stretch, changes_.data(), static_cast<int64_t>(changes_.size()));
    }
  }

  void start_rebuilding() {
    rebuild_at_ = 0;
    for (int64_t t = 0; t < size(); ++t) gradient_[t] = -target_[t];
  }

  // Works out the gradient of all; false if rows are missing.
  bool rebuild() {
    changes_.clear();
    for (; rebuild_at_ < size(); ++rebuild_at_) {
      if (value_[rebuild_at_] == 0.0) continue;
      const float *row = rows_->find(number_[rebuild_at_]);
      if (row == nullptr) {
        add_changes();  // these rows may be dropped for the next
        wanted_.clear();
        for (int64_t s = rebuild_at_; s < size() && static_cast<int64_t>(wanted_.size()) < most_; ++s)
          if (value_[s] != 0.0 && !rows_->holds(number_[s])) want(number_[s]);
        return false;
      }
      changes_.push_back({row, value_[rebuild_at_]});
      if (changes_.size() == MOST) {
        add_changes();
        changes_.clear();
      }
    }
    add_changes();
    rebuild_at_ = -1;
    is_fresh_ = true;
    return true;
  }

  // The working set: of the stretches with the steepest ways up and down, the members that have these. Without any,
  // the gap is 0.
  void choose() {
    rising_.clear();
    falling_.clear();
    set_.clear();
    const size_t half = static_cast<size_t>(std::max<int64_t>(1, most_ / 2));
    for (const Part &part : parts_) {
      offer(rising_, half, {part.slopes.up, &part});
      offer(falling_, half, {part.slopes.down, &part});
    }
    double up = rising_.empty() ? NONE : rising_[0].slope, down = falling_.empty() ? NONE : falling_[0].slope;
    if (options_.bias) {
      gap_ = rising_.empty() || falling_.empty() ? 0.0 : std::max(0.0, up + down);
    } else {
      gap_ = std::max(0.0, std::max(up, down));
      up = down = 0.0;
    }
    if (gap_ < options_.tolerance) return;
    // Those that violate optimality together with the first of the other side.
    for (const Candidate &one : rising_)
      if (one.slope > -down) include(*one.part, one.slope, may_rise_, -1.0);
    for (const Candidate &one : falling_)
      if (one.slope > -up) include(*one.part, one.slope, may_fall_, 1.0);
  }

  // Keeps the steepest candidates, in order; equal ones in the order of the members.
  static void offer(std::vector<Candidate> &kept, size_t most, const Candidate &one) {
    if (one.slope == NONE || (kept.size() == most && one.slope <= kept.back().slope)) return;
    if (kept.size() == most) kept.pop_back();
    size_t at = kept.size();
    kept.push_back(one);
    for (; at > 0 && kept[at - 1].slope < one.slope; --at) kept[at] = kept[at - 1];
    kept[at] = one;
  }

  // Takes the first member of a stretch whose slope is this one.
  void include(const Part &part, double slope, const std::vector<float> &may_move, double side) {
    int64_t t = part.member;
    while (static_cast<double>(may_move[t]) + side * gradient_[t] != slope) ++t;
    if (std::find(set_.begin(), set_.end(), t) == set_.end()) set_.push_back(t);
  }

  // Finds the rows of the working set; those that are missing are wanted.
  bool has_rows() {
    wanted_.clear();
    set_rows_.clear();
    for (const int64_t t : set_) {
      set_rows_.push_back(rows_->find(number_[t]));
      if (set_rows_.back() == nullptr) want(number_[t]);
    }
    return wanted_.empty();
  }

  int64_t improve(int64_t most) {
    const size_t count = set_.size();
    small_.resize(count);
    for (size_t i = 0; i < count; ++i) {
      const int64_t t = set_[i];
      small_.value[i] = value_[t];
      small_.low[i] = low_[t];
      small_.high[i] = high_[t];
      small_.gradient[i] = gradient_[t];
      for (size_t j = 0; j <= i; ++j)
        small_.kernel[i * count + j] = small_.kernel[j * count + i] =
            static_cast<double>(set_rows_[i][number_[set_[j]]]);
    }
    const int64_t done = small_.improve(options_.bias, std::max(PART * gap_, 0.5 * options_.tolerance), most);
    changes_.clear();
    for (size_t i = 0; i < count; ++i) {
      const int64_t t = set_[i];
      if (small_.value[i] == value_[t]) continue;
      changes_.push_back({set_rows_[i], small_.value[i] - value_[t]});
      value_[t] = small_.value[i];
      note_bounds(t);
    }
    add_changes();
    return done;
  }

  void want(int64_t number) {
    if (std::find(wanted_.begin(), wanted_.end(), number) == wanted_.end()) wanted_.push_back(number);
  }

  GramRows *rows_ = nullptr;
  DualOptions options_;
  std::vector<Part> parts_;
  std::vector<int64_t> number_;  // of each member
  std::vector<double> target_, low_, high_, value_, gradient_;
  std::vector<float> may_rise_, may_fall_, copies_of_rows_;
  std::vector<Candidate> rising_, falling_;
  std::vector<int64_t> set_, wanted_;
  std::vector<const float *> set_rows_;
  std::vector<WeightedRow> changes_;
  WorkingSet small_;
  int64_t most_ = 2, rebuild_at_ = -1, steps_ = 0;
  double gap_ = std::numeric_limits<double>::infinity();
  bool copies_ = false;    // whether rows are copied into the order of the members
  bool is_fresh_ = false;  // whether the gradient has just been worked out again
};

}  // namespace kakari
