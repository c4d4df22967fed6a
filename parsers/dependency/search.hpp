// From a sentence to its best trees: all arcs are scored by the light templates, a few heads of each word are kept, the
// parts of what is left are scored by all templates, and the chart finds the best trees. Scratch memory belongs to the
// search, one for each call.
//
// Trees that are not projective: with arcs alone, the best spanning trees. With larger parts, all trees are compared if
// the candidates make at most 6^6 (so that up to six words are searched exactly), and else they are reached from the
// best projective trees and from the best ones by arcs alone: as long as another candidate head of some word makes a
// better tree, the best such change is made.
//
// All this takes time and memory that grow with the square of the words. Sentences that are longer than nearly all that
// people write are cut into blocks: the best tree of each by arcs alone, whose root depends on that of the first block.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/hashed/pending.hpp"
#include "parsers/dependency/arcs/spanning.hpp"
#include "parsers/dependency/chart.hpp"

namespace kakari {

constexpr int32_t LONGEST_SEARCHED = 120;  // words; EWT and GUM have 2 longer sentences in 22,751
constexpr int32_t BLOCK = 25;              // words of a longer one whose tree is found at a time

struct SearchSettings {
  int32_t order = 3;  // 1: arcs; 2: siblings and grandparents; 3: grand-siblings and tri-siblings
  int32_t heads = 8;  // candidates of each word
  bool one_root = true, projective = true;
  int64_t reach = 0;  // a candidate's light score is below the best one's by no more than this; 0: by anything
};

struct FoundTree {
  int64_t score;
  std::vector<int32_t> heads;
};

// Writes the conjunctions of parts; `order` says which kinds have any.
class PartTemplates {
 public:
  PartTemplates(const TokenView &tokens, const Candidates &from, int32_t order)
      : tokens_(tokens), from_(from), order_(order) {}

  int arc(int32_t a, uint64_t *out) const {
    const Arc &arc = from_.arcs[a];
    return full_arc(tokens_, arc.head, arc.modifier, tokens_.between(arc.head, arc.modifier), out);
  }
  int parent(int32_t a, int32_t g, uint64_t *out) const {
    const Arc &arc = from_.arcs[a];
    if (order_ < 2 || arc.head == 0) return 0;
    const int32_t parent = from_.head_at(arc.head, g);
    return grandparent_part(tokens_.at(parent), tokens_.at(arc.head), tokens_.at(arc.modifier),
                            order_of(parent, arc.head, arc.modifier), out);
  }
  int pair(size_t k, int32_t i, int32_t j, uint64_t *out) const {
    if (order_ < 2) return 0;
    const int32_t h = static_cast<int32_t>(k / 2), one = place(k, i), other = place(k, j);
    const bool both = i >= 0 && j < static_cast<int32_t>(from_.sides[k].arcs.size());
    const uint64_t far = both ? distance_bin(one, other) : 0;
    return sibling_part(tokens_.at(h), token(k, i), token(k, j), k % 2, far, out);
  }
  int grand(size_t k, int32_t i, int32_t j, int32_t g, uint64_t *out) const {
    const int32_t h = static_cast<int32_t>(k / 2);
    if (order_ < 3 || h == 0) return 0;
    const int32_t parent = from_.head_at(h, g);
    return grandsibling_part(tokens_.at(parent), tokens_.at(h), token(k, i), token(k, j),
                             order_of(parent, h, place(k, j)), out);
  }
  int triple(size_t k, int32_t t, int32_t i, int32_t j, uint64_t *out) const {
    if (order_ < 3 || !Candidates::has_triples(from_.sides[k])) return 0;
    return trisibling_part(tokens_.at(static_cast<int32_t>(k / 2)), token(k, t), token(k, i), token(k, j), k % 2, out);
  }

 private:
  int32_t place(size_t k, int32_t j) const {
    const std::vector<int32_t> &arcs = from_.sides[k].arcs;
    return j < 0 || j >= static_cast<int32_t>(arcs.size()) ? -1 : from_.arcs[arcs[j]].modifier;
  }
  const Token &token(size_t k, int32_t j) const {
    return j < 0 ? no_token() : place(k, j) < 0 ? end_token() : tokens_.at(place(k, j));
  }

