// What the dependency parser sees of a token: hashes of its properties, so that no vocabulary is needed.
//
// A sentence of n tokens is an array of n + 1: the root stands first. What is outside, and what is not there (no
// sibling, the end of a side), are tokens too, with properties of their own.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/hashed/rows.hpp"

namespace kakari {

struct Token {
  static constexpr int MOST_FEATURES = 14;

  uint64_t form = 0, lemma = 0, tag = 0, coarse = 0;
  uint64_t features[MOST_FEATURES] = {};
  int32_t count = 0;  // of features
};

// A token that stands for a place where none is.
inline Token special_token(uint64_t number) {
  Token token;
  token.form = token.lemma = token.tag = token.coarse = mix(join(0xD1B54A32D192ED03u, number));
  return token;
}

inline const Token &root_token() {
  static const Token token = special_token(1);
  return token;
}
inline const Token &outside_token() {
  static const Token token = special_token(2);
  return token;
}
inline const Token &no_token() {
  static const Token token = special_token(3);
  return token;
}
inline const Token &end_token() {
  static const Token token = special_token(4);
  return token;
}

// A sentence with its root, and the sets of coarse tags between any two of its tokens.
class TokenView {
 public:
  TokenView(const Token *tokens, int32_t length) : tokens_(tokens), length_(length) {
    numbers_.resize(length + 1);
    for (int32_t i = 1; i <= length; ++i) {
      size_t number = 0;
      while (number < names_.size() && names_[number] != at(i).coarse) ++number;
      if (number == names_.size() && number < 64) names_.push_back(at(i).coarse);
      numbers_[i] = number < 64 ? static_cast<uint8_t>(number) : 63;
    }
  }

  int32_t length() const { return length_; }
  // Some of the tokens as a sentence of its own.
  TokenView part(int32_t begin, int32_t length) const { return {tokens_ + begin, length}; }
  const Token &at(int32_t i) const {
    return i == 0 ? root_token() : i < 0 || i > length_ ? outside_token() : tokens_[i - 1];
  }
  uint64_t name(int number) const { return names_[number]; }

  // The coarse tags strictly between two tokens, as bits.
  uint64_t between(int32_t one, int32_t other) const {
    uint64_t found = 0;
    for (int32_t i = std::min(one, other) + 1; i < std::max(one, other); ++i) found |= uint64_t{1} << numbers_[i];
    return found;
  }
  uint64_t bit(int32_t i) const { return uint64_t{1} << numbers_[i]; }

 private:
  const Token *tokens_;
  int32_t length_;
  std::vector<uint8_t> numbers_;
  std::vector<uint64_t> names_;
};

}  // namespace kakari
