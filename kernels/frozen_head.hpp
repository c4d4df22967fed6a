// Sums over the simplex arrays of common features: gathers, or whole rows where bytes and AVX2 allow it.
#pragma once
#include <cstring>

#include "frozen_arrays.hpp"
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

namespace kakari {

inline int64_t choose(int64_t n, int k) {
    switch (k) {
        case 1: return n;
        case 2: return n * (n - 1) / 2;
        case 3: return n * (n - 1) * (n - 2) / 6;
        default: return n * (n - 1) / 2 * ((n - 2) * (n - 3) / 2) / 6;
    }
}

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
inline typename Accumulator<Weight>::type gather(const Weight* weights, const int32_t* places, int64_t count) {
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

// ---- triples of byte weights by whole rows ----
// The weights {c, b, a} of one c and b are the b bytes of a row. A mask with a one for each feature of the
// example before b, multiplied in, makes a row's sum two instructions for 32 features, hit or not.

constexpr int64_t row_step = 32;

inline int64_t mask_stride(int64_t common) { return (common + row_step - 1) / row_step * row_step; }

inline bool rows_by_vector() {
#if defined(__x86_64__) && defined(__GNUC__)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

// Row i of the masks has the features before the i-th, as far as the i-th.
inline void fill_row_masks(const FrozenArrays& model, FrozenScratch& scratch) {
    const int64_t stride = mask_stride(model.common);
    if (int64_t(scratch.row_masks.size()) < scratch.head_size * stride)
        scratch.row_masks.resize(scratch.head_size * stride);
    for (int64_t i = 1; i < scratch.head_size; ++i) {
        uint8_t* mask = scratch.row_masks.data() + i * stride;
        std::memset(mask, 0, mask_stride(scratch.ranks[i]));
        for (int64_t j = 0; j < i; ++j) mask[scratch.ranks[j]] = 1;
    }
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) inline int64_t sum_rows(const int8_t* block, const int8_t* end, int64_t before,
                                                        const FrozenArrays& model, const FrozenScratch& scratch) {
    constexpr int most_steps = 120;  // of two products of at most 128 each, in 16 bits
    const int64_t stride = mask_stride(model.common);
    const __m256i ones = _mm256_set1_epi16(1);
    __m256i narrow = _mm256_setzero_si256(), wide = _mm256_setzero_si256();
    int64_t beyond = 0;
    int steps = 0;
    for (int64_t i = 1; i < before; ++i) {
        const int64_t length = scratch.ranks[i];
        const int8_t* row = block + length * (length - 1) / 2;
        if (end - row < mask_stride(length)) {  // a step would leave the array
            beyond += gather(row, scratch.ranks.data(), i);
            continue;
        }
        const uint8_t* mask = scratch.row_masks.data() + i * stride;
        for (int64_t at = 0; at < length; at += row_step) {
            const __m256i weights = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(row + at));
            const __m256i wanted = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(mask + at));
            narrow = _mm256_add_epi16(narrow, _mm256_maddubs_epi16(wanted, weights));
            if (++steps == most_steps) {
                wide = _mm256_add_epi32(wide, _mm256_madd_epi16(narrow, ones));
                narrow = _mm256_setzero_si256();
                steps = 0;
            }
        }
    }
    wide = _mm256_add_epi32(wide, _mm256_madd_epi16(narrow, ones));
    alignas(32) int32_t lanes[8];
    _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), wide);
    for (int32_t lane : lanes) beyond += lane;
    return beyond;
}
#else
inline int64_t sum_rows(const int8_t*, const int8_t*, int64_t, const FrozenArrays&, const FrozenScratch&) { return 0; }
#endif

}  // namespace kakari
