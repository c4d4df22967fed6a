// The constituency parser's symbols and actions, and a state of its stack.
//
// A state is one `Step`, which says what the topmost item of the stack is and points to the step that left the item
// below it there, to the steps that made its parts, and to the step before: nothing is ever copied. The queue begins
// where the topmost item ends.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/hardware/bits.hpp"
#include "parsers/english/words/words.hpp"

namespace kakari {

class ActionSet {
 public:
  void set(int action) { words_[action >> 6] |= uint64_t{1} << (action & 63); }
  void reset(int action) { words_[action >> 6] &= ~(uint64_t{1} << (action & 63)); }
  bool any() const {
    for (uint64_t word : words_)
      if (word != 0) return true;
    return false;
  }
  bool many() const {  // more than one
    int count = 0;
    for (uint64_t word : words_) count += (word != 0) + ((word & (word - 1)) != 0);
    return count > 1;
  }

  template <class Use>
  void each(Use use) const {
    for (int i = 0; i < 4; ++i)
      for (uint64_t word = words_[i]; word != 0; word &= word - 1) use(64 * i + lowest_one(word));
  }

 private:
  uint64_t words_[MOST_CLASSES / 64] = {};
};

enum class ActionKind : uint8_t { SHIFT, HEAD_LEFT, HEAD_RIGHT, UNARY };

// What is counted in the words of a constituent, by tags.
enum class Trait : uint8_t { VERB = 1, COMMA = 2, CONJUNCTION = 4, OPENS = 8, CLOSES = 16, QUOTES = 32 };

// Symbols are numbers: tags first, then labels, then starred labels. Action 0 shifts, action 1 is no unary node.
struct Grammar {
  struct Action {
    ActionKind kind;
    uint8_t symbol;              // what the topmost item is afterwards
    std::vector<uint8_t> chain;  // the labels of a unary chain, from the top
  };
  std::vector<Action> actions;
  std::vector<uint8_t> plain;        // of each symbol, without its star
  std::vector<uint8_t> traits;       // of each symbol, see Trait
  ActionSet joins;                   // all actions that join two items
  std::vector<ActionSet> seen;       // joins by the symbols of both items: left * symbols + right
  std::vector<ActionSet> seen_tops;  // unary actions by the symbol below

  bool starred(int symbol) const { return plain[symbol] != symbol; }
  size_t symbols() const { return plain.size(); }
};

struct Step {
  const Step *previous = nullptr, *below = nullptr, *left = nullptr, *right = nullptr;
  int64_t score = 0;
  int32_t begin = 0, end = 0, head = -1, depth = 0;
  uint8_t symbol = 255, inner = 255;  // with and without the unary chain
  uint8_t action = 0, chain = 1;
  uint8_t phase = 0;    // of a starred item: 1 may still take parts on the right, 2 only on the left
  bool forced = false;  // there was no choice, so nothing was scored
};

struct ParserSentence {
  const Word *words;
  const uint8_t *tags;  // as symbols
  int32_t length;
};

}  // namespace kakari
