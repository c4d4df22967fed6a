// What the constituency parser's decisions look at: conjunctions of a state of the stack.
//
// A conjunction with a word that is not known (skeletons of trees have no words) is left out.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "parsers/english/constituency/states.hpp"

namespace kakari {

// What conjunctions are made of: an item of the stack or a word of the queue.
struct Item {
  uint64_t label = 254, tag = 254, word = 0, suffix = 0;
  uint64_t first_tag = 254, first = 0, last_tag = 254, last = 0, size = 0, inner = 254;
  const Step *left = nullptr, *right = nullptr;
};

class ParserFeatures {
 public:
  static constexpr int MOST = 192;

  ParserFeatures(const ParserSentence &sentence, const Grammar &grammar) : sentence_(sentence) {
    counts_.resize(sentence.length + 1);
    for (int32_t i = 0; i < sentence.length; ++i) {
      const uint8_t trait = grammar.traits[sentence.tags[i]];
      for (int k = 0; k < TRAITS; ++k) counts_[i + 1][k] = counts_[i][k] + (trait >> k & 1);
    }
  }

  const ParserSentence &sentence() const { return sentence_; }

  // What decides about joining: everything that the functions below see. The first four do not look at the label of the
  // topmost item, in which most hypotheses of a beam differ.
  int join(const Step &state, uint64_t *out) const {
    int count = join_queue(state.end, out);
    count += join_below(under(state), out + count);
    count += join_words(state, out + count);
    count += join_deep_words(state, out + count);
    count += join_top(state, out + count);
    count += join_pair(state, out + count);
    return count + join_deep(state, out + count);
  }

  // Of the words to come.
  int join_queue(int32_t end, uint64_t *out) const {
    const Item q0 = word(end), q1 = word(end + 1), q2 = word(end + 2), q3 = word(end + 3);
    Conjunctions add(out);
    add(108, q0.word, q0.tag);
    add(109, q1.word, q1.tag);
    add(110, q2.word, q2.tag);
    add(111, q3.word, q3.tag);
    add(128, q0.word, q1.word);
    add(129, q0.word, q1.tag);
    add(130, q0.tag, q1.word);
    add(131, q0.tag, q1.tag);
    return add.count;
  }

  // Of the item below the topmost one.
  int join_below(const Step &below, uint64_t *out) const {
    const Item b = item(below), bl = part(b.left), br = part(b.right);
    Conjunctions add(out);
    add(102, b.tag, b.label);
    add(103, b.word, b.label);
    add(115, bl.word, bl.label, b.label);
    add(116, br.word, br.label, b.label);
    add(161, b.label, bl.label, br.label);
    add(175, b.label, b.first);
    add(176, b.label, b.first_tag, b.last_tag);
    add(178, b.label, b.size);
    return add.count;
  }

  // Of the words of both, and of the borders of what both would cover.
  int join_words(const Step &state, uint64_t *out) const {
    const Item a = item(state), b = item(under(state)), q0 = word(state.end);
    const Span joined = joined_span(state);
    const Item before = word(joined.begin - 1), first = word(joined.begin), last = word(joined.end - 1);
    const Item after = word(joined.end), meets = word(joined.middle - 1), met = word(joined.middle);
    const uint64_t size = size_of(joined.end - joined.begin);
    Conjunctions add(out);
    add(120, a.word, b.word);
    add(124, a.word, q0.word);
    add(132, b.word, q0.word);
    add(133, b.word, q0.tag);
    add(134, b.label, q0.word);
    add(135, b.label, q0.tag);
    add(152, a.tag, b.tag, q0.tag);
    add(240, a.word, b.tag, b.label);
    add(250, first.word, last.word);
    add(251, before.word, first.word);
    add(252, last.word, after.word);
    add(253, meets.word, met.word);
    add(254, before.word, after.word);
    add(255, before.tag, first.tag, last.tag, after.tag);
    add(256, meets.tag, met.tag, before.tag, after.tag);
    add(257, size, before.tag, after.tag);
    add(259, span_shape(joined.begin, joined.end), before.tag, after.tag);
    return add.count;
  }

  // The same with what lies deeper.
  int join_deep_words(const Step &state, uint64_t *out) const {
    const Step &s1 = under(state), &s2 = under(s1);
    const Item a = item(state), b = item(s1), c = item(s2), d = item(under(s2)), ar = part(a.right);
    const Item q0 = word(state.end);
    Conjunctions add(out);
    add(104, c.tag, c.label);
    add(105, c.word, c.label);
    add(106, d.tag, d.label);
    add(107, d.word, d.label);
    add(182, b.label, c.last_tag, c.label);
    add(194, c.word, a.word, b.word);
    add(242, c.word, a.word, ar.word);
    add(243, c.tag, b.tag, a.word);
    add(245, c.label, b.label, q0.tag);
    return add.count;
  }

