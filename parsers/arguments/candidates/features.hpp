// Manual features of a predicate and a constituent (after Gildea and Jurafsky, Xue and Palmer, Pradhan and others),
// straight to numbers: 24 bits of hash above 7 bits that name the template. No conjunction of templates is made here;
// that is the polynomial kernel's work.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/hashed/rows.hpp"
#include "parsers/arguments/candidates/relations.hpp"
#include "parsers/arguments/candidates/trees.hpp"

namespace kakari {

// The order is that of TEMPLATES in extraction.pyx.
enum ArgumentTemplate : uint32_t {
  PHRASE,
  PATH,
  PATH_UP,
  PATH_DOWN,
  PATH_SHORT,
  PATH_LENGTHS,
  COMMON_LABEL,
  POSITION,
  LEMMA,
  FORM,
  TAG,
  VOICE,
  AUXILIARY,
  AUXILIARY_LEMMA,
  SUBCATEGORY,
  PREDICATE_PARENT,
  PREDICATE_CLAUSE,
  HEAD_WORD,
  HEAD_TAG,
  HEAD_LEMMA,
  FIRST_WORD,
  FIRST_TAG,
  LAST_WORD,
  LAST_TAG,
  SECOND_TAG,
  CONTENT_WORD,
  CONTENT_TAG,
  PARENT,
  GRANDPARENT,
  PARENT_HEAD_WORD,
  PARENT_HEAD_TAG,
  PRODUCTION,
  PARENT_PRODUCTION,
  LEFT_SIBLING,
  RIGHT_SIBLING,
  LEFT_HEAD_TAG,
  RIGHT_HEAD_TAG,
  LEFT_WORD,
  RIGHT_WORD,
  LEFT_TAG,
  RIGHT_TAG,
  PLACE,
  UNARY,
  DISTANCE,
  LENGTH,
  STEPS_UP,
  STEPS_DOWN,
  CLAUSES,
  VERBS_BETWEEN,
  MARKS_BETWEEN,
  RIVALS,
  FRAME,
  COMMON_GAP,
  INNER_PREDICATE,
  PREDICATE_LEFT_TAG,
  PREDICATE_RIGHT_TAG,
  PREDICATE_RIGHT_WORD,
  PREDICATE_GAP,
  TOP_SIBLING,
  CHAIN_TOP,
  FRAME_PLACE,
  RELATION,
  RELATIONS,
  SUBJECT_WORD,
  SUBJECT_TAG,
  OBJECT_WORD,
  OBJECT_TAG,
  ASKER_WORD,
  GOVERNOR_WORD,
  GOVERNOR_LEMMA,
  GOVERNOR_TAG,
  COMMON_WORD,
  COMMON_LEMMA,
  COMMON_TAG,
  SECOND_WORD
};
constexpr int TEMPLATE_BITS = 7;

inline uint64_t bucket(int64_t number) {
  const int64_t size = number < 0 ? -number : number;
  const int64_t step = size < 4 ? size : size < 6 ? 4 : size < 9 ? 5 : size < 14 ? 6 : size < 25 ? 7 : 8;
  return static_cast<uint64_t>(number < 0 ? 16 + step : step);
}

// What is the same for all candidates of a predicate.
struct ArgumentPredicate {
  int32_t token = 0, node = 0;
  std::vector<int32_t> steps;   // of each node: how far above the predicate's tag it is, or -1
  std::vector<int32_t> path;    // from the tag to the root
  std::vector<uint64_t> climb;  // hash of the labels from the tag up to each node of the path, without it
  std::vector<uint64_t> climb_short;
  std::vector<int32_t> verbs, marks;  // how many stand before each token
  uint64_t subcategory = 0, auxiliary = 0, auxiliary_tag = 0, auxiliary_lemma = 0, clause = 0;
  bool passive = false;
  ArgumentRelations own, above;  // of the predicate, and of what governs it
};

class ArgumentFeatures {
 public:
  // Forms of "be" and "get", by which passives are known; lemmas where there are no forms.
  std::vector<uint64_t> passive_words;

