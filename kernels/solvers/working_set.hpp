// The dual of a support vector machine over a few members, all others being held: a small dense problem in cache.
//
// A step moves two coefficients against each other (one, without a bias): the first violates optimality most, the
// second gains most by the quadratic model of both (Fan, Chen and Lin 2005). O(members) a step.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace kakari {

class WorkingSet {
 public:
  std::vector<double> value, low, high, gradient;
  std::vector<double> kernel;  // row by row, of the members with each other

  void resize(size_t count) {
    for (std::vector<double> *array : {&value, &low, &high, &gradient}) array->resize(count);
    kernel.resize(count * count);
  }

  // Makes steps until no gradient is further from optimal than the tolerance, `most` at most; returns how many.
  int64_t improve(bool bias, double tolerance, int64_t most) {
    int64_t steps = 0;
    while (steps < most && (bias ? step_of_two(tolerance) : step_of_one(tolerance))) ++steps;
    return steps;
  }

 private:
  static constexpr double NONE = -std::numeric_limits<double>::infinity();
  static constexpr double SMALLEST = 1e-12;  // curvature of a direction that has none

  int64_t size() const { return static_cast<int64_t>(value.size()); }
  double self(int64_t t) const { return kernel[t * (size() + 1)]; }

  bool step_of_two(double tolerance) {
    const int64_t count = size();
    double up = NONE, down = NONE;
    int64_t first = -1;
    for (int64_t t = 0; t < count; ++t) {
      if (value[t] < high[t] && -gradient[t] > up) {
        up = -gradient[t];
        first = t;
      }
      if (value[t] > low[t]) down = std::max(down, gradient[t]);
    }
    if (first < 0 || !(up + down >= tolerance)) return false;
    const double *row = kernel.data() + first * count;
    double best = 0.0, curvature = 1.0;
    int64_t second = -1;
    for (int64_t t = 0; t < count; ++t) {
      const double slope = up + gradient[t];
      if (!(value[t] > low[t] && slope > 0.0)) continue;
      const double curved = std::max(row[first] + self(t) - 2.0 * row[t], SMALLEST);
      // The gain slope² / curvature is compared without dividing.
      if (slope * slope * curvature > best * curved) {
        best = slope * slope;
        curvature = curved;
        second = t;
      }
    }
    if (second < 0) return false;
    const double *other = kernel.data() + second * count;
    const double wanted = (gradient[second] - gradient[first]) / curvature;
    const double room_up = high[first] - value[first], room_down = value[second] - low[second];
    const double move = std::min(wanted, std::min(room_up, room_down));
    value[first] = move == room_up ? high[first] : value[first] + move;  // bounds are met exactly
    value[second] = move == room_down ? low[second] : value[second] - move;
    for (int64_t t = 0; t < count; ++t) gradient[t] += move * (row[t] - other[t]);
    return true;
  }

  bool step_of_one(double tolerance) {
    const int64_t count = size();
    double best = 0.0, largest = 0.0;
    int64_t chosen = -1;
    for (int64_t t = 0; t < count; ++t) {
      if (!(gradient[t] < 0.0 ? value[t] < high[t] : value[t] > low[t])) continue;
      largest = std::max(largest, std::abs(gradient[t]));
      const double gain = gradient[t] * gradient[t] / std::max(self(t), SMALLEST);
      if (gain > best) {
        best = gain;
        chosen = t;
      }
    }
    if (chosen < 0 || !(largest >= tolerance)) return false;
    const double target = value[chosen] - gradient[chosen] / std::max(self(chosen), SMALLEST);
    const double next = std::min(std::max(target, low[chosen]), high[chosen]), move = next - value[chosen];
    value[chosen] = next;
    const double *row = kernel.data() + chosen * count;
    for (int64_t t = 0; t < count; ++t) gradient[t] += move * row[t];
    return true;
  }
};

}  // namespace kakari
