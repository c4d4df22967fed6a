// What a boundary classifier sees of each character: itself, its type, and the words of a dictionary around it.
//
// The dictionary is a hash table of all words and of all their prefixes: the hash of a prefix goes on with the next
// character, so that a walk from each character costs one probe a step and ends where no word goes on. A slot is 16
// bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/hardware/secrets.hpp"
#include "kernels/hashed/rows.hpp"

namespace kakari {

enum class CharacterType : uint8_t { NONE, HIRAGANA, LONG_VOWEL, KATAKANA, KANJI, DIGIT, LETTER, SPACE, OTHER };

// Half-width characters as full-width ones, which dictionary and training data have.
inline uint32_t full_width(uint32_t c) {
  static const uint16_t KANA[] = {
      0x3002, 0x300C, 0x300D, 0x3001, 0x30FB, 0x30F2, 0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30E3, 0x30E5,
      0x30E7, 0x30C3, 0x30FC, 0x30A2, 0x30A4, 0x30A6, 0x30A8, 0x30AA, 0x30AB, 0x30AD, 0x30AF, 0x30B1, 0x30B3,
      0x30B5, 0x30B7, 0x30B9, 0x30BB, 0x30BD, 0x30BF, 0x30C1, 0x30C4, 0x30C6, 0x30C8, 0x30CA, 0x30CB, 0x30CC,
      0x30CD, 0x30CE, 0x30CF, 0x30D2, 0x30D5, 0x30D8, 0x30DB, 0x30DE, 0x30DF, 0x30E0, 0x30E1, 0x30E2, 0x30E4,
      0x30E6, 0x30E8, 0x30E9, 0x30EA, 0x30EB, 0x30EC, 0x30ED, 0x30EF, 0x30F3, 0x309B, 0x309C};
  if (c > 0x20 && c < 0x7F) return c + 0xFEE0;
  if (c >= 0xFF61 && c <= 0xFF9F) return KANA[c - 0xFF61];
  return c == 0x20 || c == 0x09 || c == 0xA0 ? 0x3000 : c;
}

inline CharacterType type_of(uint32_t c) {
  if (c >= 0x3041 && c <= 0x309F) return CharacterType::HIRAGANA;
  if (c == 0x30FC) return CharacterType::LONG_VOWEL;
  if (c >= 0x30A1 && c <= 0x30FF && c != 0x30FB) return CharacterType::KATAKANA;
  if ((c >= 0x3400 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) || c == 0x3005 || (c >= 0x20000 && c <= 0x3FFFF))
    return CharacterType::KANJI;
  if (c >= 0xFF10 && c <= 0xFF19) return CharacterType::DIGIT;
  if ((c >= 0xFF21 && c <= 0xFF3A) || (c >= 0xFF41 && c <= 0xFF5A) || (c >= 0xC0 && c <= 0x24F) ||
      (c >= 0x370 && c <= 0x52F))
    return CharacterType::LETTER;
  return c == 0x3000 ? CharacterType::SPACE : CharacterType::OTHER;
}

inline uint64_t next_prefix(uint64_t prefix, uint32_t character) { return join(prefix, character); }
constexpr uint64_t EMPTY_PREFIX = 0xCBF29CE484222325u;

class WordTable {
 public:
  struct Slot {
    uint64_t prefix = 0;
    int32_t entry = -1;  // the number of the word, -1 of a mere prefix
    uint16_t kind = 0;   // what kind of word, 0 of a mere prefix
    bool used = false;
  };

  // A word's kind is not 0.
  void insert(const uint32_t *text, int64_t length, int32_t entry, uint16_t kind) {
    uint64_t prefix = EMPTY_PREFIX;
    for (int64_t i = 0; i < length; ++i) {
      prefix = next_prefix(prefix, text[i]);
      Slot &slot = slot_for(prefix);
      if (i + 1 < length) continue;
      slot.entry = entry;
      slot.kind = kind;
    }
  }

  // The slot of a word or prefix, null where no word goes on.
  const Slot *find(uint64_t prefix) const {
    if (slots_.empty()) return nullptr;
    uint64_t at = hash_(prefix) & (slots_.size() - 1);
    while (slots_[at].used && slots_[at].prefix != prefix) at = (at + 1) & (slots_.size() - 1);
    return slots_[at].used ? &slots_[at] : nullptr;
  }

 private:
  Slot &slot_for(uint64_t prefix) {
    if (slots_.empty()) slots_.assign(1 << 10, Slot{});
    if (2 * (used_ + 1) > slots_.size()) grow();
    uint64_t at = hash_(prefix) & (slots_.size() - 1);
    while (slots_[at].used && slots_[at].prefix != prefix) at = (at + 1) & (slots_.size() - 1);
    if (!slots_[at].used) {
      slots_[at].used = true;
      slots_[at].prefix = prefix;
      ++used_;
    }
    return slots_[at];
  }

  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot &slot : old)
      if (slot.used) {
        uint64_t at = hash_(slot.prefix) & (slots_.size() - 1);
        while (slots_[at].used) at = (at + 1) & (slots_.size() - 1);
        slots_[at] = slot;
      }
  }

  SecretHash hash_;
  std::vector<Slot> slots_;  // a power of two
  size_t used_ = 0;
};

