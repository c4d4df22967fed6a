// Attributes of words that are tagged: coarse tag, number, tense, and whatever else a treebank has.
//
// Values of all attributes are classes of one table of rows; those of one attribute are a run of classes, of which the
// best is taken. A word costs one scoring, whatever the number of attributes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "parsers/english/words/words.hpp"

namespace kakari {

constexpr int MOST_ATTRIBUTE_CONJUNCTIONS = 64;

inline int attribute_conjunctions(const Word *words, const uint8_t *tags, int32_t length, int32_t i, uint64_t *out) {
  static const Word outside;
  const auto word = [&](int32_t k) -> const Word & { return k < 0 || k >= length ? outside : words[k]; };
  const auto tag = [&](int32_t k) -> uint64_t { return k < 0 || k >= length ? 255 : tags[k]; };
  const Word &w = word(i), &p = word(i - 1), &n = word(i + 1);
  const uint64_t t = tag(i), t1 = tag(i - 1), t2 = tag(i - 2), n1 = tag(i + 1), n2 = tag(i + 2);
  Conjunctions add(out);
  add(300, t);
  add(301, t, w.form);
  add(302, t, w.lower);
  add(303, w.lower);
  add(304, t, w.shape);
  for (int k = 0; k < SUFFIXES; ++k)
    if (w.suffix[k]) add(305 + k, t, w.suffix[k]);
  for (int k = 0; k < PREFIXES; ++k)
    if (w.prefix[k]) add(311 + k, t, w.prefix[k]);
  add(316, t, t1);
  add(317, t, n1);
  add(318, t, t1, n1);
  add(319, t, t1, t2);
  add(320, t, n1, n2);
  add(321, t, w.lower, t1);
  add(322, t, w.lower, n1);
  add(323, t, w.lower, p.lower);
  add(324, t, w.lower, n.lower);
  add(325, t, p.lower);
  add(326, t, n.lower);
  add(327, t, w.suffix[2], t1);
  add(328, t, w.suffix[2], n1);
  add(329, t, w.lower, t1, n1);
  add(330, t, w.lower, n1, n2);
  add(331, t, w.lower, t1, t2);
  add(332, t, w.kind);
  add(333, t, w.kind, n1, t1);
  add(334, t, i == 0, w.shape);
  add(335, t, w.suffix[2], p.suffix[2]);
  add(336, t, w.lower, word(length - 1).lower);
  add(337, t, p.lower, n.lower);
  add(338, t, w.lower, word(i - 2).lower);
  add(339, t, w.lower, word(i + 2).lower);
  return add.count;
}

// The best value of each attribute: `ends` says where the run of classes of each ends.
inline void choose_values(const int32_t *scores, const std::vector<int32_t> &ends, uint8_t *found) {
  int32_t begin = 0;
  for (size_t k = 0; k < ends.size(); ++k) {
    found[k] = static_cast<uint8_t>(std::max_element(scores + begin, scores + ends[k]) - scores);
    begin = ends[k];
  }
}

// The best value of a run but the gold one; the gold one if there is no other.
inline int32_t strongest_rival(const int32_t *scores, int32_t begin, int32_t end, int32_t gold) {
  int32_t rival = gold;
  for (int32_t k = begin; k < end; ++k)
    if (k != gold && (rival == gold || scores[k] > scores[rival])) rival = k;
  return rival;
}

}  // namespace kakari
