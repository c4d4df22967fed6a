// The pass over all members after a round of the dual solver: changed coefficients are added to the gradient, and the
// steepest ways up and down are found, several members in a register.
//
// Each gradient adds the rows in the order in which they are given, and what is found is the largest of some numbers.
// So all builds make the same steps, bit for bit, whatever their registers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include "kernels/hardware/processor.hpp"

namespace kakari {

// Of some members: the steepest way up of those that may rise, and down of those that may fall.
struct Slopes {
  double up, down;
};

// A stretch of members. `may_rise` and `may_fall` are 0 for members that may, else -infinity. Of each row it reads what
// begins at `number`.
struct Stretch {
  double *gradient;
  const float *may_rise, *may_fall;
  int64_t count, number;
};

struct WeightedRow {
  const float *values;
  double weight;
};

#ifdef KAKARI_BUILTINS
// A register of so many bytes in double precision, and half of one in single precision. (By a macro, since GCC converts
// only vectors whose type does not depend on a template.)
template <int bytes>
struct Registers;

#define KAKARI_REGISTERS_OF(bytes)                                                                                    \
  template <>                                                                                                         \
  struct Registers<bytes> {                                                                                           \
    typedef double Doubles __attribute__((vector_size(bytes)));                                                       \
    typedef float Floats __attribute__((vector_size((bytes) / 2)));                                                   \
    static constexpr int64_t LANES = (bytes) / 8;                                                                     \
    static KAKARI_INLINE void widen(const Floats &from, Doubles &to) { to = __builtin_convertvector(from, Doubles); } \
  };
KAKARI_REGISTERS_OF(16)
KAKARI_REGISTERS_OF(32)
KAKARI_REGISTERS_OF(64)
#undef KAKARI_REGISTERS_OF

template <class R>
KAKARI_INLINE void load(const double *from, typename R::Doubles &to) {
  std::memcpy(&to, from, sizeof(to));
}

template <class R>
KAKARI_INLINE void load(const float *from, typename R::Doubles &to) {
  typename R::Floats lanes;
  std::memcpy(&lanes, from, sizeof(lanes));
  R::widen(lanes, to);
}
#endif

template <int bytes, int rows>
KAKARI_INLINE void add_some(const Stretch &at, const WeightedRow *given) {
  int64_t t = 0;
#ifdef KAKARI_BUILTINS
  using R = Registers<bytes>;
  typename R::Doubles sum, values;
  for (; t + R::LANES <= at.count; t += R::LANES) {
    load<R>(at.gradient + t, sum);
    for (int k = 0; k < rows; ++k) {
      load<R>(given[k].values + at.number + t, values);
      sum += given[k].weight * values;
    }
    std::memcpy(at.gradient + t, &sum, sizeof(sum));
  }
#endif
  for (; t < at.count; ++t)
    for (int k = 0; k < rows; ++k)
      at.gradient[t] += given[k].weight * static_cast<double>(given[k].values[at.number + t]);
}

template <int bytes>
KAKARI_INLINE Slopes slopes_of(const Stretch &at) {
  constexpr double NONE = -std::numeric_limits<double>::infinity();
  Slopes found{NONE, NONE};
  int64_t t = 0;
#ifdef KAKARI_BUILTINS
  using R = Registers<bytes>;
  typename R::Doubles gradient, rising, falling, up = NONE - typename R::Doubles{}, down = up;
  for (; t + R::LANES <= at.count; t += R::LANES) {
    load<R>(at.gradient + t, gradient);
    load<R>(at.may_rise + t, rising);
    load<R>(at.may_fall + t, falling);
    rising -= gradient;
    falling += gradient;
    up = rising > up ? rising : up;
    down = falling > down ? falling : down;
  }
  for (int lane = 0; lane < R::LANES; ++lane) {
    found.up = std::max<double>(found.up, up[lane]);
    found.down = std::max<double>(found.down, down[lane]);
  }
#endif
  for (; t < at.count; ++t) {
    found.up = std::max(found.up, static_cast<double>(at.may_rise[t]) - at.gradient[t]);
    found.down = std::max(found.down, static_cast<double>(at.may_fall[t]) + at.gradient[t]);
  }
  return found;
}

template <int bytes>
KAKARI_INLINE Slopes add_rows_body(const Stretch &at, const WeightedRow *given, int64_t rows) {
  for (; rows >= 4; rows -= 4, given += 4) add_some<bytes, 4>(at, given);
  for (; rows >= 2; rows -= 2, given += 2) add_some<bytes, 2>(at, given);
  if (rows > 0) add_some<bytes, 1>(at, given);
  return slopes_of<bytes>(at);
}

#ifdef KAKARI_WIDE
KAKARI_WIDE inline Slopes add_rows_wide(const Stretch &at, const WeightedRow *given, int64_t rows) {
  return add_rows_body<32>(at, given, rows);
}
#endif

#ifdef KAKARI_WIDEST
KAKARI_WIDEST inline Slopes add_rows_widest(const Stretch &at, const WeightedRow *given, int64_t rows) {
  return add_rows_body<64>(at, given, rows);
}
#endif

// Adds weighted rows to the gradients of a stretch; returns its slopes.
inline Slopes add_rows(const Stretch &at, const WeightedRow *given, int64_t rows) {
#ifdef KAKARI_WIDEST
  if (has_widest_registers()) return add_rows_widest(at, given, rows);
#endif
#ifdef KAKARI_WIDE
  if (has_wide_registers()) return add_rows_wide(at, given, rows);
#endif
  return add_rows_body<std::max(PLAIN_LANE, 16)>(at, given, rows);  // two doubles at least, for the compiler to lower
}

}  // namespace kakari
