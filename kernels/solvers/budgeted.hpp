// Online learners that keep a support set: they remove, shrink or project.
//
// The learner holds, of its members (oldest first), the coefficients; Forgetrons also the Gram matrix and the
// value of f at each member, Projectrons a Cholesky factor. Updates are O(members), projections O(members²).
// Values are worked out again after every REFRESH removals, so that rounding errors do not pile up.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "kernels/hardware/mixing.hpp"
#include "kernels/solvers/cholesky.hpp"

namespace kakari {

enum class BudgetRule {
  RANDOM_BUDGET = 0,
  FORGETRON = 1,
  SELF_TUNED_FORGETRON = 2,
  GREEDY_FORGETRON = 3,
  PROJECTRON = 4,
  PROJECTRON_PLUS = 5,
  FORGETFUL_PROJECTRON = 6
};

class BudgetedLearner {
 public:
  BudgetRule rule = BudgetRule::FORGETRON;
  int64_t budget = -1;       // members at most; -1: any number
  double eta = 0.1;          // η of the Projectrons
  bool dynamic_eta = false;  // η from the budget instead
  uint64_t random_state = 0;

  int64_t seen = 0, mistakes = 0;
  double damage = 0.0;  // Q of the self-tuned Forgetron

  int64_t size() const { return static_cast<int64_t>(members_.size()); }
  const std::vector<int64_t> &members() const { return members_; }
  const std::vector<double> &coefficients() const { return coefficients_; }

  // Members are named by their column in `kernel`; between runs the caller may number the columns again.
  void set_member(int64_t i, int64_t name) { members_[i] = name; }

  // The state of a member, for saving: its coefficient, its value, its rows of the Gram matrix and of the
  // factor.
  double value(int64_t i) const { return values_[i]; }
  double gram(int64_t i, int64_t j) const { return keeps_gram() ? gram_[slots_[i]][slots_[j]] : 0.0; }
  double factor(int64_t i, int64_t j) const { return keeps_factor() ? factor_.row(i)[j] : 0.0; }
  int64_t removals() const { return removals_; }

  void restore(int64_t count, const double *coefficients, const double *values, const double *gram,
               const double *factor, int64_t removals) {
    std::vector<double> row;
    for (int64_t i = 0; i < count; ++i) {
      k_.assign(gram + i * count, gram + i * count + i);
      add({i, 0.0, 0.0, gram[i * count + i]}, coefficients[i]);
      row.assign(factor + i * count, factor + i * count + i);
      if (keeps_factor()) factor_.append(row, factor[i * count + i]);
    }
    values_.assign(values, values + count);
    removals_ = removals;
  }

  // kernel: count × width, each example with the known columns; the examples themselves are the last `count`.
  void run(int64_t count, int64_t width, const double *labels, const double *kernel, double *values,
           int64_t *mistake_curve, int64_t *support_curve) {
    for (int64_t t = 0; t < count; ++t) {
      const double *row = kernel + t * width;
      const int64_t name = width - count + t;
      k_.resize(size());
      double value = 0.0;
      for (int64_t i = 0; i < size(); ++i) {
        k_[i] = row[members_[i]];
        value += coefficients_[i] * k_[i];
      }
      values[t] = value;
      seen += 1;
      mistakes += labels[t] * value <= 0.0;
      learn({name, labels[t], value, row[name]});
      mistake_curve[t] = mistakes;
      support_curve[t] = size();
    }
  }

 private:
  static constexpr int64_t REFRESH = 256;

  struct Example {
    int64_t name;
    double label, value, self;
  };

  void learn(const Example &x) {
    const bool mistake = x.label * x.value <= 0.0;
    if (rule == BudgetRule::PROJECTRON || rule == BudgetRule::PROJECTRON_PLUS)
      learn_by_projection(x, mistake);
    else if (mistake && rule == BudgetRule::FORGETFUL_PROJECTRON)
      learn_forgetfully(x);
    else if (mistake && rule == BudgetRule::RANDOM_BUDGET)
      learn_at_random(x);
    else if (mistake)
      learn_and_forget(x);
  }

