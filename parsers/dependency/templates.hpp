// The conjunctions of each kind of part. A part of a tree has slots: an arc head and modifier; a sibling part the
// modifier before it on the same side as well (or none, or, as the modifier, the end of the side); a grandparent part
// the head's head; a grand-sibling part both; a tri-sibling part two siblings.
//
// `light` templates of an arc are those of the first-order pass, which sees all n^2 arcs; the others see those it kept.
#pragma once

#include "parsers/dependency/tokens.hpp"

namespace kakari {

// An arc has most: 60 of its own, 2 for each of 64 coarse tags between, 4 x 14 + 2 x 14 x 14 of features.
constexpr int MOST_CONJUNCTIONS = 1024;

inline uint64_t distance_bin(int32_t one, int32_t other) {
  const int32_t distance = one < other ? other - one : one - other;
  return distance <= 5 ? distance : distance <= 10 ? 6 : distance <= 20 ? 7 : 8;
}

inline int light_arc(const TokenView &s, int32_t h, int32_t m, uint64_t between, uint64_t *out) {
  const Token &H = s.at(h), &M = s.at(m), &Hp = s.at(h - 1), &Hn = s.at(h + 1), &Mp = s.at(m - 1), &Mn = s.at(m + 1);
  const uint64_t side = h < m, far = distance_bin(h, m) << 1 | side;
  Conjunctions add(out);
  add(1, H.tag, M.tag, far);
  add(2, H.form, M.tag, far);
  add(3, H.tag, M.form, far);
  add(4, H.form, M.form, side);
  add(5, H.lemma, M.lemma, side);
  add(6, H.coarse, M.coarse, far);
  add(7, H.tag, far);
  add(8, M.tag, far);
  add(9, H.form, side);
  add(10, M.form, far);
  add(11, H.tag, Hn.tag, Mp.tag, M.tag, side);
  add(12, Hp.tag, H.tag, Mp.tag, M.tag, side);
  add(13, H.tag, Hn.tag, M.tag, Mn.tag, side);
  add(14, Hp.tag, H.tag, M.tag, Mn.tag, side);
  add(15, H.coarse, M.tag, Mn.tag, far);
  add(16, H.coarse, Mp.tag, M.tag, far);
  add(17, H.tag, Hn.tag, M.coarse, far);
  add(18, Hp.tag, H.tag, M.coarse, far);
  add(19, Mp.tag, M.tag, Mn.tag, far);
  add(20, H.coarse, M.form, far);
  add(21, H.form, M.coarse, far);
  add(22, H.tag, M.tag, side);
  add(23, far);
  for (uint64_t left = between; left != 0; left &= left - 1) {
    const uint64_t tag = s.name(__builtin_ctzll(left));
    add(24, H.tag, tag, M.tag, side);
    add(25, H.coarse, tag, M.coarse, far);
  }
  return add.count;
}

inline int full_arc(const TokenView &s, int32_t h, int32_t m, uint64_t between, uint64_t *out) {
  const Token &H = s.at(h), &M = s.at(m), &Hp = s.at(h - 1), &Hn = s.at(h + 1), &Mp = s.at(m - 1), &Mn = s.at(m + 1);
  const Token &Hpp = s.at(h - 2), &Hnn = s.at(h + 2), &Mpp = s.at(m - 2), &Mnn = s.at(m + 2);
  const uint64_t side = h < m, far = distance_bin(h, m) << 1 | side;
  const int light = light_arc(s, h, m, between, out);
  Conjunctions add(out + light);
  add(30, H.form, H.tag, M.form, M.tag, side);
  add(31, H.tag, M.form, M.tag, side);
  add(32, H.form, M.form, M.tag, side);
  add(33, H.form, H.tag, M.tag, side);
  add(34, H.form, H.tag, M.form, side);
  add(35, H.form, M.form, far);
  add(36, H.lemma, M.lemma, far);
  add(37, H.lemma, M.tag, far);
  add(38, H.tag, M.lemma, far);
  add(39, H.lemma, M.coarse, side);
  add(40, H.coarse, M.lemma, side);
  add(41, H.tag, Hn.tag, Mp.tag, M.tag, far);
  add(42, Hp.tag, H.tag, Mp.tag, M.tag, far);
  add(43, H.tag, Hn.tag, M.tag, Mn.tag, far);
  add(44, Hp.tag, H.tag, M.tag, Mn.tag, far);
  add(45, Hp.tag, H.tag, Hn.tag, M.tag, side);
  add(46, H.tag, Mp.tag, M.tag, Mn.tag, side);
  add(47, H.coarse, Hn.coarse, Mp.coarse, M.coarse, far);
  add(48, H.coarse, Mpp.tag, Mp.tag, M.tag, side);
  add(49, H.coarse, M.tag, Mn.tag, Mnn.tag, side);
  add(50, Hpp.tag, Hp.tag, H.tag, M.coarse, side);
  add(51, H.tag, Hn.tag, Hnn.tag, M.coarse, side);
  add(52, H.lemma, Mp.tag, M.tag, side);
  add(53, H.lemma, M.tag, Mn.tag, side);
  add(54, H.tag, Hn.tag, M.lemma, side);
  add(55, Hp.tag, H.tag, M.lemma, side);
  add(56, H.tag, M.tag, Mp.lemma, side);
  add(57, H.tag, M.tag, Mn.lemma, side);
  add(58, H.tag, M.tag, Hp.lemma, side);
  add(59, H.tag, M.tag, Hn.lemma, side);
  add(60, H.coarse, M.lemma, Mn.lemma, side);
  add(61, H.coarse, M.lemma, Mp.lemma, side);
  add(62, H.coarse, M.coarse, between);
  add(63, H.lemma, far);
  add(64, M.lemma, far);
  const uint64_t length = s.length() < 40 ? static_cast<uint64_t>(s.length()) / 4 : 10;
  add(65, H.coarse, M.coarse, length, far);
  add(66, M.tag, m == 1, m == s.length(), H.tag);
  for (int j = 0; j < M.count; ++j) {
    add(67, H.tag, M.features[j], side);
    add(68, H.lemma, M.features[j], side);
    for (int i = 0; i < H.count; ++i) {
      add(69, H.features[i], M.features[j], side);
      add(70, H.coarse, M.coarse, H.features[i], M.features[j], side);
    }
  }
  for (int i = 0; i < H.count; ++i) {
    add(71, H.features[i], M.tag, side);
    add(72, H.features[i], M.lemma, side);
  }
  return light + add.count;
}

// The modifier before m on its side of h is b (or none); m may be the end of the side, with the place of b.
inline int sibling_part(const Token &H, const Token &B, const Token &M, uint64_t side, uint64_t far, uint64_t *out) {
  Conjunctions add(out);
  add(80, H.tag, B.tag, M.tag, side);
  add(81, H.coarse, B.coarse, M.coarse, side, far);
  add(82, B.tag, M.tag, side);
  add(83, B.lemma, M.lemma, side);
  add(84, B.lemma, M.tag, side);
  add(85, B.tag, M.lemma, side);
  add(86, H.lemma, B.tag, M.tag, side);
  add(87, H.tag, B.lemma, M.tag, side);
  add(88, H.tag, B.tag, M.lemma, side);
  add(89, H.lemma, B.coarse, M.coarse, side);
  add(90, H.coarse, B.lemma, M.coarse, side);
  add(91, H.coarse, B.coarse, M.lemma, side);
  add(92, H.coarse, B.lemma, M.lemma, side);
  add(93, H.lemma, B.lemma, M.coarse, side);
  add(94, H.lemma, B.coarse, M.lemma, side);
  add(95, B.coarse, M.coarse, side, far);
  return add.count;
}

inline int grandparent_part(const Token &G, const Token &H, const Token &M, uint64_t order, uint64_t *out) {
  Conjunctions add(out);
  add(100, G.tag, H.tag, M.tag, order);
  add(101, G.coarse, H.coarse, M.coarse, order);
  add(102, G.tag, M.tag, order);
  add(103, G.lemma, M.tag, order);
  add(104, G.tag, M.lemma, order);
  add(105, G.lemma, M.lemma, order);
  add(106, G.lemma, H.tag, M.tag, order);
  add(107, G.tag, H.lemma, M.tag, order);
  add(108, G.tag, H.tag, M.lemma, order);
  add(109, G.coarse, H.lemma, M.coarse, order);
  add(110, G.coarse, H.lemma, M.lemma, order);
  add(111, G.lemma, H.lemma, M.coarse, order);
  add(112, G.lemma, H.coarse, M.lemma, order);
  return add.count;
}

inline int grandsibling_part(const Token &G, const Token &H, const Token &B, const Token &M, uint64_t order,
                             uint64_t *out) {
  Conjunctions add(out);
  add(120, G.tag, H.tag, B.tag, M.tag, order);
  add(121, G.coarse, H.coarse, B.coarse, M.coarse, order);
  add(122, G.coarse, B.coarse, M.coarse, order);
  add(123, G.coarse, H.lemma, B.coarse, M.coarse, order);
  add(124, G.lemma, H.coarse, B.coarse, M.coarse, order);
  return add.count;
}

inline int trisibling_part(const Token &H, const Token &A, const Token &B, const Token &M, uint64_t side,
                           uint64_t *out) {
  Conjunctions add(out);
  add(130, H.tag, A.tag, B.tag, M.tag, side);
  add(131, H.coarse, A.coarse, B.coarse, M.coarse, side);
  add(132, A.tag, B.tag, M.tag, side);
  add(133, H.lemma, A.coarse, B.coarse, M.coarse, side);
  return add.count;
}

// How g, h and m stand to each other: the sides of both arcs and whether the second one turns back over g.
inline uint64_t order_of(int32_t g, int32_t h, int32_t m) {
  return static_cast<uint64_t>(g < h) | static_cast<uint64_t>(h < m) << 1 | static_cast<uint64_t>(g < m) << 2;
}

}  // namespace kakari
