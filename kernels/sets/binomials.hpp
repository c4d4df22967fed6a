// How many conjunctions of some order there are, which is also where one begins in a simplex array.
#pragma once

#include <cstdint>

namespace kakari {

template <int order>
inline int64_t choose(int64_t n) {
  if constexpr (order == 0)
    return 1;
  else
    return choose<order - 1>(n - 1) * n / order;
}
template <>
inline int64_t choose<1>(int64_t n) {
  return n;
}
template <>
inline int64_t choose<2>(int64_t n) {
  return n * (n - 1) / 2;
}

inline int64_t choose(int64_t n, int order) {
  switch (order) {
    case 0:
      return 1;
    case 1:
      return choose<1>(n);
    case 2:
      return choose<2>(n);
    case 3:
      return choose<3>(n);
    default:
      return choose<4>(n);
  }
}

}  // namespace kakari