  // Randomised budget perceptron: a random member is removed.
  void learn_at_random(const Example &x) {
    if (size() == budget) remove(static_cast<int64_t>(draw(random_state) % static_cast<uint64_t>(size())));
    add(x, x.label);  // k_ no longer fits, but is only for the Gram matrix, which is not kept here
  }

  // Forgetrons: add; when there is one member too many, choose one, shrink all, remove it.
  void learn_and_forget(const Example &x) {
    add(x, x.label);
    if (size() <= budget) return;
    const int64_t victim = rule == BudgetRule::GREEDY_FORGETRON ? least_missed() : 0;
    const double sigma = std::fabs(coefficients_[victim]);
    const double mu = (coefficients_[victim] < 0.0 ? -1.0 : 1.0) * values_[victim];
    double shrink;
    if (rule == BudgetRule::FORGETRON) {
      const double size = budget + 1.0, norm = std::sqrt(std::max(0.0, squared_norm()));
      shrink = std::min(std::pow(size, -0.5 / size), largest_norm() / norm);
    } else {
      shrink = gentlest_shrinking(sigma, mu);
      damage += missed(sigma * shrink, mu * shrink);
    }
    for (int64_t i = 0; i < this->size(); ++i) {
      coefficients_[i] *= shrink;
      values_[i] *= shrink;
    }
    remove(victim);
  }

  // Ψ: what removing a member of coefficient sigma costs, where mu = y f(x) at the member.
  static double missed(double sigma, double mu) { return sigma * sigma + 2.0 * sigma - 2.0 * sigma * mu; }

  int64_t least_missed() const {
    int64_t best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (int64_t i = 0; i + 1 < size(); ++i) {  // not the one just added
      const double sign = coefficients_[i] < 0.0 ? -1.0 : 1.0;
      const double cost = missed(std::fabs(coefficients_[i]), sign * values_[i]);
      if (cost < least) {
        least = cost;
        best = i;
      }
    }
    return least <= 15.0 / 32.0 ? best : 0;
  }

  // The largest φ in (0, 1] with φ²(σ² − 2σμ) + 2σφ + Q ≤ 15/32 M.
  double gentlest_shrinking(double sigma, double mu) const {
    const double a = sigma * sigma - 2.0 * sigma * mu, b = 2.0 * sigma;
    const double c = damage - 15.0 / 32.0 * static_cast<double>(mistakes);
    if (a + b + c <= 0.0) return 1.0;
    const double root = std::sqrt(std::max(0.0, b * b - 4.0 * a * c));
    return std::min(1.0, std::max(std::numeric_limits<double>::min(), -2.0 * c / (b + root)));
  }

  double largest_norm() const { return 0.25 * std::sqrt((budget + 1.0) / std::log(budget + 1.0)); }  // U

  double squared_norm() const {
    double total = 0.0;
    for (int64_t i = 0; i < size(); ++i) total += coefficients_[i] * values_[i];
    return total;
  }

  void learn_by_projection(const Example &x, bool mistake) {
    const double loss = 1.0 - x.label * x.value;
    if (loss <= 0.0 || !(mistake || rule == BudgetRule::PROJECTRON_PLUS)) return;
    const double projected = factor_.project(k_.data(), forward_);  // ‖P k‖²
    const double squared_distance = x.self - projected;
    const bool inside = squared_distance <= 1e-12 * x.self;
    const double distance = inside ? 0.0 : std::sqrt(squared_distance);
    const double limit = dynamic_eta ? (2.0 * loss - projected - 0.5) / (2.0 * largest_norm()) : eta;
    if (mistake) {
      const bool full = budget >= 0 && size() >= budget;
      if (inside || full || distance <= limit)
        add_projection(x.label);
      else
        append(x, distance);
    } else if (limit > 0.0 && loss - distance / limit > 0.0 && projected > 0.0) {
      const double slack = 2.0 * (loss - distance / limit);
      add_projection(x.label * std::min(1.0, std::min(loss, slack) / projected));
    }
  }

