// Hash functions of numbers. Model files hold hashes made by `join`, `mix`, `hash_key` and `splitmix64`: never change
// these functions.
#pragma once

#include <cstdint>

namespace kakari {

// One more part of a sequence or conjunction.
inline uint64_t join(uint64_t hash, uint64_t part) {
  hash = (hash ^ part) * 0x9E3779B97F4A7C15u;
  return hash ^ (hash >> 31);
}

// The end of a conjunction: every bit of the parts reaches the high bits, which choose a bucket.
inline uint64_t mix(uint64_t hash) {
  hash ^= hash >> 29;
  hash *= 0xBF58476D1CE4E5B9u;
  return hash ^ (hash >> 32);
}

// The place of a key in a table of a power of two slots.
inline uint32_t hash_key(uint64_t key) {
  key ^= key >> 29;
  key *= 0x9E3779B97F4A7C15u;
  return static_cast<uint32_t>(key >> 32);
}

// The finalizer of SplitMix64.
inline uint64_t splitmix64(uint64_t value) {
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9u;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EBu;
  return value ^ (value >> 31);
}

// The next number of the generator SplitMix64.
inline uint64_t draw(uint64_t &state) { return splitmix64(state += 0x9E3779B97F4A7C15u); }

}  // namespace kakari
