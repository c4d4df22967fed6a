// Unpredictable hashes, for tables whose keys come from untrusted files and texts.
//
// A table with linear probing takes quadratic time if all keys have the same slot, and an attacker who knows the hash
// function can choose keys that do. So each table draws a random number: the slot of a key differs from table to
// table, the results do not. These hashes are never stored; those in model files are made by mixing.hpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <random>

#include "kernels/hardware/mixing.hpp"

namespace kakari {

// A random number, another one at each call.
inline uint64_t secret_number() {
  static const uint64_t seed = [] {
    std::random_device device;
    return static_cast<uint64_t>(device()) << 32 | device();
  }();
  static std::atomic<uint64_t> drawn{0};
  return splitmix64(seed + 0x9E3779B97F4A7C15u * ++drawn);
}

// Hashes of whole numbers: one multiplication more than those of mixing.hpp.
class SecretHash {
 public:
  SecretHash() : factor_(secret_number() | 1) {}

  uint64_t operator()(uint64_t key) const { return mix(key * factor_); }

  // One more part of a sequence.
  uint64_t join(uint64_t hash, uint64_t part) const {
    hash = (hash ^ part) * factor_;
    return hash ^ (hash >> 31);
  }
  uint64_t begin(uint64_t length) const { return factor_ ^ length; }

 private:
  uint64_t factor_;
};

// SipHash-1-3 (Aumasson and Bernstein 2012), as for Python's own strings: a hash of bytes under two secret numbers.
class SipHash {
 public:
  SipHash() : SipHash(secret_number(), secret_number()) {}
  SipHash(uint64_t first, uint64_t second) : first_(first), second_(second) {}

  uint64_t operator()(const char *bytes, int64_t length) const {
    State state{first_ ^ 0x736F6D6570736575u, second_ ^ 0x646F72616E646F6Du, first_ ^ 0x6C7967656E657261u,
                second_ ^ 0x7465646279746573u};
    int64_t at = 0;
    for (; at + 8 <= length; at += 8) state.take(word(bytes + at, 8));
    state.take(word(bytes + at, length - at) | static_cast<uint64_t>(length) << 56);
    state.c ^= 0xFF;
    for (int i = 0; i < 3; ++i) state.round();
    return state.a ^ state.b ^ state.c ^ state.d;
  }

 private:
  struct State {
    uint64_t a, b, c, d;

    void take(uint64_t word) {
      d ^= word;
      round();
      a ^= word;
    }

    void round() {
      a += b, b = turned(b, 13) ^ a, a = turned(a, 32);
      c += d, d = turned(d, 16) ^ c;
      a += d, d = turned(d, 21) ^ a;
      c += b, b = turned(b, 17) ^ c, c = turned(c, 32);
    }
  };

  static uint64_t turned(uint64_t value, int bits) { return value << bits | value >> (64 - bits); }

  // Up to eight bytes as a number, the first one in its low bits.
  static uint64_t word(const char *bytes, int64_t count) {
    uint64_t found = 0;
    for (int64_t i = 0; i < count; ++i) found |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    return found;
  }

  uint64_t first_, second_;
};

}  // namespace kakari
