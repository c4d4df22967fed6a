// The conjunctions of one choice of a head; see tree_search.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/hashed/rows.hpp"

namespace kakari {

constexpr int MOST_CHOICE_HASHES = 200;
constexpr int SEEN_AROUND =
    6;  // dependents of a head, candidates passed over, particles: no more of them are looked at

// What a bunsetsu shows: numbers of words and classes, each compared with others of its kind only.
struct ShownBunsetsu {
  uint32_t head, head_pos, head_form;        // the last word that is no particle
  uint32_t content, fine, last_char, shape;  // the content word: base form, full part of speech, characters
  uint32_t function;                         // all words behind it
  uint32_t closing;                          // how it ends: a particle, a conjugation form or a part of speech
  uint32_t tail_pos, tail_form, form;        // the last word; the last one that conjugates
  uint32_t first, last;                      // words
  uint32_t kinds, punctuation, bracket;
  int32_t balance;
  bool predicate, topic;
  std::vector<uint32_t> particles;
};

struct ShownSentence {
  std::vector<ShownBunsetsu> bunsetsu;
  std::vector<int32_t> commas, predicates, topics, balances;  // sums over what stands before

  int32_t size() const { return static_cast<int32_t>(bunsetsu.size()); }

  void clear() { bunsetsu.clear(); }

  void finish() {
    for (auto *sums : {&commas, &predicates, &topics, &balances}) sums->assign(1, 0);
    for (const ShownBunsetsu &shown : bunsetsu) {
      commas.push_back(commas.back() + (shown.punctuation & 1));
      predicates.push_back(predicates.back() + shown.predicate);
      topics.push_back(topics.back() + shown.topic);
      balances.push_back(balances.back() + shown.balance);
    }
  }
};

struct Arcs {
  const int32_t *heads, *newest_child, *next_child;
};

// A candidate, the one that was passed over before it (or -1), and how many were.
struct Choice {
  int32_t dependent, head, before, passed;

  void pass(const int32_t *heads) {
    before = head;
    head = heads[head];
    ++passed;
  }
};

inline int distance_class(int32_t distance) {
  return distance <= 3 ? distance : distance <= 5 ? 4 : distance <= 8 ? 5 : 6;
}

// What stands between the two of a pair.
struct Between {
  int distance, commas, predicates, topics, brackets;
  bool last;

