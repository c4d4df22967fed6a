// The arcs that the first-order pass kept, and the scores of all parts that can be made of them.
//
// Arcs are numbered by modifier, then by head: those of m are a run, and the place of an arc in the run is the place of
// its head as a grandparent of m's own modifiers. A side of a head is the list of its candidate modifiers on the left
// (2h) or right (2h + 1), from near to far. With M modifiers on a side and G candidate heads of its head, a side has a
// table of (M + 1) x (M + 1) sibling parts (row j: the modifier, row M: the end; column i + 1: the one before, column
// 0: none), G of these of grand-sibling parts, and M x M x M tri-sibling parts if M is at most MOST_TRIPLES.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "parsers/dependency/arcs/first_order.hpp"
#include "parsers/dependency/templates.hpp"

namespace kakari {

struct Arc {
  int32_t head, modifier, place;  // place: in the list of the side
};

struct Side {
  std::vector<int32_t> arcs;
  size_t pairs = 0, grands = 0, triples = 0;  // where its tables begin
};

class Candidates {
 public:
  static constexpr int32_t MOST_TRIPLES = 48;

  // Keep arcs; `kept` is sorted by modifier, then head, without doubles.
  void reset(int32_t length, const std::vector<std::pair<int32_t, int32_t>> &kept) {
    length_ = length;
    arcs.clear();
    begins.assign(length + 2, 0);
    sides.assign(2 * static_cast<size_t>(length + 1), Side{});
    for (const auto &[modifier, head] : kept) {
      begins[modifier + 1] = static_cast<int32_t>(arcs.size()) + 1;
      arcs.push_back({head, modifier, 0});
    }
    for (int32_t m = 1; m <= length; ++m) begins[m + 1] = std::max(begins[m + 1], begins[m]);
    const int32_t count = static_cast<int32_t>(arcs.size());
    for (int32_t a = 0; a < count; ++a) side_of(a).arcs.push_back(a);
    size_t pairs = 0, grands = 0, triples = 0;
    for (size_t k = 0; k < sides.size(); ++k) {
      Side &side = sides[k];
      if (k % 2 == 0) std::reverse(side.arcs.begin(), side.arcs.end());
      const size_t size = side.arcs.size(), own = (size + 1) * (size + 1);
      for (size_t j = 0; j < size; ++j) arcs[side.arcs[j]].place = static_cast<int32_t>(j);
      side.pairs = pairs;
      side.grands = grands;
      side.triples = triples;
      pairs += own;
      grands += own * heads_of(static_cast<int32_t>(k / 2));
      if (has_triples(side)) triples += size * size * (size + 1);
    }
    arc_scores.assign(count, 0);
    pair_scores.assign(pairs, 0);
    grand_scores.assign(grands, 0);
    triple_scores.assign(triples, 0);
    parent_begins.assign(count + 1, 0);
    for (int32_t a = 0; a < count; ++a) parent_begins[a + 1] = parent_begins[a] + heads_of(arcs[a].head);
    parent_scores.assign(parent_begins[count], 0);
  }

  int32_t length() const { return length_; }
  // How many candidate heads a token has; the root has one, which is nothing.
  int32_t heads_of(int32_t token) const { return token == 0 ? 1 : begins[token + 1] - begins[token]; }
  int32_t head_at(int32_t token, int32_t place) const { return token == 0 ? -1 : arcs[begins[token] + place].head; }
  Side &side_of(int32_t a) { return sides[2 * arcs[a].head + (arcs[a].head < arcs[a].modifier)]; }
  const Side &side_of(int32_t a) const { return sides[2 * arcs[a].head + (arcs[a].head < arcs[a].modifier)]; }
  static bool has_triples(const Side &side) { return static_cast<int32_t>(side.arcs.size()) <= MOST_TRIPLES; }