  void meet(const ArgumentTree &tree, int32_t token, ArgumentPredicate &predicate) const {
    predicate.token = token;
    predicate.node = tree.tokens[token].node;
    predicate.steps.assign(tree.nodes.size(), -1);
    predicate.path.clear();
    predicate.climb.clear();
    predicate.climb_short.clear();
    uint64_t climb = 1, shorter = 1, last = 0;
    for (int32_t node = predicate.node; node >= 0; node = tree.nodes[node].parent) {
      predicate.steps[node] = static_cast<int32_t>(predicate.path.size());
      predicate.path.push_back(node);
      predicate.climb.push_back(climb);
      predicate.climb_short.push_back(shorter);
      climb = join(climb, tree.nodes[node].label);
      if (tree.nodes[node].label != last) shorter = join(shorter, tree.nodes[node].label);
      last = tree.nodes[node].label;
    }
    predicate.verbs.assign(1, 0);
    predicate.marks.assign(1, 0);
    for (const ArgumentToken &one : tree.tokens) {
      const uint8_t category = tree.nodes[one.node].category;
      predicate.verbs.push_back(predicate.verbs.back() + is_in(category, AUXILIARIES));
      predicate.marks.push_back(predicate.marks.back() + is_in(category, MARKS));
    }
    find_group(tree, predicate);
    predicate.own = relations_of(tree, token);
    predicate.above = predicate.own.governor < 0 ? ArgumentRelations{} : relations_of(tree, predicate.own.governor);
  }

  // Writes the candidate's features, sorted, each once.
  void write(const ArgumentTree &tree, const ArgumentPredicate &p, int32_t number, std::vector<int32_t> &out) {
    out_.clear();
    const ArgumentNode &node = tree.nodes[number];
    paths(tree, p, number);
    of_predicate(tree, p);
    inside(tree, node);
    around(tree, node);
    between(tree, p, node);
    related(tree, p, number);
    std::sort(out_.begin(), out_.end());
    out.insert(out.end(), out_.begin(), std::unique(out_.begin(), out_.end()));
  }

 private:
  template <class... Parts>
  void add(ArgumentTemplate name, Parts... parts) {
    uint64_t hash = join(0x2545F4914F6CDD1Du, name);
    ((hash = join(hash, static_cast<uint64_t>(parts))), ...);
    out_.push_back(static_cast<int32_t>(mix(hash) >> (64 - 31 + TEMPLATE_BITS) << TEMPLATE_BITS | name));
  }

  // A word that is not known has no feature.
  void add_word(ArgumentTemplate name, uint64_t word) {
    if (word != 0) add(name, word);
  }

  static uint64_t production(const ArgumentTree &tree, const ArgumentNode &node, int32_t marked = -1) {
    uint64_t hash = join(3, node.label);
    for (int32_t i = 0; i < node.children; ++i)
      hash = join(hash, tree.child(node, i).label + (tree.children[node.first_child + i] == marked));
    return hash;
  }

  // The verb group: auxiliaries stand before the verb phrases on the way up.
  void find_group(const ArgumentTree &tree, ArgumentPredicate &p) const {
    p.auxiliary = p.auxiliary_tag = p.auxiliary_lemma = p.clause = 0;
    p.passive = false;
    const int32_t parent = tree.nodes[p.node].parent;
    p.subcategory = production(tree, tree.nodes[parent], p.node);
    int32_t below = p.node;
    for (int32_t up = parent; up >= 0; below = up, up = tree.nodes[up].parent) {
      const ArgumentNode &node = tree.nodes[up];
      if (!is_in(node.category, set_of({VERB_PHRASE, CLAUSE})) && below != p.node) break;
      for (int32_t i = tree.nodes[below].place; i-- > 0 && p.auxiliary_tag == 0;) {
        const ArgumentNode &sister = tree.child(node, i);
        if (sister.children > 0 || !is_in(sister.category, AUXILIARIES)) continue;
        const ArgumentToken &token = tree.tokens[sister.begin];
        p.auxiliary = token.form;
        p.auxiliary_tag = token.tag;
        p.auxiliary_lemma = token.lemma;
      }
      if (node.category == CLAUSE) {
        p.clause = join(join(17, node.label), node.parent < 0 ? 0 : tree.nodes[node.parent].label);
        break;
      }
    }
    const uint64_t known = p.auxiliary != 0 ? p.auxiliary : p.auxiliary_lemma;
    p.passive = tree.nodes[p.node].category == PARTICIPLE && known != 0 &&
                std::find(passive_words.begin(), passive_words.end(), known) != passive_words.end();
  }

