// Instructions that this processor has beyond the baseline of its family, detected once at run time.
//
// A body marked KAKARI_INLINE is compiled into each function that calls it: into a plain one, and into one marked
// KAKARI_WIDE for x86-64 with 256-bit registers. Where there is nothing to detect (other processors and compilers, or
// a build that requires these registers) KAKARI_WIDE is not defined. Functions marked KAKARI_WIDEST are written for
// 512 bits and the instructions that came with them in 2019 (Ice Lake, Zen 4), if the compiler supports them. The
// environment variable KAKARI_REGISTERS=128 (or 256) forbids wider ones, so that all can be compared on one machine.
// A build with KAKARI_PORTABLE has none of them, and computes the same bits.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "kernels/hardware/bits.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(KAKARI_PORTABLE)
#define KAKARI_X86
#define KAKARI_WIDEST __attribute__((target("avx512f,avx512bw,avx512vbmi,avx512vnni")))
#ifndef __AVX2__
#define KAKARI_WIDE __attribute__((target("avx2")))
#endif
#endif

namespace kakari {

// Bytes of a register that plain functions may use.
#if !defined(KAKARI_X86)
constexpr int PLAIN_LANE = 8;
#elif defined(__AVX2__)
constexpr int PLAIN_LANE = 32;
#else
constexpr int PLAIN_LANE = 16;
#endif

inline bool may_use_bits(int bits) {
  static const char *const most = std::getenv("KAKARI_REGISTERS");
  return most == nullptr || bits <= std::atoi(most);
}

#ifdef KAKARI_WIDE
inline bool has_wide_registers() {
  static const bool answer = may_use_bits(256) && __builtin_cpu_supports("avx2");
  return answer;
}
#endif

#ifdef KAKARI_WIDEST
inline bool has_widest_registers() {
  static const bool answer = may_use_bits(512) && __builtin_cpu_supports("avx512f") &&
                             __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi") &&
                             __builtin_cpu_supports("avx512vnni");
  return answer;
}
#endif

// The number of ones in a word, by the popcnt instruction, which the first x86-64 processors lacked.
inline int count_ones(uint64_t word) {
#if defined(KAKARI_X86) && !defined(__POPCNT__)
  static const bool has_instruction = __builtin_cpu_supports("popcnt");
  if (__builtin_expect(has_instruction, 1)) {
    uint64_t ones;
    __asm__("popcnt %1, %0" : "=r"(ones) : "r"(word) : "cc");
    return static_cast<int>(ones);
  }
#endif
  return ones_in(word);
}

}  // namespace kakari