// Columns of a character; a boundary is before it.
enum class CharacterColumn : int {
  CHARACTER,
  TYPE,
  BEGINNING,   // which lengths words have that begin here, as bits
  ENDING,      // the same of words that end before it
  SPANNING,    // how far words reach that go on over the boundary, to the left and to the right
  FIRST_KIND,  // what kind of word the longest is that begins here
  LAST_KIND,   // the same of words that end before it
  FIRST_LENGTH,
  LAST_LENGTH,
  COLUMNS,
};
constexpr int CHARACTER_COLUMNS = static_cast<int>(CharacterColumn::COLUMNS);
constexpr int64_t LONGEST_WORD = 12;

// Writes the columns of a sentence's characters.
inline void write_characters(const WordTable &words, const uint32_t *text, int64_t length, uint64_t *out) {
  const auto at = [&](int64_t i, CharacterColumn column) -> uint64_t & {
    return out[i * CHARACTER_COLUMNS + static_cast<int>(column)];
  };
  std::fill_n(out, length * CHARACTER_COLUMNS, 0);
  for (int64_t i = 0; i < length; ++i) {
    at(i, CharacterColumn::CHARACTER) = full_width(text[i]);
    at(i, CharacterColumn::TYPE) = static_cast<uint64_t>(type_of(full_width(text[i])));
  }
  for (int64_t begin = 0; begin < length; ++begin) {
    uint64_t prefix = EMPTY_PREFIX;
    for (int64_t end = begin + 1; end <= std::min(length, begin + LONGEST_WORD); ++end) {
      prefix = next_prefix(prefix, static_cast<uint32_t>(at(end - 1, CharacterColumn::CHARACTER)));
      const WordTable::Slot *slot = words.find(prefix);
      if (slot == nullptr) break;
      const uint64_t kind = slot->kind;
      if (kind == 0) continue;
      const uint64_t size = static_cast<uint64_t>(std::min<int64_t>(end - begin, 8));
      at(begin, CharacterColumn::BEGINNING) |= uint64_t{1} << size;
      at(begin, CharacterColumn::FIRST_KIND) = kind;
      at(begin, CharacterColumn::FIRST_LENGTH) = size;
      if (end < length) {
        at(end, CharacterColumn::ENDING) |= uint64_t{1} << size;
        if (size > at(end, CharacterColumn::LAST_LENGTH)) {
          at(end, CharacterColumn::LAST_LENGTH) = size;
          at(end, CharacterColumn::LAST_KIND) = kind;
        }
      }
      for (int64_t inner = begin + 1; inner < end; ++inner)
        at(inner, CharacterColumn::SPANNING) |= (uint64_t{1} << std::min<int64_t>(inner - begin, 5)) |
                                                (uint64_t{1} << (8 + std::min<int64_t>(end - inner, 5)));
    }
  }
}

// Columns of a word, which a tagger sees.
enum class WordColumn : int { SURFACE, KIND, LENGTH, FIRST, LAST, LAST_TWO, SHAPE, COLUMNS };
constexpr int WORD_COLUMNS = static_cast<int>(WordColumn::COLUMNS);

// Writes the columns of the word [begin, end) of a sentence's characters; returns its slot in the dictionary, if any.
inline const WordTable::Slot *write_word(const WordTable &words, const uint64_t *characters, int64_t begin, int64_t end,
                                         uint64_t *out) {
  const auto column = [&](int64_t i, CharacterColumn name) {
    return characters[i * CHARACTER_COLUMNS + static_cast<int>(name)];
  };
  uint64_t surface = EMPTY_PREFIX, shape = EMPTY_PREFIX, last = ABSENT;
  for (int64_t i = begin; i < end; ++i) {
    surface = next_prefix(surface, static_cast<uint32_t>(column(i, CharacterColumn::CHARACTER)));
    const uint64_t type = column(i, CharacterColumn::TYPE);
    if (type != last) shape = join(shape, type);
    last = type;
  }
  const WordTable::Slot *slot = end - begin <= LONGEST_WORD ? words.find(surface) : nullptr;
  const uint64_t final = column(end - 1, CharacterColumn::CHARACTER);
  out[static_cast<int>(WordColumn::SURFACE)] = surface;
  out[static_cast<int>(WordColumn::KIND)] = slot == nullptr ? 0 : slot->kind;
  out[static_cast<int>(WordColumn::LENGTH)] = static_cast<uint64_t>(std::min<int64_t>(end - begin, 6));
  out[static_cast<int>(WordColumn::FIRST)] = column(begin, CharacterColumn::CHARACTER);
  out[static_cast<int>(WordColumn::LAST)] = final;
  out[static_cast<int>(WordColumn::LAST_TWO)] =
      end - begin < 2 ? ABSENT : join(column(end - 2, CharacterColumn::CHARACTER), final);
  out[static_cast<int>(WordColumn::SHAPE)] = shape;
  return slot;
}

}  // namespace kakari