  // Indices into the tables; i is -1 where there is no modifier before, j is the size of the side for its end.
  static size_t pair_at(const Side &side, int32_t i, int32_t j) {
    return side.pairs + static_cast<size_t>(j) * (side.arcs.size() + 1) + (i + 1);
  }
  size_t grand_at(const Side &side, int32_t head, int32_t i, int32_t j, int32_t g) const {
    return side.grands + (static_cast<size_t>(j) * (side.arcs.size() + 1) + (i + 1)) * heads_of(head) + g;
  }
  static size_t triple_at(const Side &side, int32_t t, int32_t i, int32_t j) {
    const size_t size = side.arcs.size();
    return side.triples + (static_cast<size_t>(j) * size + i) * (size + 1) + (t + 1);
  }
  int64_t triple(const Side &side, int32_t t, int32_t i, int32_t j) const {
    return has_triples(side) ? triple_scores[triple_at(side, t, i, j)] : 0;
  }
  // The arc of a head to a modifier, -1 if it was not kept.
  int32_t find(int32_t head, int32_t modifier) const {
    for (int32_t a = begins[modifier]; a < begins[modifier + 1]; ++a)
      if (arcs[a].head == head) return a;
    return -1;
  }

  std::vector<Arc> arcs;
  std::vector<int32_t> begins;  // of the arcs of each modifier
  std::vector<Side> sides;
  std::vector<size_t> parent_begins;
  std::vector<int64_t> arc_scores, parent_scores, pair_scores, grand_scores, triple_scores;

 private:
  int32_t length_ = 0;
};

// Calls visit for each part of a tree, with indices into the tables of its candidates: visit.arc(a),
// visit.parent(a, g), visit.pair(k, i, j), visit.grand(k, i, j, g), visit.triple(k, t, i, j); k is the number of a side.
// All arcs of the tree are candidates.
template <class Visitor>
void visit_parts(const Candidates &from, const int32_t *heads, Visitor &&visit) {
  const int32_t n = from.length();
  std::vector<int32_t> own(n + 1, 0);  // the place of each token's head among its candidates
  std::vector<std::vector<int32_t>> places(from.sides.size());
  for (int32_t m = 1; m <= n; ++m) {
    const int32_t a = from.find(heads[m - 1], m);
    own[m] = a - from.begins[m];
    visit.arc(a);
    const int32_t h = from.arcs[a].head;
    places[2 * h + (h < m)].push_back(from.arcs[a].place);
  }
  for (int32_t m = 1; m <= n; ++m) visit.parent(from.begins[m] + own[m], own[heads[m - 1]]);
  for (size_t k = 0; k < places.size(); ++k) {
    if (k == 0) continue;  // nothing is on the root's left
    std::sort(places[k].begin(), places[k].end());
    const int32_t g = own[k / 2], end = static_cast<int32_t>(from.sides[k].arcs.size());
    int32_t t = -2, i = -1;
    for (int32_t j : places[k]) {
      visit.pair(k, i, j);
      visit.grand(k, i, j, g);
      if (t > -2) visit.triple(k, t, i, j);
      t = i;
      i = j;
    }
    visit.pair(k, i, end);
  }
}

// The score of a tree, all of whose arcs are candidates.
inline int64_t tree_score(const Candidates &from, const int32_t *heads) {
  struct Sum {
    const Candidates &from;
    int64_t score = 0;
    void arc(int32_t a) { score += from.arc_scores[a]; }
    void parent(int32_t a, int32_t g) { score += from.parent_scores[from.parent_begins[a] + g]; }
    void pair(size_t k, int32_t i, int32_t j) { score += from.pair_scores[Candidates::pair_at(from.sides[k], i, j)]; }
    void grand(size_t k, int32_t i, int32_t j, int32_t g) {
      score += from.grand_scores[from.grand_at(from.sides[k], static_cast<int32_t>(k / 2), i, j, g)];
    }
    void triple(size_t k, int32_t t, int32_t i, int32_t j) { score += from.triple(from.sides[k], t, i, j); }
  } sum{from};
  visit_parts(from, heads, sum);
  return sum.score;
}

}  // namespace kakari
