// The small problem of a cutting-plane method: minimise ½ aᵀHa − dᵀa over multipliers a ≥ 0 that add up to at most C.
//
// What is left of C is one more multiplier, without row and offset, so that a step always moves weight from one to
// another: to the one with the steepest descent, from the one with the largest gain. O(cuts) a step.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kakari {

// `gram` has `count` rows of `width`; `multipliers` are the start and the result. Returns the number of steps.
inline int64_t solve_cuts(int64_t count, int64_t width, const double *gram, const double *offsets, double total,
                          double tolerance, int64_t limit, double *multipliers) {
  std::vector<double> gradient(count + 1, 0.0), value(multipliers, multipliers + count);
  double used = 0.0;
  for (int64_t i = 0; i < count; ++i) used += value[i];
  value.push_back(std::max(0.0, total - used));
  const auto entry = [&](int64_t i, int64_t j) { return i == count || j == count ? 0.0 : gram[i * width + j]; };
  for (int64_t i = 0; i < count; ++i) {
    gradient[i] = -offsets[i];
    for (int64_t j = 0; j < count; ++j) gradient[i] += gram[i * width + j] * value[j];
  }
  int64_t steps = 0;
  for (; steps < limit; ++steps) {
    const int64_t to = std::min_element(gradient.begin(), gradient.end()) - gradient.begin();
    int64_t from = -1;
    double worst = 0.0, best = 0.0;
    for (int64_t j = 0; j <= count; ++j) {
      const double slope = gradient[j] - gradient[to];
      if (value[j] <= 0.0 || slope <= 0.0) continue;
      worst = std::max(worst, slope);
      const double curvature = std::max(entry(to, to) + entry(j, j) - 2.0 * entry(to, j), 1e-12);
      // What this one can bring, given how much it has.
      const double move = std::min(slope / curvature, value[j]);
      const double gain = move * (slope - 0.5 * move * curvature);
      if (gain > best) {
        best = gain;
        from = j;
      }
    }
    if (from < 0 || worst < tolerance) break;
    const double curvature = std::max(entry(to, to) + entry(from, from) - 2.0 * entry(to, from), 1e-12);
    const double wanted = (gradient[from] - gradient[to]) / curvature;
    const double move = std::min(wanted, value[from]);
    value[from] = move == value[from] ? 0.0 : value[from] - move;
    value[to] += move;
    for (int64_t i = 0; i < count; ++i) gradient[i] += move * (entry(i, to) - entry(i, from));
  }
  std::copy(value.begin(), value.begin() + count, multipliers);
  return steps;
}

}  // namespace kakari
