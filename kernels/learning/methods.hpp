// The five exact ways to compute a margin, by the numbers that cross from Cython.
#pragma once

namespace kakari {

enum Method { NAIVE = 0, INVERTED = 1, EXPANSION = 2, SPLITTING = 3, SLICING = 4 };

}  // namespace kakari
