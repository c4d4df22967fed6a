// Features of a token in its sentence, by declared templates.
//
// A sentence is a row of 64-bit values for each token: hashes of its word, tag, characters, whatever its user put into
// columns. A template is a list of atoms, (column, offset); an atom of column DECISION is a label that was decided
// before. The hash of a template's number and of its atoms' values is the feature: there is no vocabulary. An atom
// outside of the sentence says how far outside; one whose value is ABSENT takes its feature with it.
#pragma once

#include <cstdint>
#include <cstdlib>

#include "kernels/hashed/rows.hpp"

namespace kakari {

constexpr int32_t DECISION = -1;
constexpr int MOST_TEMPLATES = 250;  // a feature each; the engine scores that many at once

struct Templates {
  const int32_t *starts = nullptr;  // where each template's atoms begin and, last, where all end
  const int32_t *columns = nullptr;
  const int32_t *offsets = nullptr;
  int32_t count = 0;
  int32_t fixed = 0;  // so many templates, the first ones, see no decision
  int32_t width = 0;  // columns of a token
};

// The tokens of one sentence.
struct Tokens {
  const uint64_t *values;
  int32_t length;
};

inline uint64_t outside(int32_t distance) { return join(0xE7037ED1A0B428DBu, static_cast<uint64_t>(distance)); }

inline uint64_t value_at(const Templates &templates, const Tokens &tokens, int32_t at, int32_t column) {
  if (at < 0) return outside(at);
  if (at >= tokens.length) return outside(at - tokens.length + 1);
  return tokens.values[static_cast<int64_t>(at) * templates.width + column];
}

// Writes the features of templates [begin, end); `decision(steps)` is the label decided so many steps ago, plus one,
// and 0 before the first.
template <class Decision>
int write_features(const Templates &templates, const Tokens &tokens, int32_t at, int32_t begin, int32_t end,
                   Decision decision, uint64_t *out) {
  int count = 0;
  for (int32_t number = begin; number < end; ++number) {
    uint64_t hash = join(0x51ED270B27B4F3CFu, static_cast<uint64_t>(number));
    bool whole = true;
    for (int32_t atom = templates.starts[number]; atom < templates.starts[number + 1]; ++atom) {
      const int32_t column = templates.columns[atom], offset = templates.offsets[atom];
      const uint64_t value =
          column == DECISION ? decision(std::abs(offset)) : value_at(templates, tokens, at + offset, column);
      whole &= value != ABSENT;
      hash = join(hash, value);
    }
    out[count] = mix(hash);
    count += whole;
  }
  return count;
}

inline int fixed_features(const Templates &templates, const Tokens &tokens, int32_t at, uint64_t *out) {
  return write_features(templates, tokens, at, 0, templates.fixed, [](int32_t) { return ABSENT; }, out);
}

template <class Decision>
int decided_features(const Templates &templates, const Tokens &tokens, int32_t at, Decision decision, uint64_t *out) {
  return write_features(templates, tokens, at, templates.fixed, templates.count, decision, out);
}

// A feature as the polynomial engine numbers them: 31 bits.
inline int32_t id_of(uint64_t feature) { return static_cast<int32_t>(feature >> 33); }

}  // namespace kakari
