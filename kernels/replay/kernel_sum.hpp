// Sum of coefficient * (1 + shared)^degree over a run of support vectors, from how many features each shares.
//
// Eight sums side by side, so that no addition waits for the one before. The kernels of 64 support vectors
// are computed first: two plain loops, which compilers turn into wide registers where the processor has them. The
// order of the additions is the same on all of them, and so is the result.
#pragma once

#include <cstdint>

#include "kernels/hardware/processor.hpp"

namespace kakari {

template <int degree, class Count>
KAKARI_INLINE double kernel_of(Count shared) {
  const double base = 1.0 + static_cast<double>(static_cast<int32_t>(shared));  // as whole numbers convert fastest
  double power = base;
  for (int factor = 1; factor < degree; ++factor) power *= base;
  return power;
}

constexpr int SUMS = 8;

// Add all whole runs of `run` support vectors; return where the next would begin.
template <int degree, int run, class Count>
KAKARI_INLINE int64_t add_runs(const double *coefficients, const Count *shared, int64_t begin, int64_t length,
                               double *sums) {
  double kernels[run];
  for (; begin + run <= length; begin += run) {
    for (int i = 0; i < run; ++i) kernels[i] = kernel_of<degree>(shared[begin + i]);
    for (int i = 0; i < run; i += SUMS)
      for (int lane = 0; lane < SUMS; ++lane) sums[lane] += coefficients[begin + i + lane] * kernels[i + lane];
  }
  return begin;
}

template <int degree, class Count>
KAKARI_INLINE double kernel_sum_body(const double *coefficients, const Count *shared, int64_t length) {
  double sums[SUMS] = {}, total = 0;
  int64_t begin = add_runs<degree, 64>(coefficients, shared, 0, length, sums);
  begin = add_runs<degree, SUMS>(coefficients, shared, begin, length, sums);
  for (; begin < length; ++begin) total += coefficients[begin] * kernel_of<degree>(shared[begin]);
  for (double sum : sums) total += sum;
  return total;
}

template <class Count>
KAKARI_INLINE double kernel_sum_of_degree(int degree, const double *coefficients, const Count *shared, int64_t length) {
  switch (degree) {
    case 1:
      return kernel_sum_body<1>(coefficients, shared, length);
    case 2:
      return kernel_sum_body<2>(coefficients, shared, length);
    case 3:
      return kernel_sum_body<3>(coefficients, shared, length);
    default:
      return kernel_sum_body<4>(coefficients, shared, length);
  }
}

#ifdef KAKARI_WIDE
template <class Count>
KAKARI_WIDE double kernel_sum_wide(int degree, const double *coefficients, const Count *shared, int64_t length) {
  return kernel_sum_of_degree(degree, coefficients, shared, length);
}
#endif

template <class Count>
double kernel_sum(int degree, const double *coefficients, const Count *shared, int64_t length) {
#ifdef KAKARI_WIDE
  if (has_wide_registers()) return kernel_sum_wide(degree, coefficients, shared, length);
#endif
  return kernel_sum_of_degree(degree, coefficients, shared, length);
}

}  // namespace kakari