  // Of the topmost item and the queue.
  int join_top(const Step &state, uint64_t *out) const {
    const Item a = item(state), al = part(a.left), ar = part(a.right);
    const Item q0 = word(state.end), q1 = word(state.end + 1), q2 = word(state.end + 2);
    Conjunctions add(out);
    add(100, a.tag, a.label);
    add(101, a.word, a.label);
    add(112, al.word, al.label, a.label);
    add(113, ar.word, ar.label, a.label);
    add(125, a.word, q0.tag, a.label);
    add(126, a.label, q0.word);
    add(127, a.label, q0.tag);
    add(149, a.label, q0.tag, q1.tag);
    add(150, a.label, q0.tag, q1.tag, q2.tag);
    add(160, a.label, al.label, ar.label);
    add(170, a.label, a.first_tag, a.last_tag);
    add(171, a.label, a.first);
    add(172, a.label, a.last);
    add(177, a.label, a.size);
    return add.count;
  }

  // Of both items, with the queue, and what is in the span that both would cover.
  int join_pair(const Step &state, uint64_t *out) const {
    const Step &s1 = under(state);
    const Item a = item(state), b = item(s1), q0 = word(state.end), q1 = word(state.end + 1);
    const Item al = part(a.left), ar = part(a.right), br = part(b.right);
    Conjunctions add(out);
    add(114, a.inner, a.label, b.inner, b.label);
    add(121, a.word, b.label, a.label);
    add(122, a.label, b.word, b.label);
    add(123, a.label, b.label);
    add(136, a.label, a.tag, b.label, b.tag);
    add(144, a.label, b.label, q0.tag);
    add(145, a.word, b.label, q0.tag, a.label);
    add(146, a.label, b.word, q0.tag, b.label);
    add(147, a.label, b.label, q0.word);
    add(151, a.label, b.label, q0.tag, q1.tag);
    add(154, a.label, b.label, a.tag, b.tag, q0.tag);
    add(155, a.word, q0.word, b.label);
    add(156, b.word, q0.word, a.label, b.label);
    add(158, b.word, a.word, ar.word, a.label);
    add(162, a.label, al.label, ar.label, b.label, q0.tag);
    add(163, a.label, b.label, br.label, br.tag, q0.tag);
    add(164, a.label, b.label, al.label, al.word);
    add(165, a.label, b.label, ar.label, ar.word);
    add(166, a.label, b.label, br.word, q0.word);
    add(173, a.label, a.first_tag, a.last_tag, q0.tag, b.last_tag);
    add(174, a.label, b.last);
    add(179, a.label, b.label, a.size, b.size);
    add(180, a.label, b.label, a.first);
    add(181, a.label, b.label, b.first);
    add(183, a.label, b.label, b.last_tag, a.first_tag);
    add(184, a.label, b.label, b.last);
    add(186, a.label, b.label, q0.tag, comma_inside(state), comma_inside(s1));
    add(188, a.label, a.size, q0.tag, b.label);
    add(189, a.suffix, a.label, b.label);
    add(190, b.suffix, b.label, a.label);
    add(191, a.label, b.label, q0.suffix);
    add(241, a.tag, b.word, a.label);
    const auto [begin, middle, end] = joined_span(state);
    const Item before = word(begin - 1), after = word(end), meets = word(middle - 1), met = word(middle);
    const uint64_t size = size_of(end - begin);
    add(258, size, a.label, b.label, after.tag);
    add(260, a.label, b.label, inside(begin, end));
    add(261, a.label, b.label, inside(middle, end), inside(begin, middle));
    add(262, a.label, b.label, verbs(middle, end), verbs(begin, middle), verbs(end, sentence_.length));
    add(263, a.label, verbs(begin, end), verbs(end, sentence_.length), after.tag);
    add(264, a.label, b.label, commas(end, sentence_.length), conjunctions(end, sentence_.length), after.tag);
    add(265, a.label, b.label, conjunctions(begin, end), after.tag, before.tag);
    add(266, a.label, b.label, size_of(sentence_.length - end), size_of(begin));
    add(267, a.label, b.label, before.word, after.tag);
    add(268, a.label, b.label, meets.word, met.word);
    return add.count;
  }

