// What this processor can do beyond the least of its family, asked once at run time.
//
// A body marked KAKARI_INLINE is compiled into each function that calls it: into a plain one, and into one
// marked KAKARI_WIDE for x86-64 with 256-bit registers. Where that is not to be asked (other processors, or a
// build that takes them for granted) KAKARI_WIDE is not defined.
#pragma once

#include <cstdint>

#define KAKARI_INLINE inline __attribute__((always_inline))

#if defined(__x86_64__) && !defined(__AVX2__)
#define KAKARI_WIDE __attribute__((target("avx2")))
#endif

namespace kakari {

#ifdef KAKARI_WIDE
inline bool has_wide_registers() {
    static const bool answer = __builtin_cpu_supports("avx2");
    return answer;
}
#endif

// The number of ones in a word, by the instruction that the first x86-64 processors lacked.
inline int count_ones(uint64_t word) {
#if defined(__x86_64__) && !defined(__POPCNT__)
    static const bool has_instruction = __builtin_cpu_supports("popcnt");
    if (__builtin_expect(has_instruction, 1)) {
        uint64_t ones;
        __asm__("popcnt %1, %0" : "=r"(ones) : "r"(word) : "cc");
        return static_cast<int>(ones);
    }
#endif
    return __builtin_popcountll(word);
}

}  // namespace kakari