  const TokenView &tokens_;
  const Candidates &from_;
  int32_t order_;
};

template <class Weights>
void score_parts(const PartTemplates &templates, const Weights &weights, Candidates &to, int32_t order, bool one_root) {
  PendingScores<Weights> pending(weights, MOST_CONJUNCTIONS);
  for (int32_t a = 0; a < static_cast<int32_t>(to.arcs.size()); ++a) {
    pending.add(templates.arc(a, pending.room()), &to.arc_scores[a]);
    if (order < 2) continue;
    for (int32_t g = 0; g < to.heads_of(to.arcs[a].head); ++g)
      pending.add(templates.parent(a, g, pending.room()), &to.parent_scores[to.parent_begins[a] + g]);
  }
  for (size_t k = 1; order > 1 && k < to.sides.size(); ++k) {
    const Side &side = to.sides[k];
    const int32_t size = static_cast<int32_t>(side.arcs.size()), h = static_cast<int32_t>(k / 2);
    for (int32_t j = 0; j <= size; ++j)
      for (int32_t i = -1; i < j; ++i) {
        if (one_root && h == 0 && i >= 0 && j < size) continue;  // the root has one modifier
        pending.add(templates.pair(k, i, j, pending.room()), &to.pair_scores[Candidates::pair_at(side, i, j)]);
        if (order < 3 || j == size) continue;
        for (int32_t g = 0; g < to.heads_of(h); ++g)
          pending.add(templates.grand(k, i, j, g, pending.room()), &to.grand_scores[to.grand_at(side, h, i, j, g)]);
        if (!Candidates::has_triples(side)) continue;
        for (int32_t t = -1; t < i; ++t)
          pending.add(templates.triple(k, t, i, j, pending.room()),
                      &to.triple_scores[Candidates::triple_at(side, t, i, j)]);
      }
  }
  pending.finish();
}

// Score all arcs by the light templates.
template <class Weights>
void score_arcs(const TokenView &tokens, const Weights &weights, ArcScores &arcs) {
  const int32_t n = tokens.length();
  PendingScores<Weights> pending(weights, MOST_CONJUNCTIONS);
  arcs.reset(n);
  for (int32_t one = 0; one <= n; ++one) {
    uint64_t between = 0;
    for (int32_t other = one + 1; other <= n; ++other) {
      pending.add(light_arc(tokens, one, other, between, pending.room()), &arcs.at(one, other));
      if (one > 0) pending.add(light_arc(tokens, other, one, between, pending.room()), &arcs.at(other, one));
      between |= tokens.bit(other);
    }
  }
  pending.finish();
}

// The probability of a head among all heads of a word, whose logarithms of odds are the arcs' scores in some unit.
inline double head_share(const ArcScores &arcs, int32_t head, int32_t modifier, double unit) {
  double sum = 0;
  for (int32_t h = 0; h <= arcs.length(); ++h)
    if (h != modifier) sum += std::exp(unit * static_cast<double>(arcs.at(h, modifier) - arcs.at(head, modifier)));
  return 1 / sum;
}

// The best tree by arcs alone.
inline void arc_tree(const ArcScores &arcs, const SearchSettings &settings, int32_t *heads) {
  if (settings.projective) {
    Eisner().run(arcs, settings.one_root, heads);
    return;
  }
  const std::vector<SpanningTrees::Tree> found = SpanningTrees().run(arcs, settings.one_root, 1);
  std::copy(found[0].heads.begin(), found[0].heads.end(), heads);
}

// Keep the best heads of each word, the arcs of the best projective tree, those of the best tree, and given ones.
inline void choose_candidates(const ArcScores &arcs, const SearchSettings &settings, const int32_t *given,
                              Candidates &to) {
  const int32_t n = arcs.length();
  std::vector<int32_t> tree(n);
  std::vector<std::pair<int32_t, int32_t>> kept;  // (modifier, head)
  std::vector<std::pair<int64_t, int32_t>> order;
  Eisner().run(arcs, settings.one_root, tree.data());
  for (int32_t m = 1; m <= n; ++m) kept.push_back({m, tree[m - 1]});
  if (!settings.projective) {
    arc_tree(arcs, settings, tree.data());
    for (int32_t m = 1; m <= n; ++m) kept.push_back({m, tree[m - 1]});
  }
  for (int32_t m = 1; m <= n; ++m) {
    if (given != nullptr) kept.push_back({m, given[m - 1]});
    order.clear();
    for (int32_t h = 0; h <= n; ++h)
      if (h != m) order.push_back({-arcs.at(h, m), h});
    const size_t most = std::min<size_t>(settings.heads, order.size());
    std::partial_sort(order.begin(), order.begin() + most, order.end());
    for (size_t k = 0; k < most; ++k)
      if (settings.reach == 0 || order[k].first <= order[0].first + settings.reach)
        kept.push_back({m, order[k].second});
  }
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  to.reset(n, kept);
}

// Whether `head` leads to `word`, which would close a cycle.
inline bool leads_to(const std::vector<int32_t> &heads, int32_t head, int32_t word) {
  while (head != 0 && head != word) head = heads[head - 1];
  return head == word;
}

// Change one head at a time, the best change first, while the tree's score rises; at most once for each word and head.
inline void climb(const Candidates &from, bool one_root, FoundTree &tree) {
  const int32_t n = from.length();
  for (int32_t round = 0; round < 4 * n; ++round) {
    int32_t best_word = 0, best_head = 0;
    int64_t best = tree.score;
    for (int32_t m = 1; m <= n; ++m) {
      const int32_t own = tree.heads[m - 1];
      if (one_root && own == 0) continue;
      for (int32_t a = from.begins[m]; a < from.begins[m + 1]; ++a) {
        const int32_t head = from.arcs[a].head;
        if (head == own || (one_root && head == 0) || leads_to(tree.heads, head, m)) continue;
        tree.heads[m - 1] = head;
        const int64_t score = tree_score(from, tree.heads.data());
        if (score > best) {
          best = score;
          best_word = m;
          best_head = head;
        }
      }
      tree.heads[m - 1] = own;
    }
    if (best_word == 0) return;
    tree.heads[best_word - 1] = best_head;
    tree.score = best;
  }
}

// The best of all trees over few candidates: words choose their heads one after the other, and a choice is given up
// when the largest scores of all parts that it can still have are too small.
class AllTrees {
 public:
  static constexpr int64_t MOST = 46656;

