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

  int join(const Step &state, uint64_t *out) const {
    static const Step nothing;
    const Step *s1 = state.below ? state.below : &nothing;
    const Step *s2 = s1->below ? s1->below : &nothing;
    const Step *s3 = s2->below ? s2->below : &nothing;
    const Item a = item(state), b = item(*s1), c = item(*s2), d = item(*s3);
    const Item q0 = word(state.end), q1 = word(state.end + 1), q2 = word(state.end + 2), q3 = word(state.end + 3);
    const Item al = part(a.left), ar = part(a.right), bl = part(b.left), br = part(b.right);
    const uint64_t mark = final_mark();
    Conjunctions add(out);
    add(100, a.tag, a.label);
    add(101, a.word, a.label);
    add(102, b.tag, b.label);
    add(103, b.word, b.label);
    add(104, c.tag, c.label);
    add(105, c.word, c.label);
    add(106, d.tag, d.label);
    add(107, d.word, d.label);
    add(108, q0.word, q0.tag);
    add(109, q1.word, q1.tag);
    add(110, q2.word, q2.tag);
    add(111, q3.word, q3.tag);
    add(112, al.word, al.label, a.label);
    add(113, ar.word, ar.label, a.label);
    add(114, a.inner, a.label, b.inner, b.label);
    add(115, bl.word, bl.label, b.label);
    add(116, br.word, br.label, b.label);
    add(120, a.word, b.word);
    add(121, a.word, b.label, a.label);
    add(122, a.label, b.word, b.label);
    add(123, a.label, b.label);
    add(124, a.word, q0.word);
    add(125, a.word, q0.tag, a.label);
    add(126, a.label, q0.word);
    add(127, a.label, q0.tag);
    add(128, q0.word, q1.word);
    add(129, q0.word, q1.tag);
    add(130, q0.tag, q1.word);
    add(131, q0.tag, q1.tag);
    add(132, b.word, q0.word);
    add(133, b.word, q0.tag);
    add(134, b.label, q0.word);
    add(135, b.label, q0.tag);
    add(136, a.label, a.tag, b.label, b.tag);
    add(140, a.label, b.label, c.label);
    add(141, a.word, b.label, c.label);
    add(142, a.label, b.word, c.label);
    add(143, a.label, b.label, c.word);
    add(144, a.label, b.label, q0.tag);
    add(145, a.word, b.label, q0.tag, a.label);
    add(146, a.label, b.word, q0.tag, b.label);
    add(147, a.label, b.label, q0.word);
    add(148, a.label, b.label, c.label, q0.tag);
    add(149, a.label, q0.tag, q1.tag);
    add(150, a.label, q0.tag, q1.tag, q2.tag);
    add(151, a.label, b.label, q0.tag, q1.tag);
    add(152, a.tag, b.tag, q0.tag);
    add(153, a.label, b.label, c.label, d.label);
    add(154, a.label, b.label, a.tag, b.tag, q0.tag);
    add(155, a.word, q0.word, b.label);
    add(156, b.word, q0.word, a.label, b.label);
    add(157, c.word, a.word, a.label, b.label);
    add(158, b.word, a.word, ar.word, a.label);
    add(159, c.tag, c.label, b.tag, b.label, a.label, a.word);
    add(160, a.label, al.label, ar.label);
    add(161, b.label, bl.label, br.label);
    add(162, a.label, al.label, ar.label, b.label, q0.tag);
    add(163, a.label, b.label, br.label, br.tag, q0.tag);
    add(164, a.label, b.label, al.label, al.word);
    add(165, a.label, b.label, ar.label, ar.word);
    add(166, a.label, b.label, br.word, q0.word);
    add(170, a.label, a.first_tag, a.last_tag);
    add(171, a.label, a.first);
    add(172, a.label, a.last);
    add(173, a.label, a.first_tag, a.last_tag, q0.tag, b.last_tag);
    add(174, a.label, b.last);
    add(175, b.label, b.first);
    add(176, b.label, b.first_tag, b.last_tag);
    add(177, a.label, a.size);
    add(178, b.label, b.size);
    add(179, a.label, b.label, a.size, b.size);
    add(180, a.label, b.label, a.first);
    add(181, a.label, b.label, b.first);
    add(182, b.label, c.last_tag, c.label);
    add(183, a.label, b.label, b.last_tag, a.first_tag);
    add(184, a.label, b.label, b.last);
    add(185, a.label, b.label, mark, c.label);
    add(186, a.label, b.label, q0.tag, comma_inside(state), comma_inside(*s1));
    add(187, a.label, b.label, static_cast<uint64_t>(state.end == sentence_.length), std::min(state.depth, 4));
    add(188, a.label, a.size, q0.tag, b.label);
    add(189, a.suffix, a.label, b.label);
    add(190, b.suffix, b.label, a.label);
    add(191, a.label, b.label, q0.suffix);
    add(193, c.label, c.tag, b.label, b.word, a.label, a.tag);
    add(194, c.word, a.word, b.word);
    add(195, c.label, b.label, a.label, c.size, a.size);
    add(240, a.word, b.tag, b.label);
    add(241, a.tag, b.word, a.label);
    add(242, c.word, a.word, ar.word);
    add(243, c.tag, b.tag, a.word);
    add(244, c.label, a.label, q0.word);
    add(245, c.label, b.label, q0.tag);
    joined_span(state, *s1, add);
    return add.count;
  }

  int unary(const Step &state, uint64_t *out) const {
    static const Step nothing;
    const Step *s1 = state.below ? state.below : &nothing;
    const Step *s2 = s1->below ? s1->below : &nothing;
    const Item a = item(state), b = item(*s1), c = item(*s2);
    const Item q0 = word(state.end), q1 = word(state.end + 1), q2 = word(state.end + 2);
    const Item before = word(state.begin - 1), before2 = word(state.begin - 2);
    const Item al = part(a.left), ar = part(a.right);
    const uint64_t open = state.begin == 0, done = state.end == sentence_.length;
    Conjunctions add(out);
    add(200, a.label);
    add(201, a.label, a.word);
    add(202, a.label, a.tag);
    add(203, a.label, q0.tag);
    add(204, a.label, q0.word);
    add(205, a.label, b.label);
    add(206, a.label, b.word);
    add(207, a.label, b.tag, b.label);
    add(208, a.label, b.label, q0.tag);
    add(209, a.label, b.label, c.label);
    add(210, a.label, b.label, c.label, q0.tag);
    add(211, a.label, q0.tag, q1.tag);
    add(212, a.word, a.label, q0.tag);
    add(213, a.word, a.label, b.label);
    add(214, a.word, a.label, b.label, q0.tag);
    add(215, a.label, before.tag, q0.tag);
    add(216, a.label, before.word);
    add(217, a.label, before.word, q0.tag);
    add(218, a.label, a.first_tag, a.last_tag);
    add(219, a.label, a.first);
    add(220, a.label, a.last);
    add(221, a.label, al.label, ar.label);
    add(222, a.label, al.label, ar.label, b.label, q0.tag);
    add(223, a.label, a.size, open, done);
    add(224, a.label, open, done, final_mark());
    add(225, a.label, q0.tag, q1.tag, q2.tag);
    add(226, a.label, before2.tag, before.tag, q0.tag);
    add(227, a.label, q0.word, q1.tag);
    add(228, a.label, b.word, q0.tag);
    add(229, a.suffix, a.label, q0.tag);
    add(230, a.label, b.label, q0.word);
    add(231, a.label, before.word, q0.word);
    add(232, a.label, a.word, before.tag, q0.tag);
    add(234, a.label, before2.word, before.word);
    add(235, a.label, q0.word, q1.word);
    add(236, a.label, b.word, a.word);
    add(237, a.label, a.first, b.label);
    add(290, a.label, before.word, a.first);
    add(291, a.label, a.last, q0.word);
    add(292, a.label, a.first_tag, a.last_tag, before.tag, q0.tag);
    add(293, a.label, a.size, before.tag, q0.tag);
    add(294, a.label, inside(state.begin, state.end), open, done);
    add(295, a.label, verbs(state.begin, state.end), verbs(state.end, sentence_.length), q0.tag);
    add(296, a.label, b.label, inside(state.begin, state.end));
    add(297, a.label, span_shape(state.begin, state.end), before.tag, q0.tag);
    add(298, a.label, a.word, a.first, a.last);
    return add.count;
  }

 private:
  static constexpr int TRAITS = 6;

  // What both items would cover: its borders, where they meet, and what is in it.
  void joined_span(const Step &right, const Step &left, Conjunctions &add) const {
    const int32_t begin = left.depth > 0 ? left.begin : right.begin, end = right.end, middle = right.begin;
    const Item before = word(begin - 1), first = word(begin), last = word(end - 1), after = word(end);
    const Item meets = word(middle - 1), met = word(middle);
    const uint64_t a = right.symbol, b = left.symbol, size = size_of(end - begin);
    add(250, first.word, last.word);
    add(251, before.word, first.word);
    add(252, last.word, after.word);
    add(253, meets.word, met.word);
    add(254, before.word, after.word);
    add(255, before.tag, first.tag, last.tag, after.tag);
    add(256, meets.tag, met.tag, before.tag, after.tag);
    add(257, size, before.tag, after.tag);
    add(258, size, a, b, after.tag);
    add(259, span_shape(begin, end), before.tag, after.tag);
    add(260, a, b, inside(begin, end));
    add(261, a, b, inside(middle, end), inside(begin, middle));
    add(262, a, b, verbs(middle, end), verbs(begin, middle), verbs(end, sentence_.length));
    add(263, a, verbs(begin, end), verbs(end, sentence_.length), after.tag);
    add(264, a, b, commas(end, sentence_.length), conjunctions(end, sentence_.length), after.tag);
    add(265, a, b, conjunctions(begin, end), after.tag, before.tag);
    add(266, a, b, size_of(sentence_.length - end), size_of(begin));
    add(267, a, b, before.word, after.tag);
    add(268, a, b, meets.word, met.word);
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
