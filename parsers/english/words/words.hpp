// Features of a word: hashes of its form and of its parts, so that no vocabulary is needed.
//
// Forms are compared after digits became 0 and quotation marks were told apart: `` and '' and their typographic
// forms by what they are, a straight one by how many came before it in the sentence. A word without letters is not
// known: no conjunction has it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/hashed/rows.hpp"

namespace kakari {

constexpr int PREFIXES = 4, SUFFIXES = 5;

enum WordFlag : uint8_t { HAS_DIGIT = 1, HAS_HYPHEN = 2, HAS_UPPER = 4, HAS_LOWER = 8, HAS_OTHER = 16, TITLE = 32 };

struct Word {
  uint64_t form = 0, lower = 0, shape = 0;
  uint64_t prefix[PREFIXES] = {}, suffix[SUFFIXES] = {};
  uint64_t small = 0;  // the form in small letters, as a lexicon has it
  uint64_t kind = 0;   // what the lexicon says of the word: which tags it has
  uint8_t flags = 0;
};

// Words that are often met: sorted hashes of their forms, and for each the number of its set of tags.
struct Lexicon {
  const uint64_t *forms = nullptr;
  const uint16_t *kinds = nullptr;
  int64_t size = 0;

  int64_t find(uint64_t form) const {
    const uint64_t *at = std::lower_bound(forms, forms + size, form);
    return at != forms + size && *at == form ? at - forms : -1;
  }
};

inline uint32_t plain(uint32_t c) {
  if (c >= '0' && c <= '9') return '0';
  switch (c) {
    case 0x2018:
    case 0x2019:
    case 0x02BC:
    case 0x00B4:
    case '`':
      return '\'';
    case 0x2010:
    case 0x2011:
      return '-';
    default:
      return c;
  }
}

inline bool is_upper(uint32_t c) { return (c >= 'A' && c <= 'Z') || (c >= 0xC0 && c <= 0xDE && c != 0xD7); }
inline bool is_lower(uint32_t c) { return (c >= 'a' && c <= 'z') || (c >= 0xDF && c <= 0x24F && c != 0xF7); }
inline uint32_t lowered(uint32_t c) { return is_upper(c) ? c + 32 : c; }

inline uint64_t start_hash(uint64_t kind) { return join(0xCBF29CE484222325u, kind); }

// 1 opens, 2 closes, 3 may do either, 0 is no quotation mark.
inline int quotation_of(const uint32_t *text, int64_t length) {
  if (length == 2 && text[0] == text[1]) return text[0] == '`' ? 1 : text[0] == '\'' ? 2 : 0;
  if (length != 1) return 0;
  switch (text[0]) {
    case '"':
      return 3;
    case 0x201C:
    case 0x201E:
    case 0xAB:
      return 1;
    case 0x201D:
    case 0xBB:
      return 2;
    default:
      return 0;
  }
}

inline uint32_t shape_of(uint32_t c) {
  if (is_upper(c)) return 'X';
  if (is_lower(c)) return 'x';
  if (c == '0') return '0';
  return c < 0x250 ? c : 'o';
}

inline uint64_t hash_of(const uint32_t *text, int64_t begin, int64_t end, uint64_t kind, bool lower) {
  uint64_t hash = start_hash(kind);
  for (int64_t i = begin; i < end; ++i) hash = join(hash, lower ? lowered(plain(text[i])) : plain(text[i]));
  return mix(hash);
}

inline Word word_of(const uint32_t *text, int64_t length, int &quotations) {
  Word word;
  if (length == 0) {
    word.form = word.lower = word.shape = ABSENT;
    std::fill(word.prefix, word.prefix + PREFIXES, ABSENT);
    std::fill(word.suffix, word.suffix + SUFFIXES, ABSENT);
    return word;
  }
  const int quotation = quotation_of(text, length);
  if (quotation != 0) {
    const bool opens = quotation == 1 || (quotation == 3 && quotations % 2 == 0);
    ++quotations;
    word.form = word.lower = word.shape = mix(join(start_hash(1), opens ? '`' : '\''));
    return word;
  }
  word.form = hash_of(text, 0, length, 1, false);
  word.lower = hash_of(text, 0, length, 2, true);
  word.small = hash_of(text, 0, length, 1, true);
  for (int k = 0; k < PREFIXES && k < length; ++k) word.prefix[k] = hash_of(text, 0, k + 1, 3, true);
  for (int k = 0; k < SUFFIXES && k < length; ++k) word.suffix[k] = hash_of(text, length - k - 1, length, 4, true);
  uint64_t shape = start_hash(5);
  uint32_t last = 0;
  int run = 0;
  for (int64_t i = 0; i < length; ++i) {
    const uint32_t c = plain(text[i]), kind = shape_of(c);
    word.flags |= kind == 'X'   ? HAS_UPPER
                  : kind == 'x' ? HAS_LOWER
                  : kind == '0' ? HAS_DIGIT
                  : kind == '-' ? HAS_HYPHEN
                                : HAS_OTHER;
    run = kind == last ? run + 1 : 1;
    last = kind;
    if (run <= 2) shape = join(shape, kind);
  }
  if (length > 0 && shape_of(plain(text[0])) == 'X') word.flags |= TITLE;
  word.shape = mix(shape);
  return word;
}

inline void look_up(const Lexicon &lexicon, Word &word) {
  int64_t at = lexicon.find(word.form);
  if (at < 0) at = lexicon.find(word.small);
  if (at >= 0) word.kind = lexicon.kinds[at];
}

}  // namespace kakari
