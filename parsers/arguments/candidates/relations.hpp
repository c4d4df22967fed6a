// What stands in which relation to a word of a tree: its subject, its object, what asks for it in a relative clause or
// a question, what such a clause belongs to, and the word that governs it. Read off the tree by position alone.
#pragma once

#include <cstdint>

#include "parsers/arguments/candidates/trees.hpp"

namespace kakari {

struct ArgumentRelations {
  int32_t subject = -1, object = -1, asker = -1, owner = -1;  // nodes; -1: there is none
  int32_t governor = -1;                                      // a token
};

inline int32_t sister_before(const ArgumentTree &tree, const ArgumentNode &parent, int32_t place, uint32_t wanted) {
  for (int32_t i = place; i-- > 0;)
    if (is_in(tree.child(parent, i).category, wanted)) return tree.children[parent.first_child + i];
  return -1;
}

// The object is the first noun phrase after the word; the subject the last one before its verb phrases, in the clause
// that holds them. Above that clause, or above verb phrases without one, there may be a question word and a noun.
inline ArgumentRelations relations_of(const ArgumentTree &tree, int32_t token) {
  constexpr uint32_t NOUNS = set_of({NOUN_PHRASE});
  constexpr uint32_t ASKERS = set_of({NOUN_PHRASE, PREPOSITION_PHRASE, ADVERB_PHRASE, ADJECTIVE_PHRASE});
  ArgumentRelations found;
  int32_t below = tree.tokens[token].node, up = tree.nodes[below].parent;
  const ArgumentNode &phrase = tree.nodes[up];
  for (int32_t i = tree.nodes[below].place + 1; i < phrase.children && found.object < 0; ++i)
    if (is_in(tree.child(phrase, i).category, NOUNS)) found.object = tree.children[phrase.first_child + i];
  while (up >= 0 && tree.nodes[up].category == VERB_PHRASE) below = up, up = tree.nodes[up].parent;
  if (up >= 0 && tree.nodes[up].category == CLAUSE) {
    found.subject = sister_before(tree, tree.nodes[up], tree.nodes[below].place, NOUNS);
    below = up, up = tree.nodes[up].parent;
  }
  if (up >= 0 && tree.nodes[up].category == SUBCLAUSE) {
    found.asker = sister_before(tree, tree.nodes[up], tree.nodes[below].place, ASKERS);
    below = up, up = tree.nodes[up].parent;
  }
  if (up >= 0 && tree.nodes[up].category == NOUN_PHRASE)
    found.owner = sister_before(tree, tree.nodes[up], tree.nodes[below].place, NOUNS);
  for (up = tree.nodes[tree.tokens[token].node].parent; up >= 0; up = tree.nodes[up].parent) {
    const ArgumentNode &node = tree.nodes[up];
    if (node.head == token || tree.nodes[tree.tokens[node.head].node].category == PREPOSITION) continue;
    found.governor = node.head;
    break;
  }
  return found;
}

}  // namespace kakari