  void paths(const ArgumentTree &tree, const ArgumentPredicate &p, int32_t number) {
    uint64_t up = 2, shorter = 2, last = 0;
    int32_t steps = 0, clauses = 0, at = number, before = number;
    for (; p.steps[at] < 0; before = at, at = tree.nodes[at].parent, ++steps) {
      const ArgumentNode &node = tree.nodes[at];
      up = join(up, node.label);
      if (node.label != last) shorter = join(shorter, node.label);
      last = node.label;
      clauses += node.category == CLAUSE;
    }
    const int32_t down = p.steps[at];
    for (int32_t i = 0; i <= down; ++i) clauses += tree.nodes[p.path[i]].category == CLAUSE;
    const ArgumentNode &common = tree.nodes[at];
    const bool left = tree.nodes[number].end <= p.token;
    add(PATH, up, common.label, p.climb[down], left);
    add(PATH_UP, up, common.label);
    add(PATH_DOWN, common.label, p.climb[down]);
    add(PATH_SHORT, shorter, common.label, p.climb_short[down], left);
    add(PATH_LENGTHS, bucket(steps), bucket(down));
    add(COMMON_LABEL, common.label);
    const ArgumentToken &head = tree.tokens[common.head];
    add_word(COMMON_WORD, head.form);
    add_word(COMMON_LEMMA, head.lemma);
    add(COMMON_TAG, head.tag, common.head == p.token);
    add(POSITION, left);
    add(STEPS_UP, bucket(steps));
    add(STEPS_DOWN, bucket(down));
    add(CLAUSES, bucket(clauses));
    const int32_t mine = tree.nodes[before].place, its = tree.nodes[p.path[down - 1]].place;
    add(COMMON_GAP, bucket(mine - its));
    add(TOP_SIBLING, tree.nodes[before].label, tree.nodes[p.path[down - 1]].label);
    frame(tree, common, before, p.path[down - 1], steps);
    rivals(tree, common, number, before, its);
  }

  // The children of the lowest common node: which phrases, and where are we among them?
  void frame(const ArgumentTree &tree, const ArgumentNode &common, int32_t mine, int32_t its, int32_t steps) {
    uint64_t hash = join(5, common.label);
    uint64_t nouns = 0, place = 0;
    for (int32_t i = 0; i < common.children; ++i) {
      const int32_t child = tree.children[common.first_child + i];
      const ArgumentNode &node = tree.nodes[child];
      if (child == mine)
        hash = join(hash, 7), place = nouns;
      else if (child == its)
        hash = join(hash, 11), nouns += 16;
      if (is_in(node.category, MARKS)) continue;
      hash = join(hash, node.label);
      nouns += node.category == NOUN_PHRASE;
    }
    add(FRAME, hash, bucket(steps));
    add(FRAME_PLACE, place, tree.nodes[mine].label, bucket(steps));
  }

  // How many like the candidate stand between it and the predicate, as children of the same node?
  void rivals(const ArgumentTree &tree, const ArgumentNode &common, int32_t number, int32_t mine, int32_t its) {
    const int32_t place = tree.nodes[mine].place;
    int32_t count = 0;
    for (int32_t i = std::min(place, its) + 1; i < std::max(place, its); ++i)
      count += tree.child(common, i).label == tree.nodes[number].label;
    add(RIVALS, bucket(count));
  }