  // The newest always stays; the oldest is projected onto the others.
  void learn_forgetfully(const Example &x) {
    const double squared_distance = x.self - factor_.project(k_.data(), forward_);
    if (squared_distance <= 1e-12 * x.self) return add_projection(x.label);
    append(x, std::sqrt(squared_distance));
    if (size() <= budget) return;
    const double coefficient = coefficients_[0];
    k_.resize(size() - 1);
    for (int64_t i = 1; i < size(); ++i) k_[i - 1] = gram_[slots_[0]][slots_[i]];
    factor_.remove(0);
    remove(0);
    factor_.project(k_.data(), forward_);
    add_projection(coefficient);
  }

  void append(const Example &x, double distance) {
    factor_.append(forward_, distance);
    add(x, x.label);
  }

  void add_projection(double factor) {
    factor_.coefficients(forward_, solution_);
    for (int64_t i = 0; i < size(); ++i) coefficients_[i] += factor * solution_[i];
  }

  bool keeps_values() const { return rule >= BudgetRule::FORGETRON && rule <= BudgetRule::GREEDY_FORGETRON; }
  bool keeps_factor() const { return rule >= BudgetRule::PROJECTRON; }
  bool keeps_gram() const { return keeps_values() || rule == BudgetRule::FORGETFUL_PROJECTRON; }

  // k_ holds the kernel of x with the members.
  void add(const Example &x, double coefficient) {
    if (keeps_values())
      for (int64_t i = 0; i < size(); ++i) values_[i] += coefficient * k_[i];
    if (keeps_gram()) add_to_gram(x.self);
    members_.push_back(x.name);
    coefficients_.push_back(coefficient);
    values_.push_back(x.value + coefficient * x.self);
  }

  // Each member has a slot, a row and column of the matrix; those of removed members are used again.
  void add_to_gram(double self) {
    if (free_.empty()) {
      free_.push_back(static_cast<int64_t>(gram_.size()));
      gram_.emplace_back();
    }
    const int64_t slot = free_.back();
    free_.pop_back();
    gram_[slot].resize(std::max(gram_[slot].size(), gram_.size()));
    gram_[slot][slot] = self;
    for (int64_t i = 0; i < size(); ++i) {
      std::vector<double> &row = gram_[slots_[i]];
      if (static_cast<int64_t>(row.size()) <= slot) row.resize(gram_.size());
      row[slot] = gram_[slot][slots_[i]] = k_[i];
    }
    slots_.push_back(slot);
  }

  void remove(int64_t member) {
    if (keeps_values()) {
      const std::vector<double> &row = gram_[slots_[member]];
      for (int64_t i = 0; i < size(); ++i) values_[i] -= coefficients_[member] * row[slots_[i]];
    }
    if (keeps_gram()) {
      free_.push_back(slots_[member]);
      slots_.erase(slots_.begin() + member);
    }
    members_.erase(members_.begin() + member);
    coefficients_.erase(coefficients_.begin() + member);
    values_.erase(values_.begin() + member);
    if (++removals_ % REFRESH == 0 && keeps_values()) refresh();
  }

  void refresh() {
    for (int64_t i = 0; i < size(); ++i) {
      values_[i] = 0.0;
      for (int64_t j = 0; j < size(); ++j) values_[i] += coefficients_[j] * gram_[slots_[i]][slots_[j]];
    }
  }

  std::vector<int64_t> members_, slots_, free_;
  std::vector<double> coefficients_, values_, k_, forward_, solution_;
  std::vector<std::vector<double>> gram_;
  CholeskyFactor factor_;
  int64_t removals_ = 0;
};

}  // namespace kakari
