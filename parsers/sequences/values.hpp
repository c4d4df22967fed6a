// Values of a string as features see them: hashes of itself and of its parts.
#pragma once

#include <cstdint>

#include "kernels/hashed/rows.hpp"

namespace kakari {

enum ValueKind : int32_t { WHOLE, LOWER, PREFIX, SUFFIX, SHAPE };

inline bool is_capital(uint32_t c) { return (c >= 'A' && c <= 'Z') || (c >= 0xC0 && c <= 0xDE && c != 0xD7); }
inline bool is_small(uint32_t c) { return (c >= 'a' && c <= 'z') || (c >= 0xDF && c <= 0x24F && c != 0xF7); }
inline bool is_digit(uint32_t c) { return (c >= '0' && c <= '9') || (c >= 0xFF10 && c <= 0xFF19); }

// In small letters, any digit as 0.
inline uint32_t folded(uint32_t c) { return is_capital(c) ? c + 32 : is_digit(c) ? '0' : c; }

// The kind of a character: letters by their case, digits, Japanese scripts, marks by themselves.
inline uint32_t script_of(uint32_t c) {
  if (is_capital(c)) return 'X';
  if (is_small(c)) return 'x';
  if (is_digit(c)) return '0';
  if (c >= 0x3041 && c <= 0x309F) return 'h';
  if ((c >= 0x30A0 && c <= 0x30FF) || (c >= 0xFF66 && c <= 0xFF9F)) return 'k';
  if ((c >= 0x3400 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) || c == 0x3005 || (c >= 0x20000 && c <= 0x3FFFF))
    return 'c';
  return c < 0x250 ? c : 'o';
}

inline uint64_t hash_string(const uint32_t *text, int64_t length, uint64_t kind, bool fold) {
  uint64_t hash = join(0xCBF29CE484222325u, kind);
  for (int64_t i = 0; i < length; ++i) hash = join(hash, fold ? folded(text[i]) : text[i]);
  return mix(hash);
}

// Kinds of characters in a row, three of the same kind or more as two.
inline uint64_t shape_of_string(const uint32_t *text, int64_t length) {
  uint64_t hash = join(0xCBF29CE484222325u, SHAPE);
  uint32_t last = 0;
  int run = 0;
  for (int64_t i = 0; i < length; ++i) {
    const uint32_t kind = script_of(text[i]);
    run = kind == last ? run + 1 : 1;
    last = kind;
    if (run <= 2) hash = join(hash, kind);
  }
  return mix(hash);
}

// A string without a prefix or suffix of `size` characters has no such value.
inline uint64_t value_of(const uint32_t *text, int64_t length, int32_t kind, int32_t size) {
  switch (kind) {
    case WHOLE:
      return hash_string(text, length, WHOLE, false);
    case LOWER:
      return hash_string(text, length, LOWER, true);
    case PREFIX:
      return length < size ? ABSENT : hash_string(text, size, PREFIX, true);
    case SUFFIX:
      return length < size ? ABSENT : hash_string(text + length - size, size, SUFFIX, true);
    default:
      return shape_of_string(text, length);
  }
}

}  // namespace kakari