  // Whether there are few enough.
  static bool can_search(const Candidates &from) {
    int64_t product = 1;
    for (int32_t m = 1; m <= from.length() && product <= MOST; ++m) product *= from.heads_of(m);
    return product <= MOST;
  }

  AllTrees(const Candidates &from, bool one_root, int32_t k) : from_(from), one_root_(one_root), k_(k) {
    const int32_t n = from.length();
    heads_.assign(n, -1);
    largest_.resize(from.arcs.size());
    left_.assign(n + 2, 0);
    for (int32_t a = 0; a < static_cast<int32_t>(largest_.size()); ++a) largest_[a] = largest(a);
    for (int32_t m = n; m >= 1; --m) {
      const auto begin = largest_.begin() + from.begins[m], end = largest_.begin() + from.begins[m + 1];
      left_[m] = left_[m + 1] + *std::max_element(begin, end);
    }
    int64_t ends = 0;  // of the sides
    for (size_t k = 1; k < from.sides.size(); ++k) {
      const int32_t size = static_cast<int32_t>(from.sides[k].arcs.size());
      int64_t most = pair(from.sides[k], -1, size);
      for (int32_t i = 0; i < size; ++i) most = std::max(most, pair(from.sides[k], i, size));
      ends += most;
    }
    choose(1, ends, false);
  }

  std::vector<FoundTree> found;  // the best first

 private:
  int64_t pair(const Side &side, int32_t i, int32_t j) const {
    return from_.pair_scores[Candidates::pair_at(side, i, j)];
  }

  // The largest sum of the parts whose last modifier is that of an arc.
  int64_t largest(int32_t a) const {
    const Arc &arc = from_.arcs[a];
    const Side &side = from_.sides[2 * arc.head + (arc.head < arc.modifier)];
    const int32_t parents = from_.heads_of(arc.head);
    const auto parent = from_.parent_scores.begin() + static_cast<int64_t>(from_.parent_begins[a]);
    int64_t beside = IMPOSSIBLE;
    for (int32_t i = -1; i < arc.place; ++i) {
      int64_t grand = IMPOSSIBLE, triple = 0;
      for (int32_t g = 0; g < parents; ++g)
        grand = std::max(grand, from_.grand_scores[from_.grand_at(side, arc.head, i, arc.place, g)]);
      for (int32_t t = -1; t < i; ++t) triple = std::max(triple, from_.triple(side, t, i, arc.place));
      beside = std::max(beside, pair(side, i, arc.place) + grand + triple);
    }
    return from_.arc_scores[a] + *std::max_element(parent, parent + parents) + beside;
  }

  void choose(int32_t m, int64_t sum, bool rooted) {
    if (static_cast<int32_t>(found.size()) == k_ && sum + left_[m] < found.back().score) return;
    if (m > from_.length()) {
      keep();
      return;
    }
    for (int32_t a = from_.begins[m]; a < from_.begins[m + 1]; ++a) {
      const int32_t head = from_.arcs[a].head;
      if (one_root_ && head == 0 && rooted) continue;
      int32_t up = head;
      while (up > 0 && up != m) up = heads_[up - 1];
      if (up == m) continue;  // a cycle
      heads_[m - 1] = head;
      choose(m + 1, sum + largest_[a], rooted || head == 0);
      heads_[m - 1] = -1;
    }
  }

