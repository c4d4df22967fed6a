// Step sizes of the online learners: the perceptron's and the three passive-aggressive ones.
//
// Steps are rounded to multiples of 2^-42 (finer where kernels are huge). Kernels of sets are integers, so margins are
// then sums of multiples of one number, and exact in double precision while they stay below 2^11: every order of
// summation gives the same bits. Without that, methods that agree to 1e-13 on a margin would differ after some passes,
// because steps divided by |x| overshoot and amplify rounding errors.
#pragma once

#include <algorithm>
#include <cmath>

namespace kakari {

enum class Rule { PERCEPTRON = 0, PA = 1, PA1 = 2, PA2 = 3 };

struct StepOptions {
  Rule rule = Rule::PA1;
  bool kernel_step = true;  // divide the loss by k(x, x), else by |x|
  double cost = 1;
};

constexpr int STEP_BITS = 42;   // fractional bits of a step
constexpr int SCALE_BITS = 22;  // a kernel k(x, x) of more bits, or a cost with more zeros in front, has finer steps

inline double own_kernel(int degree, int length) {
  double value = 1;
  for (int i = 0; i < degree; ++i) value *= 1.0 + length;
  return value;
}

inline double rounded_step(const StepOptions &options, double amount, double kernel) {
  const int finer = std::max(std::ilogb(kernel), -std::ilogb(options.cost)) - SCALE_BITS;
  const int bits = STEP_BITS + std::max(0, finer);
  return std::ldexp(std::nearbyint(std::ldexp(amount, bits)), -bits);
}

// The amount to add, not negative, for an example of `length` features whose `margin` should be at least one.
// `directions` is the number of weight vectors that move: one of a binary model, two of a multi-class one.
template <int degree>
inline double step_amount(const StepOptions &options, double margin, int length, double weight, int directions) {
  const double loss = 1 - margin;
  const double kernel = own_kernel(degree, length);
  const double norm = directions * (options.kernel_step ? kernel : std::max(length, 1));
  double amount = 0;
  if (options.rule == Rule::PERCEPTRON) {
    amount = margin <= 0 ? weight : 0;
  } else if (loss > 0 && weight > 0) {
    amount = options.rule == Rule::PA2 ? loss / (norm + 1 / (2 * options.cost * weight)) : loss / norm;
    if (options.rule == Rule::PA1) amount = std::min(amount, options.cost * weight);
  }
  return amount > 0 ? rounded_step(options, amount, kernel) : 0;
}

}  // namespace kakari
