// Sums over the simplex arrays of common features. (Masked sums of whole byte rows by AVX2 were slower.)
#pragma once
#include "kernels/frozen/arrays.hpp"
#include "kernels/sets/binomials.hpp"

namespace kakari {

// Floats are summed as float64, scaled integers exactly.
template <class Weight>
struct Accumulator {
  using type = int64_t;
};
template <>
struct Accumulator<float> {
  using type = double;
};
template <>
struct Accumulator<double> {
  using type = double;
};

template <class Weight>
inline typename Accumulator<Weight>::type gather(const Weight *weights, const int32_t *places, int64_t count) {
  typename Accumulator<Weight>::type a = 0, b = 0, c = 0, d = 0;
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    a += weights[places[i]];
    b += weights[places[i + 1]];
    c += weights[places[i + 2]];
    d += weights[places[i + 3]];
  }
  for (; i < count; ++i) a += weights[places[i]];
  return (a + b) + (c + d);
}

}  // namespace kakari