  Between(const ShownSentence &s, int32_t d, int32_t h)
      : distance(distance_class(h - d)),
        commas(std::min(s.commas[h] - s.commas[d + 1], 2)),
        predicates(std::min(s.predicates[h] - s.predicates[d + 1], 3)),
        topics(std::min(s.topics[h] - s.topics[d + 1], 1)),
        last(h == s.size() - 1) {
    const int32_t balance = s.balances[h] - s.balances[d + 1];
    brackets = balance == 0 ? 0 : balance > 0 ? 1 : 2;
  }
};

inline void closing_hashes(Conjunctions &put, const ShownBunsetsu &a, const ShownBunsetsu &b, const Between &x) {
  put(0, a.function, x.distance);
  put(1, a.closing, x.distance);
  put(2, a.function, a.punctuation, x.distance);
  put(3, a.function, a.punctuation, x.predicates, x.commas);
  put(4, a.tail_pos, a.tail_form, x.distance, a.punctuation);
  put(5, a.content, x.distance);
  put(6, a.content, a.function, x.distance);
  put(7, a.function, x.last);
  put(8, a.function, a.punctuation, x.last, x.predicates);
  put(9, a.closing, a.punctuation, x.last, x.distance);
  put(10, b.function, a.function);
  put(11, b.function, a.function, a.punctuation);
  put(12, b.function, a.closing, x.distance);
  put(13, b.closing, a.closing);
  put(14, b.closing, a.closing, a.punctuation, b.punctuation);
  put(15, b.closing, a.function, x.distance);
  put(16, b.closing, a.function, a.punctuation, b.punctuation);
  put(17, b.form, a.function, a.punctuation);
  put(18, b.form, b.function, a.closing);
  put(19, b.form, a.closing, b.kinds);
  put(20, a.closing, b.kinds, b.closing, x.predicates, a.punctuation);
  put(21, a.function, b.function, x.predicates);
  put(22, a.function, a.punctuation, b.closing, b.punctuation, x.predicates);
  put(23, x.topics, a.closing, b.closing, a.punctuation);
  put(24, x.topics, a.topic, x.predicates, a.punctuation, b.punctuation, x.last);
  put(25, a.topic, b.kinds, b.closing, x.commas);
}

inline void word_hashes(Conjunctions &put, const ShownBunsetsu &a, const ShownBunsetsu &b, const Between &x) {
  put(30, b.content, a.closing);
  put(31, b.content, a.function);
  put(32, b.content, a.function, a.punctuation);
  put(33, b.head, a.function);
  put(34, b.head, a.closing, x.distance);
  put(35, b.head_pos, a.function, a.punctuation);
  put(36, b.head_pos, b.head_form, a.closing, a.punctuation);
  put(37, a.content, b.content);
  put(38, a.content, a.closing, b.content);
  put(39, a.content, a.function, b.kinds);
  put(40, a.content, b.kinds);
  put(41, a.content, b.head_pos, b.function);
  put(42, a.head, b.head);
  put(43, a.last_char, b.last_char, a.closing);
  put(44, a.last_char, b.last_char);
  put(45, b.first, a.closing, b.content);
  put(46, a.function, b.first);
  put(47, a.last, b.last, x.distance);
  for (int i = 0; i < std::min<int>(a.particles.size(), SEEN_AROUND); ++i) {
    put(48, a.particles[i], b.content);
    put(49, a.particles[i], b.closing, x.distance);
  }
}

inline void class_hashes(Conjunctions &put, const ShownBunsetsu &a, const ShownBunsetsu &b, const Between &x) {
  put(50, b.kinds, a.function);
  put(51, b.kinds, b.punctuation, a.function, a.punctuation);
  put(52, b.kinds, b.punctuation, a.closing, a.punctuation, x.distance);
  put(53, a.fine, a.function, b.fine);
  put(54, a.fine, a.function, b.fine, b.function);
  put(55, a.fine, a.closing, b.fine, b.closing);
  put(56, a.fine, b.fine, a.punctuation, b.punctuation, x.distance);
  put(57, a.fine, b.fine, b.function, a.closing, a.punctuation);
  put(58, a.kinds, b.kinds, x.distance);
  put(59, a.kinds, b.kinds, x.predicates, x.commas);
  put(60, a.kinds, b.kinds, x.last, a.punctuation);
  put(61, a.function, b.kinds, x.predicates, x.commas);
  put(62, a.bracket, b.bracket, x.brackets, x.distance);
  put(63, a.bracket, b.bracket, x.brackets, a.closing);
  put(64, x.brackets, a.closing, b.closing);
  const int alike = (a.function == b.function) | (a.fine == b.fine) << 1 | (a.head == b.head) << 2 |
                    (a.last_char == b.last_char) << 3 | (a.closing == b.closing) << 4;
  put(65, alike, a.closing, a.punctuation);
  put(66, alike, a.closing, a.punctuation, x.distance);
  put(67, alike & 3, a.function, b.kinds);
  put(68, alike, a.fine);
  put(69, a.shape, b.shape, a.closing, alike & 1);
}

inline void neighbour_hashes(Conjunctions &put, const ShownSentence &s, int32_t d, int32_t h, const Between &x) {
  const ShownBunsetsu &a = s.bunsetsu[d], &b = s.bunsetsu[h], &next = s.bunsetsu[d + 1];
  if (h + 1 < s.size()) {
    const ShownBunsetsu &right = s.bunsetsu[h + 1];
    put(70, a.function, b.closing, right.kinds);
    put(71, a.closing, b.kinds, right.kinds, a.punctuation);
    put(72, a.closing, b.function, right.head);
    put(73, a.function, right.content);
    put(74, b.function, right.content, a.closing);
    put(75, a.closing, b.closing, right.closing, a.punctuation);
    put(76, a.function == right.function, a.fine == right.fine, a.closing, b.closing);
    put(77, a.function, b.function, right.function);
  }
  if (h + 2 < s.size()) {
    const ShownBunsetsu &right = s.bunsetsu[h + 1], &second = s.bunsetsu[h + 2];
    put(78, a.closing, b.closing, right.closing, second.kinds);
    put(79, a.closing, b.kinds, second.kinds, second.closing);
  }
  if (d > 0) {
    const ShownBunsetsu &left = s.bunsetsu[d - 1];
    put(80, left.closing, a.closing, b.closing);
    put(81, left.function, a.function, b.kinds);
    put(82, left.closing, a.closing, x.distance, a.punctuation);
    put(83, left.last, a.function, b.kinds);
  } else {
    put(84, a.function, b.kinds, x.distance);
    put(85, a.closing, a.punctuation, b.closing);
  }
  put(86, a.function, next.function, x.distance, a.punctuation);
  put(87, a.closing, next.closing, next.kinds, x.distance);
  put(88, a.function, next.kinds, b.kinds, x.distance);
  put(89, a.content, next.content, x.distance);
  if (h - 1 > d) {
    put(90, s.bunsetsu[h - 1].closing, a.closing, b.closing, a.punctuation);
    put(91, s.bunsetsu[h - 1].function, a.function, b.kinds);
  }
  put(92, a.function, std::min(s.size() - 1 - h, 3), b.closing);
  put(93, a.function, std::min(d, 3), x.distance);
}

// The conjunctions of a pair alone; gives their number.
inline int pair_hashes(const ShownSentence &s, int32_t d, int32_t h, uint64_t *out) {
  Conjunctions put(out);
  const Between between(s, d, h);
  closing_hashes(put, s.bunsetsu[d], s.bunsetsu[h], between);
  word_hashes(put, s.bunsetsu[d], s.bunsetsu[h], between);
  class_hashes(put, s.bunsetsu[d], s.bunsetsu[h], between);
  neighbour_hashes(put, s, d, h, between);
  return put.count;
}

inline void above_hashes(Conjunctions &put, const ShownSentence &s, const Choice &c, int32_t above) {
  const ShownBunsetsu &a = s.bunsetsu[c.dependent], &b = s.bunsetsu[c.head];
  const int passed = std::min(c.passed, 4);
  put(100, a.function, passed);
  put(101, a.closing, a.punctuation, passed, above < 0);
  put(102, a.closing, b.closing, passed);
  put(103, a.kinds, b.kinds, passed);
  if (above < 0) {
    put(104, a.function, b.closing);
    put(105, passed, a.closing);
    return;
  }
  const ShownBunsetsu &g = s.bunsetsu[above];
  put(106, a.function, b.closing, g.kinds);
  put(107, a.closing, b.kinds, g.kinds, a.punctuation, b.punctuation);
  put(108, a.closing, b.function, g.content);
  put(109, a.function, g.content);
  put(110, a.closing, b.closing, g.closing, a.punctuation);
  put(111, a.function, b.function, g.function);
  put(112, a.closing, b.closing, distance_class(above - c.head), a.punctuation);
  put(113, a.content, g.content, a.closing);
  put(114, (a.function == g.function) | (a.fine == g.fine) << 1, a.closing, b.closing);
  put(115, b.content, g.kinds, a.closing, a.punctuation);
}

inline void sibling_hashes(Conjunctions &put, const ShownSentence &s, const Choice &c, const Arcs &arcs) {
  const ShownBunsetsu &a = s.bunsetsu[c.dependent], &b = s.bunsetsu[c.head];
  const int32_t newest = arcs.newest_child[c.head];
  int count = 0;
  bool taken = false;
  for (int32_t child = newest; child >= 0 && count < SEEN_AROUND; child = arcs.next_child[child], ++count) {
    const ShownBunsetsu &sibling = s.bunsetsu[child];
    taken = taken || sibling.function == a.function;
    put(120, a.function, sibling.function, b.kinds);
    put(121, a.closing, sibling.closing, b.content);
  }
  count = std::min(count, 3);
  put(122, a.function, count, b.kinds);
  put(123, a.closing, count, b.closing, a.punctuation);
  put(124, a.function, taken, b.kinds);
  put(125, a.function, taken, b.content);
  if (newest < 0) {
    put(126, a.function, b.kinds);
    put(127, a.closing, b.content);
    return;
  }
  const ShownBunsetsu &sibling = s.bunsetsu[newest];
  put(128, a.function, sibling.function, b.kinds);
  put(129, a.function, sibling.function, b.content);
  put(130, a.closing, sibling.closing, b.closing, a.punctuation, sibling.punctuation);
  put(131, a.kinds, sibling.kinds, b.kinds, a.punctuation);
  put(132, a.content, sibling.content, b.content);
  put(133, a.closing, sibling.closing, b.content);
  put(134, a.fine, sibling.fine, a.function, sibling.function);
  put(135, a.closing, sibling.function, distance_class(c.head - newest), distance_class(newest - c.dependent));
}

inline void passed_hashes(Conjunctions &put, const ShownSentence &s, const Choice &c, const Arcs &arcs) {
  const ShownBunsetsu &a = s.bunsetsu[c.dependent], &b = s.bunsetsu[c.head];
  if (c.before >= 0) {
    const ShownBunsetsu &before = s.bunsetsu[c.before];
    put(140, a.function, before.function, b.kinds);
    put(141, a.closing, before.closing, b.closing, a.punctuation);
    put(142, a.closing, before.kinds, b.kinds, a.punctuation, before.punctuation);
    put(143, a.function, before.content, b.content);
    put(144, a.function, before.closing, b.closing, std::min(c.passed, 4));
    put(145, a.content, before.content);
    put(146, a.closing, before.content, b.content);
    put(147, a.function, before.function, b.function, a.punctuation);
  }
  int32_t candidate = c.dependent + 1;
  for (int seen = 0; candidate != c.head && seen < SEEN_AROUND; candidate = arcs.heads[candidate], ++seen) {
    const ShownBunsetsu &passed = s.bunsetsu[candidate];
    put(150, a.function, passed.closing, passed.punctuation, a.punctuation);
    put(151, a.function, passed.kinds, a.punctuation);
    put(152, a.content, passed.content);
    put(153, a.closing, passed.content);
    put(154, a.function, passed.function);
  }
}

// The conjunctions of what stands around a pair; gives their number.
inline int context_hashes(const ShownSentence &s, const Choice &choice, const Arcs &arcs, uint64_t *out) {
  Conjunctions put(out);
  above_hashes(put, s, choice, arcs.heads[choice.head]);
  sibling_hashes(put, s, choice, arcs);
  passed_hashes(put, s, choice, arcs);
  return put.count;
}

}  // namespace kakari
