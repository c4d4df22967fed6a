// The decisions of a derivation, with the states that they were made in and the conjunctions that they saw: for people to
// look at, not for speed.
#pragma once

#include <cstdint>
#include <vector>

#include "parsers/english/constituency/features.hpp"

namespace kakari {

// A scored step is ITEMS rows of an item's numbers behind a head of HEAD numbers (see `decisions`).
constexpr int DECISION_HEAD = 3, DECISION_ITEMS = 4, ITEM_NUMBERS = 12;

// What features see of an item of the stack; the symbol is -1 where there is none.
inline void describe(const Step &step, std::vector<int32_t> &out) {
  const bool there = step.depth > 0;
  const Step *left = step.left, *right = step.right;
  out.insert(out.end(), {there ? step.symbol : -1, step.inner, step.head, step.begin, step.end, step.phase,
                         left ? left->symbol : -1, left ? left->head : -1, right ? right->symbol : -1,
                         right ? right->head : -1, right ? right->begin : -1, right ? right->end : -1});
}

// The scored steps of a derivation, the last one first: the action, whether it is about unary nodes, the depth of the
// stack, and its four topmost items. `starts` says where the conjunctions of each begin and, last, where all end.
inline void decisions(const ParserSentence &sentence, const Grammar &grammar, const Step &last,
                      std::vector<int32_t> &states, std::vector<uint64_t> &hashes, std::vector<int64_t> &starts) {
  const ParserFeatures features(sentence, grammar);
  uint64_t found[ParserFeatures::MOST];
  starts.push_back(static_cast<int64_t>(hashes.size()));
  for (const Step *step = &last; step->previous != nullptr; step = step->previous) {
    if (step->forced) continue;
    const Step &state = *step->previous;
    const bool unary = grammar.actions[step->action].kind == ActionKind::UNARY;
    states.insert(states.end(), {step->action, unary, state.depth});
    const Step *item = &state;
    for (int i = 0; i < DECISION_ITEMS; ++i, item = &ParserFeatures::under(*item)) describe(*item, states);
    const int count = unary ? features.unary(state, found) : features.join(state, found);
    hashes.insert(hashes.end(), found, found + count);
    starts.push_back(static_cast<int64_t>(hashes.size()));
  }
}

}  // namespace kakari