  // Of both items with what lies deeper.
  int join_deep(const Step &state, uint64_t *out) const {
    const Step &s1 = under(state), &s2 = under(s1);
    const Item a = item(state), b = item(s1), c = item(s2), d = item(under(s2)), q0 = word(state.end);
    const uint64_t mark = final_mark();
    Conjunctions add(out);
    add(140, a.label, b.label, c.label);
    add(141, a.word, b.label, c.label);
    add(142, a.label, b.word, c.label);
    add(143, a.label, b.label, c.word);
    add(148, a.label, b.label, c.label, q0.tag);
    add(153, a.label, b.label, c.label, d.label);
    add(157, c.word, a.word, a.label, b.label);
    add(159, c.tag, c.label, b.tag, b.label, a.label, a.word);
    add(185, a.label, b.label, mark, c.label);
    add(187, a.label, b.label, static_cast<uint64_t>(state.end == sentence_.length), std::min(state.depth, 4));
    add(193, c.label, c.tag, b.label, b.word, a.label, a.tag);
    add(195, c.label, b.label, a.label, c.size, a.size);
    add(244, c.label, a.label, q0.word);
    return add.count;
  }

  // What decides about unary nodes: everything that `unary_top` and `unary_deep` see.
  int unary(const Step &state, uint64_t *out) const {
    const int count = unary_top(state, out);
    return count + unary_deep(state, out + count);
  }

  // Of the topmost item and the words around it.
  int unary_top(const Step &state, uint64_t *out) const {
    const Item a = item(state), al = part(a.left), ar = part(a.right);
    const Item q0 = word(state.end), q1 = word(state.end + 1), q2 = word(state.end + 2);
    const Item before = word(state.begin - 1), before2 = word(state.begin - 2);
    const uint64_t open = state.begin == 0, done = state.end == sentence_.length;
    Conjunctions add(out);
    add(200, a.label);
    add(201, a.label, a.word);
    add(202, a.label, a.tag);
    add(203, a.label, q0.tag);
    add(204, a.label, q0.word);
    add(211, a.label, q0.tag, q1.tag);
    add(212, a.word, a.label, q0.tag);
    add(215, a.label, before.tag, q0.tag);
    add(216, a.label, before.word);
    add(217, a.label, before.word, q0.tag);
    add(218, a.label, a.first_tag, a.last_tag);
    add(219, a.label, a.first);
    add(220, a.label, a.last);
    add(221, a.label, al.label, ar.label);
    add(223, a.label, a.size, open, done);
    add(224, a.label, open, done, final_mark());
    add(225, a.label, q0.tag, q1.tag, q2.tag);
    add(226, a.label, before2.tag, before.tag, q0.tag);
    add(227, a.label, q0.word, q1.tag);
    add(229, a.suffix, a.label, q0.tag);
    add(231, a.label, before.word, q0.word);
    add(232, a.label, a.word, before.tag, q0.tag);
    add(234, a.label, before2.word, before.word);
    add(235, a.label, q0.word, q1.word);
    add(290, a.label, before.word, a.first);
    add(291, a.label, a.last, q0.word);
    add(292, a.label, a.first_tag, a.last_tag, before.tag, q0.tag);
    add(293, a.label, a.size, before.tag, q0.tag);
    add(294, a.label, inside(state.begin, state.end), open, done);
    add(295, a.label, verbs(state.begin, state.end), verbs(state.end, sentence_.length), q0.tag);
    add(297, a.label, span_shape(state.begin, state.end), before.tag, q0.tag);
    add(298, a.label, a.word, a.first, a.last);
    return add.count;
  }

  // Of the topmost item with what lies below it.
  int unary_deep(const Step &state, uint64_t *out) const {
    const Step &s1 = under(state);
    const Item a = item(state), b = item(s1), c = item(under(s1)), al = part(a.left), ar = part(a.right);
    const Item q0 = word(state.end);
    Conjunctions add(out);
    add(205, a.label, b.label);
    add(206, a.label, b.word);
    add(207, a.label, b.tag, b.label);
    add(208, a.label, b.label, q0.tag);
    add(209, a.label, b.label, c.label);
    add(210, a.label, b.label, c.label, q0.tag);
    add(213, a.word, a.label, b.label);
    add(214, a.word, a.label, b.label, q0.tag);
    add(222, a.label, al.label, ar.label, b.label, q0.tag);
    add(228, a.label, b.word, q0.tag);
    add(230, a.label, b.label, q0.word);
    add(236, a.label, b.word, a.word);
    add(237, a.label, a.first, b.label);
    add(296, a.label, b.label, inside(state.begin, state.end));
    return add.count;
  }