  void of_predicate(const ArgumentTree &tree, const ArgumentPredicate &p) {
    const ArgumentToken &token = tree.tokens[p.token];
    add_word(LEMMA, token.lemma);
    add_word(FORM, token.form);
    add(TAG, token.tag);
    add(VOICE, p.passive);
    add_word(AUXILIARY, p.auxiliary_tag);
    add_word(AUXILIARY_LEMMA, p.auxiliary != 0 ? p.auxiliary : p.auxiliary_lemma);
    add(SUBCATEGORY, p.subcategory);
    add(PREDICATE_PARENT, tree.nodes[tree.nodes[p.node].parent].label);
    add(PREDICATE_CLAUSE, p.clause);
    add(PREDICATE_LEFT_TAG, p.token == 0 ? 0 : tree.tokens[p.token - 1].tag);
    const bool last = p.token + 1 == static_cast<int32_t>(tree.tokens.size());
    add(PREDICATE_RIGHT_TAG, last ? 0 : tree.tokens[p.token + 1].tag);
    if (!last) add_word(PREDICATE_RIGHT_WORD, tree.tokens[p.token + 1].form);
  }

  void inside(const ArgumentTree &tree, const ArgumentNode &node) {
    const ArgumentToken &head = tree.tokens[node.head], &first = tree.tokens[node.begin],
                        &last = tree.tokens[node.end - 1];
    add(PHRASE, node.label);
    add_word(HEAD_WORD, head.form);
    add(HEAD_TAG, head.tag);
    add_word(HEAD_LEMMA, head.lemma);
    add_word(FIRST_WORD, first.form);
    add(FIRST_TAG, first.tag);
    add_word(LAST_WORD, last.form);
    add(LAST_TAG, last.tag);
    if (node.end - node.begin > 1) {
      add(SECOND_TAG, tree.tokens[node.begin + 1].tag);
      add_word(SECOND_WORD, tree.tokens[node.begin + 1].form);
    }
    content(tree, node);
    add(PRODUCTION, production(tree, node));
    add(LENGTH, bucket(node.end - node.begin));
    int32_t predicates = 0;
    for (int32_t i = node.begin; i < node.end; ++i) predicates += tree.tokens[i].lemma != 0;
    add(INNER_PREDICATE, bucket(predicates));
  }

  // What a preposition or a conjunction governs: the head of the last phrase inside.
  void content(const ArgumentTree &tree, const ArgumentNode &node) {
    if (!is_in(node.category, set_of({PREPOSITION_PHRASE, SUBCLAUSE})) || node.children < 2) return;
    const ArgumentToken &token = tree.tokens[tree.child(node, node.children - 1).head];
    add_word(CONTENT_WORD, token.form);
    add(CONTENT_TAG, token.tag);
  }

  void around(const ArgumentTree &tree, const ArgumentNode &node) {
    const ArgumentNode &parent = tree.nodes[node.parent];  // a candidate is not the root
    const ArgumentToken &head = tree.tokens[parent.head];
    add(PARENT, parent.label);
    add(GRANDPARENT, parent.parent < 0 ? 0 : tree.nodes[parent.parent].label);
    add_word(PARENT_HEAD_WORD, head.form);
    add(PARENT_HEAD_TAG, head.tag, parent.head == node.head);
    add(PARENT_PRODUCTION, production(tree, parent, tree.children[parent.first_child + node.place]));
    const ArgumentNode *left = node.place > 0 ? &tree.child(parent, node.place - 1) : nullptr;
    const ArgumentNode *right = node.place + 1 < parent.children ? &tree.child(parent, node.place + 1) : nullptr;
    add(LEFT_SIBLING, left ? left->label : 0);
    add(RIGHT_SIBLING, right ? right->label : 0);
    add(LEFT_HEAD_TAG, left ? tree.tokens[left->head].tag : 0);
    add(RIGHT_HEAD_TAG, right ? tree.tokens[right->head].tag : 0);
    const bool begins = node.begin == 0, ends = node.end == static_cast<int32_t>(tree.tokens.size());
    add(LEFT_TAG, begins ? 0 : tree.tokens[node.begin - 1].tag);
    add(RIGHT_TAG, ends ? 0 : tree.tokens[node.end].tag);
    if (!begins) add_word(LEFT_WORD, tree.tokens[node.begin - 1].form);
    if (!ends) add_word(RIGHT_WORD, tree.tokens[node.end].form);
    add(PLACE, bucket(node.place), bucket(parent.children - node.place));
    add(UNARY, parent.children == 1, node.children == 1);
    const ArgumentNode *top = &node;
    while (top->parent >= 0 && tree.nodes[top->parent].children == 1) top = &tree.nodes[top->parent];
    add(CHAIN_TOP, top->label, top->parent < 0 ? 0 : tree.nodes[top->parent].label);
  }