  void keep() {
    FoundTree tree{tree_score(from_, heads_.data()), heads_};
    const auto worse = [](const FoundTree &a, const FoundTree &b) {
      return a.score != b.score ? a.score > b.score : a.heads < b.heads;
    };
    found.insert(std::upper_bound(found.begin(), found.end(), tree, worse), std::move(tree));
    if (static_cast<int32_t>(found.size()) > k_) found.pop_back();
  }

  const Candidates &from_;
  bool one_root_;
  int32_t k_;
  std::vector<int32_t> heads_;
  std::vector<int64_t> largest_, left_;  // of each arc, of all words from one on
};

class TreeSearch {
 public:
  explicit TreeSearch(const SearchSettings &settings) : settings_(settings) {}

  template <class Light, class Full>
  const std::vector<FoundTree> &run(const TokenView &tokens, const Light &light, const Full &full, int32_t k) {
    if (tokens.length() > LONGEST_SEARCHED) return run_in_blocks(tokens, light);
    score_arcs(tokens, light, arcs);
    choose_candidates(arcs, settings_, nullptr, candidates);
    score_parts(PartTemplates(tokens, candidates, settings_.order), full, candidates, settings_.order,
                settings_.one_root);
    return decode(k);
  }

  // One tree of a long sentence; its score is that of its arcs but for those between blocks.
  template <class Light>
  const std::vector<FoundTree> &run_in_blocks(const TokenView &tokens, const Light &light) {
    const int32_t n = tokens.length();
    FoundTree tree{0, std::vector<int32_t>(n)};
    std::vector<int32_t> heads(BLOCK);
    int32_t root = 0;
    for (int32_t begin = 0; begin < n; begin += BLOCK) {
      const TokenView block = tokens.part(begin, std::min(BLOCK, n - begin));
      score_arcs(block, light, arcs);
      Eisner().run(arcs, true, heads.data());
      for (int32_t m = 1; m <= block.length(); ++m) {
        const int32_t head = heads[m - 1];
        tree.score += arcs.at(head, m);
        tree.heads[begin + m - 1] = head == 0 ? root : begin + head;
      }
      if (root == 0) root = static_cast<int32_t>(std::find(heads.begin(), heads.end(), 0) - heads.begin()) + 1;
    }
    found.assign(1, tree);
    return found;
  }

  // The best trees over candidates whose parts are scored.
  const std::vector<FoundTree> &decode(int32_t k) {
    found.clear();
    const int32_t n = candidates.length(), count = chart.run(candidates, settings_.one_root, k);
    for (int32_t rank = 0; rank < count; ++rank) {
      found.push_back({chart.score(rank), std::vector<int32_t>(n)});
      chart.follow(rank, found.back().heads.data());
    }
    if (!settings_.projective) leave_projective(k);
    return found;
  }

  ArcScores arcs;
  Candidates candidates;
  Chart chart;
  std::vector<FoundTree> found;

 private:
  // Climb from each projective tree and from the best trees by the candidate arcs' own scores.
  void leave_projective(int32_t k) {
    const int32_t n = candidates.length();
    if (settings_.order > 1 && AllTrees::can_search(candidates)) {
      found = AllTrees(candidates, settings_.one_root, k).found;
      return;
    }
    ArcScores kept;
    kept.reset(n);
    for (int32_t m = 1; m <= n; ++m)
      for (int32_t h = 0; h <= n; ++h) kept.at(h, m) = IMPOSSIBLE;
    for (size_t a = 0; a < candidates.arcs.size(); ++a)
      kept.at(candidates.arcs[a].head, candidates.arcs[a].modifier) = candidates.arc_scores[a];
    for (const SpanningTrees::Tree &tree : SpanningTrees().run(kept, settings_.one_root, k))
      found.push_back({tree_score(candidates, tree.heads.data()), tree.heads});
    if (settings_.order > 1) {
      const size_t count = found.size();
      for (size_t i = 0; i < count; ++i) {
        FoundTree higher = found[i];
        climb(candidates, settings_.one_root, higher);
        if (higher.score > found[i].score) found.push_back(std::move(higher));
      }
    }
    std::sort(found.begin(), found.end(), [](const FoundTree &a, const FoundTree &b) {
      return a.score != b.score ? a.score > b.score : a.heads < b.heads;
    });
    const auto same = [](const FoundTree &a, const FoundTree &b) { return a.heads == b.heads; };
    found.erase(std::unique(found.begin(), found.end(), same), found.end());
    if (static_cast<int32_t>(found.size()) > k) found.resize(k);
  }

  SearchSettings settings_;
};

}  // namespace kakari