  // What the features of two items, or of one, count in spans: with it and the places around, views (views.hpp) say all
  // that is seen of the tags.
  uint64_t counts_of_pair(const Step &state) const {
    const auto [begin, middle, end] = joined_span(state);
    const uint64_t rest =
        verbs(end, sentence_.length) << 4 | commas(end, sentence_.length) << 2 | conjunctions(end, sentence_.length);
    const uint64_t verbal = verbs(begin, end) << 4 | verbs(middle, end) << 2 | verbs(begin, middle);
    return inside(begin, end) << 32 | inside(middle, end) << 24 | inside(begin, middle) << 16 | verbal << 8 | rest;
  }
  uint64_t counts_of_item(const Step &state) const {
    return inside(state.begin, state.end) << 4 | verbs(state.begin, state.end) << 2 |
           verbs(state.end, sentence_.length);
  }

  // The item below one; a step without depth where there is none.
  static const Step &under(const Step &step) {
    static const Step nothing;
    return step.below ? *step.below : nothing;
  }

 private:
  static constexpr int TRAITS = 6;

  // What both items would cover, and where they meet.
  struct Span {
    int32_t begin, middle, end;
  };

  static Span joined_span(const Step &right) {
    const Step &left = under(right);
    return {left.depth > 0 ? left.begin : right.begin, right.begin, right.end};
  }

  uint64_t count(int32_t begin, int32_t end, int trait, int most) const {
    return std::min(counts_[end][trait] - counts_[begin][trait], most);
  }
  uint64_t verbs(int32_t begin, int32_t end) const { return count(begin, end, 0, 3); }
  uint64_t commas(int32_t begin, int32_t end) const { return count(begin, end, 1, 3); }
  uint64_t conjunctions(int32_t begin, int32_t end) const { return count(begin, end, 2, 2); }

  // Whether brackets and quotation marks are closed, and whether there are commas and conjunctions.
  uint64_t inside(int32_t begin, int32_t end) const {
    const int opened = counts_[end][3] - counts_[begin][3], closed = counts_[end][4] - counts_[begin][4];
    const uint64_t balance = opened > closed ? 2 : opened < closed ? 1 : opened > 0 ? 3 : 0;
    const uint64_t quotes = (counts_[end][5] - counts_[begin][5]) % 2;
    return balance << 5 | quotes << 4 | count(begin, end, 1, 3) << 2 | conjunctions(begin, end);
  }

  // The kinds of letters in the words of a short span; longer ones have none.
  uint64_t span_shape(int32_t begin, int32_t end) const {
    if (end - begin > 8) return 0;
    uint64_t shape = 1;
    for (int32_t i = begin; i < end; ++i) {
      const uint8_t flags = sentence_.words[i].flags;
      if (sentence_.words[i].lower == ABSENT) return ABSENT;
      const uint64_t kind = flags & TITLE       ? 1
                            : flags & HAS_LOWER ? 2
                            : flags & HAS_UPPER ? 3
                            : flags & HAS_DIGIT ? 4
                                                : 5 + (sentence_.words[i].lower & 31);
      shape = shape * 37 + kind;
    }
    return shape;
  }

  static uint64_t size_of(int32_t size) {
    return size <= 4 ? size : size <= 6 ? 5 : size <= 9 ? 6 : size <= 14 ? 7 : 8;
  }

  Item word(int32_t at) const {
    Item item;
    if (at < 0 || at >= sentence_.length) return item;
    const Word &found = sentence_.words[at];
    item.tag = item.label = sentence_.tags[at];
    item.word = found.lower;
    item.suffix = found.suffix[2];
    return item;
  }

  Item item(const Step &step) const {
    if (step.depth == 0) return Item();
    Item item = word(step.head);
    item.label = step.symbol;
    item.inner = step.inner;
    item.first_tag = sentence_.tags[step.begin];
    item.first = sentence_.words[step.begin].lower;
    item.last_tag = sentence_.tags[step.end - 1];
    item.last = sentence_.words[step.end - 1].lower;
    item.size = size_of(step.end - step.begin);
    item.left = step.left;
    item.right = step.right;
    return item;
  }

  Item part(const Step *step) const {
    if (step == nullptr) return Item();
    Item item = word(step->head);
    item.label = step->symbol;
    return item;
  }

  uint64_t comma_inside(const Step &step) const {
    return step.depth > 0 && step.right != nullptr && step.right->end - step.right->begin == 1
               ? sentence_.words[step.right->begin].lower
               : 0;
  }

  uint64_t final_mark() const { return sentence_.words[sentence_.length - 1].lower; }

  ParserSentence sentence_;
  std::vector<std::array<int32_t, TRAITS>> counts_;  // of each trait, in the words before a place
};

}  // namespace kakari
