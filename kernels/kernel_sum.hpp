// Sum of coefficient * (1 + shared)^degree over a run of support vectors, from how many features each shares.
//
// Four sums side by side, so that one addition need not wait for the one before, in one register where the
// processor has it that wide. The order of the additions is the same on all of them, and so is the result.
#pragma once

#include <cstdint>
#include <cstring>

#include "processor.hpp"

namespace kakari {

template <int degree, class Count>
KAKARI_INLINE double kernel_sum_body(const double* coefficients, const Count* shared, int64_t length) {
    typedef double Four __attribute__((vector_size(32)));
    typedef int32_t Whole __attribute__((vector_size(16)));
    typedef Count Narrow __attribute__((vector_size(4 * sizeof(Count))));
    Four sums = {};
    int64_t i = 0;
    for (; i + 4 <= length; i += 4) {
        Narrow counts;
        Four alphas;
        std::memcpy(&counts, shared + i, sizeof counts);
        std::memcpy(&alphas, coefficients + i, sizeof alphas);
        const Four base = __builtin_convertvector(__builtin_convertvector(counts, Whole), Four) + 1.0;
        Four power = base;
        for (int factor = 1; factor < degree; ++factor) power *= base;
        sums += alphas * power;
    }
    for (; i < length; ++i) {
        const double base = 1.0 + static_cast<double>(shared[i]);
        double power = base;
        for (int factor = 1; factor < degree; ++factor) power *= base;
        sums[0] += coefficients[i] * power;
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

template <class Count>
KAKARI_INLINE double kernel_sum_of_degree(int degree, const double* coefficients, const Count* shared,
                                          int64_t length) {
    switch (degree) {
        case 1: return kernel_sum_body<1>(coefficients, shared, length);
        case 2: return kernel_sum_body<2>(coefficients, shared, length);
        case 3: return kernel_sum_body<3>(coefficients, shared, length);
        default: return kernel_sum_body<4>(coefficients, shared, length);
    }
}

#ifdef KAKARI_WIDE
template <class Count>
KAKARI_WIDE double kernel_sum_wide(int degree, const double* coefficients, const Count* shared,
                                   int64_t length) {
    return kernel_sum_of_degree(degree, coefficients, shared, length);
}
#endif

template <class Count>
double kernel_sum(int degree, const double* coefficients, const Count* shared, int64_t length) {
#ifdef KAKARI_WIDE
    if (has_wide_registers()) return kernel_sum_wide(degree, coefficients, shared, length);
#endif
    return kernel_sum_of_degree(degree, coefficients, shared, length);
}

}  // namespace kakari
