// A constituency tree as argument boundaries need it: nodes in preorder, the head of each, and the whole tree in
// postorder, of which candidates' trees are slices.
//
// Node 0 is a root that holds the sentence; tags are nodes, words are not. All arrays are filled in O(nodes).
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace kakari {

// What rules and coarse features see of a label. The order is that of CATEGORIES in extraction.pyx.
enum Category : uint8_t {
  OTHER,
  CLAUSE,
  SUBCLAUSE,
  VERB_PHRASE,
  NOUN_PHRASE,
  PREPOSITION_PHRASE,
  ADJECTIVE_PHRASE,
  ADVERB_PHRASE,
  QUANTITY,
  FINITE,
  BARE,
  PARTICIPLE,
  GERUND,
  MODAL,
  INFINITIVE,
  PREPOSITION,
  NOUN,
  PRONOUN,
  POSSESSIVE,
  ADJECTIVE,
  NUMBER,
  ADVERB,
  DETERMINER,
  CONJUNCTION,
  COMMA,
  PUNCTUATION,
  PARTICLE,
  QUESTION_WORD
};

constexpr uint32_t set_of(std::initializer_list<Category> members) {
  uint32_t set = 0;
  for (const Category member : members) set |= uint32_t{1} << member;
  return set;
}

inline bool is_in(uint8_t category, uint32_t set) { return set >> category & 1; }

constexpr uint32_t VERBS = set_of({FINITE, BARE, PARTICIPLE, GERUND});
constexpr uint32_t AUXILIARIES = VERBS | set_of({MODAL, INFINITIVE});
constexpr uint32_t MARKS = set_of({COMMA, PUNCTUATION});

struct ArgumentNode {
  uint64_t label = 0;  // hash of the label
  int32_t number = 0;  // of the label
  int32_t begin = 0, end = 0;
  int32_t parent = -1;
  int32_t first_child = 0, children = 0, place = 0;  // place among the parent's children
  int32_t head = 0;                                  // token
  int32_t size = 1;                                  // nodes of the tree below, words included
  int32_t low = 0;                                   // where that tree begins in postorder; it ends with the node
  int32_t depth = 0;
  uint8_t category = OTHER;
};

struct ArgumentToken {
  int32_t node = -1;                      // its tag
  int32_t word = -1;                      // number of the word among the labels; -1: not known
  uint64_t form = 0, lemma = 0, tag = 0;  // 0: not known
};

struct LabelParts {
  uint64_t hash;
  int32_t number;
  uint8_t category;
};

class ArgumentTree {
 public:
  std::vector<ArgumentNode> nodes;
  std::vector<int32_t> children;
  std::vector<ArgumentToken> tokens;
  std::vector<int32_t> labels, arities;  // of the whole tree, in postorder

  const ArgumentNode &child(const ArgumentNode &node, int32_t place) const {
    return nodes[children[node.first_child + place]];
  }

  // From constituents, the outer before the inner. False if they do not nest. Tokens have their words already.
  bool build(const LabelParts &root, const LabelParts *phrases, const int32_t *begins, const int32_t *ends,
             int32_t phrase_count, const LabelParts *tags) {
    const int32_t length = static_cast<int32_t>(tokens.size());
    nodes.clear();
    open_.clear();
    open_node(root, 0, length);
    int32_t next = 0;
    for (int32_t token = 0; token < length; ++token) {
      for (; next < phrase_count && begins[next] == token; ++next) {
        if (ends[next] <= token || ends[next] > nodes[open_.back()].end) return false;
        open_node(phrases[next], token, ends[next]);
      }
      open_node(tags[token], token, token + 1);
      tokens[token].node = open_.back();
      tokens[token].tag = tags[token].hash;
      while (!open_.empty() && nodes[open_.back()].end == token + 1) open_.pop_back();
    }
    if (next != phrase_count) return false;
    link();
    find_heads();
    lay_out();
    return true;
  }

 private:
  void open_node(const LabelParts &label, int32_t begin, int32_t end) {
    ArgumentNode node;
    node.label = label.hash;
    node.number = label.number;
    node.category = label.category;
    node.begin = begin;
    node.end = end;
    node.parent = open_.empty() ? -1 : open_.back();
    node.depth = static_cast<int32_t>(open_.size());
    open_.push_back(static_cast<int32_t>(nodes.size()));
    nodes.push_back(node);
  }

  void link() {
    for (ArgumentNode &node : nodes)
      if (node.parent >= 0) node.place = nodes[node.parent].children++;
    int32_t total = 0;
    for (ArgumentNode &node : nodes) {
      node.first_child = total;
      total += node.children;
    }
    children.resize(total);
    for (std::size_t i = 1; i < nodes.size(); ++i)
      children[nodes[nodes[i].parent].first_child + nodes[i].place] = static_cast<int32_t>(i);
  }

  void find_heads() {
    for (std::size_t i = nodes.size(); i-- > 0;) {
      ArgumentNode &node = nodes[i];
      node.head = node.children == 0 ? node.begin : child(node, head_child(node)).head;
    }
  }

  int32_t first_of(const ArgumentNode &node, uint32_t wanted) const {
    for (int32_t i = 0; i < node.children; ++i)
      if (is_in(child(node, i).category, wanted)) return i;
    return -1;
  }

  int32_t last_of(const ArgumentNode &node, uint32_t wanted) const {
    for (int32_t i = node.children; i-- > 0;)
      if (is_in(child(node, i).category, wanted)) return i;
    return -1;
  }

  // The child that carries the meaning: the main verb rather than its auxiliaries.
  int32_t head_child(const ArgumentNode &node) const {
    int32_t found = -1;
    switch (node.category) {
      case CLAUSE:
      case SUBCLAUSE:
      case VERB_PHRASE:
        if (node.category != VERB_PHRASE && (found = first_of(node, set_of({CLAUSE}))) >= 0 &&
            first_of(node, set_of({VERB_PHRASE})) < 0)
          return found;
        for (const uint32_t wanted : {set_of({VERB_PHRASE}), VERBS, AUXILIARIES, set_of({SUBCLAUSE, CLAUSE})})
          if ((found = first_of(node, wanted)) >= 0) return found;
        break;
      case NOUN_PHRASE:
        if ((found = last_of(node, set_of({NOUN}))) >= 0) return found;
        if ((found = first_of(node, set_of({NOUN_PHRASE}))) >= 0) return found;
        if ((found = last_of(node, set_of({PRONOUN, NUMBER, QUESTION_WORD, QUANTITY, ADJECTIVE}))) >= 0) return found;
        break;
      case PREPOSITION_PHRASE:
        if ((found = first_of(node, set_of({PREPOSITION, INFINITIVE, PARTICLE, PARTICIPLE, GERUND}))) >= 0)
          return found;
        break;
      case ADJECTIVE_PHRASE:
        if ((found = last_of(node, set_of({ADJECTIVE, PARTICIPLE, GERUND}))) >= 0) return found;
        break;
      case ADVERB_PHRASE:
        if ((found = last_of(node, set_of({ADVERB, PARTICLE}))) >= 0) return found;
        break;
      case QUANTITY:
        if ((found = last_of(node, set_of({NUMBER, NOUN}))) >= 0) return found;
        break;
      default:
        break;
    }
    found = last_of(node, ~MARKS);
    return found >= 0 ? found : node.children - 1;
  }

  void lay_out() {
    for (std::size_t i = nodes.size(); i-- > 0;) {
      if (nodes[i].children == 0 && tokens[nodes[i].begin].word >= 0) nodes[i].size = 2;
      if (nodes[i].parent >= 0) nodes[nodes[i].parent].size += nodes[i].size;
    }
    labels.resize(nodes[0].size);
    arities.resize(nodes[0].size);
    for (ArgumentNode &node : nodes) {
      int32_t at = node.low;
      for (int32_t i = 0; i < node.children; ++i) {
        ArgumentNode &below = nodes[children[node.first_child + i]];
        below.low = at;
        at += below.size;
      }
      const int32_t post = node.low + node.size - 1;
      labels[post] = node.number;
      arities[post] = node.children;
      if (node.children == 0 && node.size == 2) {
        arities[post] = 1;
        labels[node.low] = tokens[node.begin].word;
        arities[node.low] = 0;
      }
    }
  }

  std::vector<int32_t> open_;
};

}  // namespace kakari