  void between(const ArgumentTree &tree, const ArgumentPredicate &p, const ArgumentNode &node) {
    const bool left = node.end <= p.token;
    const int32_t begin = left ? node.end : p.token + 1, end = left ? p.token : node.begin;
    add(DISTANCE, left, bucket(end - begin));
    add(VERBS_BETWEEN, bucket(p.verbs[end] - p.verbs[begin]));
    add(MARKS_BETWEEN, bucket(p.marks[end] - p.marks[begin]));
    uint64_t gap = 13;
    if (end - begin <= 3)
      for (int32_t i = begin; i < end; ++i) gap = join(gap, tree.tokens[i].tag);
    add(PREDICATE_GAP, end - begin <= 3 ? gap : 0, left);
  }

  static bool same_span(const ArgumentTree &tree, int32_t one, int32_t other) {
    return one >= 0 && tree.nodes[one].begin == tree.nodes[other].begin && tree.nodes[one].end == tree.nodes[other].end;
  }

  static bool heads(const ArgumentTree &tree, int32_t phrase, int32_t number) {
    return phrase >= 0 && tree.tokens[tree.nodes[phrase].head].node == number;
  }

  // Which subject, object and so on there are, and which of them the candidate is.
  void related(const ArgumentTree &tree, const ArgumentPredicate &p, int32_t number) {
    const ArgumentRelations &own = p.own, &above = p.above;
    const bool governs = own.governor >= 0 && tree.tokens[own.governor].node == number;
    uint64_t is = governs, there = own.governor >= 0;
    for (const int32_t node : {own.subject, own.object, own.asker, own.owner, above.subject, above.object}) {
      is = is << 1 | same_span(tree, node, number);
      there = there << 1 | (node >= 0);
    }
    add(RELATION, is << 2 | heads(tree, own.object, number) << 1 | heads(tree, above.object, number));
    add(RELATIONS, there);
    head_of(tree, own.subject, SUBJECT_WORD, SUBJECT_TAG);
    head_of(tree, own.object, OBJECT_WORD, OBJECT_TAG);
    if (own.asker >= 0) {
      const ArgumentToken &asker = tree.tokens[tree.nodes[own.asker].begin];
      add(ASKER_WORD, asker.form != 0 ? asker.form : asker.tag);
    }
    if (own.governor >= 0) {
      const ArgumentToken &governor = tree.tokens[own.governor];
      add_word(GOVERNOR_WORD, governor.form);
      add_word(GOVERNOR_LEMMA, governor.lemma);
      add(GOVERNOR_TAG, governor.tag, own.governor < p.token);
    }
  }

  void head_of(const ArgumentTree &tree, int32_t phrase, ArgumentTemplate word, ArgumentTemplate tag) {
    if (phrase < 0) return;
    const ArgumentToken &head = tree.tokens[tree.nodes[phrase].head];
    add_word(word, head.form);
    add(tag, head.tag, head.lemma != 0);
  }

  std::vector<int32_t> out_;
};

}  // namespace kakari
