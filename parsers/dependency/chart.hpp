// The k best projective trees over candidate arcs, exactly, with sibling, grandparent, grand-sibling and tri-sibling parts
// (the grandparent spans of Koo and Collins 2010; their sibling spans carry the sibling before as well).
//
// Items:
//   closed (h, g, e)     h, whose head is its candidate g, with all its modifiers from itself to e;
//   open   (h, g, i, j)  h with its modifiers on one side up to the j-th candidate, the one before being the i-th, and
//                        all between; the j-th modifier's own far side is not in it;
//   best   (h, g, j)     the open ones of all i;
//   inside (h, i, j)     what lies between two neighbouring modifiers: the far side of the i-th, the near side of the
//                        j-th.
// Every tree has one derivation, so that the k best derivations are the k best trees. The chart holds the best derivation
// of each item. With n tokens, K candidate heads each and M candidate modifiers a side, that takes O(K n^2 M + K n M^2) time
// and O(K n^2) memory. Further derivations are found when they are asked for (Huang and Chiang 2005, algorithm 3):
// only the items of good trees have lists, O(n) of them for each tree.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "parsers/dependency/candidates.hpp"

namespace kakari {

// How an item was made: `choice` says of which others, `left` and `right` which of their derivations.
struct Derivation {
  int64_t score;
  int32_t choice, left, right;
};

class Chart {
 public:
  // Fill the chart; how many trees were found, at most k.
  int32_t run(const Candidates &from, bool one_root, int32_t k) {
    from_ = &from;
    one_root_ = one_root;
    n_ = from.length();
    closed_begins_.assign(n_ + 2, 0);
    for (int32_t h = 0; h <= n_; ++h)
      closed_begins_[h + 1] = closed_begins_[h] + static_cast<size_t>(from.heads_of(h)) * (n_ + 1);
    const size_t sizes[KINDS] = {closed_begins_[n_ + 1], from.grand_scores.size(), from.parent_scores.size(),
                                 from.pair_scores.size()};
    for (int kind = 0; kind < KINDS; ++kind) {
      firsts_[kind].assign(sizes[kind], First{});
      if (k > 1) lists_of_[kind].assign(sizes[kind], -1);
    }
    used_lists_ = 0;
    for (int32_t h = 0; h <= n_; ++h)  // a head alone; what the end of a side is worth is counted where it is used
      for (int32_t g = 0; g < from.heads_of(h); ++g) firsts_[CLOSED][closed_at(h, g, h)] = {0, -1};
    for (int32_t width = 1; width <= n_; ++width)
      for (int32_t h = 0; h <= n_; ++h) {
        if (h - width >= 1) extend(h, h - width, 2 * h);
        if (h + width <= n_) extend(h, h + width, 2 * h + 1);
      }
    int32_t found = n_ == 0 || has_first(root()) ? 1 : 0;
    while (n_ > 0 && found > 0 && found < k && reach(root(), found)) ++found;
    return found;
  }

  int64_t score(int32_t rank) const { return n_ == 0 ? 0 : derivation(root(), rank).score; }

  // The heads of the tree at a rank.
  void follow(int32_t rank, int32_t *heads) const {
    if (n_ == 0) return;
    struct Span {
      int32_t h, g, end, rank;
    };
    std::vector<Span> waiting{{0, 0, n_, rank}};
    while (!waiting.empty()) {
      const Span span = waiting.back();
      waiting.pop_back();
      if (span.h == span.end) continue;
      const Derivation whole = derivation(closed_item(span.h, span.g, span.end), span.rank);
      const bool right = span.h < span.end;
      const int32_t k = 2 * span.h + right;
      const Side &side = from_->sides[k];
      int32_t j = whole.choice;
      int32_t m = modifier(side, j);
      waiting.push_back({m, place_as_head(side, j), span.end, whole.right});
      const Derivation best = derivation(best_item(k, span.g, j), whole.left);
      int32_t i = best.choice, own = best.left;
      while (true) {
        heads[m - 1] = span.h;
        const Derivation open = derivation(open_item(k, span.g, i, j), own);
        if (i < 0) {
          waiting.push_back({m, place_as_head(side, j), right ? span.h + 1 : span.h - 1, open.right});
          break;
        }
        const Derivation gap = derivation(inside_item(k, i, j), open.right);
        const int32_t before = modifier(side, i);
        waiting.push_back({before, place_as_head(side, i), gap.choice, gap.left});
        waiting.push_back({m, place_as_head(side, j), right ? gap.choice + 1 : gap.choice - 1, gap.right});
        own = open.left;
        j = i;
        i = open.choice;
        m = before;
      }
    }
  }

 private:
  enum Kind : uint8_t { CLOSED, OPEN, BEST, INSIDE, KINDS, NOTHING };

  // The best derivation of an item: those of which it is made are their best ones, too.
  struct First {
    int64_t score = IMPOSSIBLE;
    int32_t choice = -1;
  };

  // An item of the chart: `at` is the head of a closed one and else a side; `j` is the end of a closed one.
  struct Item {
    Kind kind = NOTHING;
    int32_t at = 0, g = 0, i = 0, j = 0;
    size_t index = 0;  // in the tables of its kind
  };
  // A way to make an item of two others; `NOTHING` has one derivation, worth 0.
  struct Source {
    Item left, right;
    int64_t extra;
    int32_t choice;
  };
  // A sum of derivations of a source, in the order of `order` where scores are equal.
  struct Waiting {
    int64_t score, order;
    int32_t source, left, right;

    bool operator<(const Waiting &other) const {
      return score != other.score ? score < other.score : order > other.order;
    }
  };
  // The derivations of an item that have been asked for, and those that come next (a heap).
  struct List {
    std::vector<Source> sources;
    std::vector<Waiting> waiting;
    std::vector<Derivation> found;
    Waiting last{};
    int64_t order = 0;
  };

  size_t closed_at(int32_t h, int32_t g, int32_t end) const {
    return closed_begins_[h] + static_cast<size_t>(g) * (n_ + 1) + end;
  }
  size_t best_at(const Side &side, int32_t j, int32_t g) const { return from_->parent_begins[side.arcs[j]] + g; }
  int32_t modifier(const Side &side, int32_t j) const { return from_->arcs[side.arcs[j]].modifier; }
  // The head of a side as a candidate head of its modifier.
  int32_t place_as_head(const Side &side, int32_t j) const { return side.arcs[j] - from_->begins[modifier(side, j)]; }

  Item closed_item(int32_t h, int32_t g, int32_t end) const { return {CLOSED, h, g, 0, end, closed_at(h, g, end)}; }
  Item open_item(int32_t k, int32_t g, int32_t i, int32_t j) const {
    return {OPEN, k, g, i, j, from_->grand_at(from_->sides[k], k / 2, i, j, g)};
  }
  Item best_item(int32_t k, int32_t g, int32_t j) const { return {BEST, k, g, 0, j, best_at(from_->sides[k], j, g)}; }
  Item inside_item(int32_t k, int32_t i, int32_t j) const {
    return {INSIDE, k, 0, i, j, Candidates::pair_at(from_->sides[k], i, j)};
  }
  Item root() const { return closed_item(0, 0, n_); }

  // What a side without modifiers adds: the closed item of a token alone is shared by both sides.
  int64_t bare(int32_t m, bool right) const {
    const Side &side = from_->sides[2 * m + right];
    return from_->pair_scores[Candidates::pair_at(side, -1, static_cast<int32_t>(side.arcs.size()))];
  }
  int64_t bare_if(int32_t m, int32_t end, bool right) const { return m == end ? bare(m, right) : 0; }

  void extend(int32_t h, int32_t end, int32_t k) {
    const Side &side = from_->sides[k];
    const int32_t count = modifiers_to(side, end, k % 2), heads = from_->heads_of(h);
    if (count > 0 && modifier(side, count - 1) == end) {
      const int32_t befores = one_root_ && h == 0 ? 0 : count - 1;  // the root has one modifier
      for (int32_t i = 0; i < befores; ++i) fill<INSIDE>(inside_item(k, i, count - 1));
      for (int32_t g = 0; g < heads; ++g) {
        for (int32_t i = -1; i < befores; ++i) fill<OPEN>(open_item(k, g, i, count - 1));
        fill<BEST>(best_item(k, g, count - 1));
      }
    }
    if (h == 0 && end < n_) return;
    for (int32_t g = 0; g < heads; ++g) fill<CLOSED>(closed_item(h, g, end));
  }

  // How many candidate modifiers of a side are not beyond a word.
  int32_t modifiers_to(const Side &side, int32_t end, bool right) const {
    int32_t count = 0;
    while (count < static_cast<int32_t>(side.arcs.size()) &&
           (right ? modifier(side, count) <= end : modifier(side, count) >= end))
      ++count;
    return count;
  }

  // Find the best derivation of an item whose parts are filled.
  template <Kind kind>
  void fill(const Item &item) {
    First first;
    visit<kind>(item, [&](const Item &left, const Item &right, int64_t extra, int32_t choice) {
      if (!has_first(left) || !has_first(right)) return;
      const int64_t score = first_score(left) + first_score(right) + extra;
      if (score > first.score) first = {score, choice};
    });
    firsts_[kind][item.index] = first;
  }

  int64_t first_score(const Item &item) const {
    return item.kind == NOTHING ? 0 : firsts_[item.kind][item.index].score;
  }
  bool has_first(const Item &item) const { return first_score(item) > IMPOSSIBLE; }

  // Calls add(left, right, extra, choice) for each way to make an item.
  template <Kind kind, class Add>
  void visit(const Item &item, Add &&add) const {
    if constexpr (kind == CLOSED) {
      if (item.at == item.j) return add(Item{}, Item{}, 0, -1);
      const bool right = item.at < item.j;
      const int32_t k = 2 * item.at + right;
      const Side &side = from_->sides[k];
      const int32_t size = static_cast<int32_t>(side.arcs.size()), count = modifiers_to(side, item.j, right);
      for (int32_t j = 0; j < count; ++j) {
        const int32_t m = modifier(side, j);
        add(best_item(k, item.g, j), closed_item(m, place_as_head(side, j), item.j),
            from_->pair_scores[Candidates::pair_at(side, j, size)] + bare_if(m, item.j, right), j);
      }
    } else if constexpr (kind == BEST) {
      for (int32_t i = -1; i < item.j; ++i) add(open_item(item.at, item.g, i, item.j), Item{}, 0, i);
    } else if constexpr (kind == INSIDE) {
      const Side &side = from_->sides[item.at];
      const bool right = item.at % 2;
      const int32_t b = modifier(side, item.i), m = modifier(side, item.j), step = right ? 1 : -1;
      const int32_t pb = place_as_head(side, item.i), pm = place_as_head(side, item.j);
      for (int32_t at = b; at != m; at += step)
        add(closed_item(b, pb, at), closed_item(m, pm, at + step),
            bare_if(b, at, right) + bare_if(m, at + step, !right), at);
    } else {
      const Side &side = from_->sides[item.at];
      const bool right = item.at % 2;
      const int32_t h = item.at / 2, arc = side.arcs[item.j], m = modifier(side, item.j);
      const int64_t own = from_->arc_scores[arc] + from_->parent_scores[from_->parent_begins[arc] + item.g] +
                          from_->pair_scores[Candidates::pair_at(side, item.i, item.j)] +
                          from_->grand_scores[item.index];
      if (item.i < 0) {
        const int32_t end = right ? h + 1 : h - 1;
        return add(Item{}, closed_item(m, place_as_head(side, item.j), end), own + bare_if(m, end, !right), -2);
      }
      const Item gap = inside_item(item.at, item.i, item.j);
      for (int32_t t = -1; t < item.i; ++t)
        add(open_item(item.at, item.g, t, item.i), gap, own + from_->triple(side, t, item.i, item.j), t);
    }
  }

  // Find the derivations of an item up to a rank; whether there are as many. Parts of an item are smaller than itself, so
  // that calls are nested no deeper than some times the words of a sentence.
  bool reach(const Item &item, int32_t rank) {
    if (rank == 0) return has_first(item);
    if (item.kind == NOTHING) return false;
    int32_t &number = lists_of_[item.kind][item.index];
    if (number < 0) number = begin_list(item);
    List &list = lists_[number];
    while (static_cast<int32_t>(list.found.size()) <= rank) {
      if (!list.found.empty()) {
        const Waiting last = list.last;
        wait(list, last.source, last.left, last.right + 1);
        if (last.right == 0) wait(list, last.source, last.left + 1, 0);
      }
      if (list.waiting.empty()) return false;
      std::pop_heap(list.waiting.begin(), list.waiting.end());
      list.last = list.waiting.back();
      list.waiting.pop_back();
      list.found.push_back({list.last.score, list.sources[list.last.source].choice, list.last.left, list.last.right});
    }
    return true;
  }

  int32_t begin_list(const Item &item) {
    if (used_lists_ == static_cast<int32_t>(lists_.size())) lists_.emplace_back();
    List &list = lists_[used_lists_];
    list.sources.clear();
    list.waiting.clear();
    list.found.clear();
    list.order = 0;
    const auto add = [&](const Item &left, const Item &right, int64_t extra, int32_t choice) {
      list.sources.push_back({left, right, extra, choice});
      wait(list, static_cast<int32_t>(list.sources.size()) - 1, 0, 0);
    };
    if (item.kind == CLOSED) visit<CLOSED>(item, add);
    if (item.kind == OPEN) visit<OPEN>(item, add);
    if (item.kind == BEST) visit<BEST>(item, add);
    if (item.kind == INSIDE) visit<INSIDE>(item, add);
    return used_lists_++;
  }

  // Put a sum of derivations into the heap of a list if both are there. `list` stays where it is when others are begun.
  void wait(List &list, int32_t number, int32_t left, int32_t right) {
    const Source &source = list.sources[number];
    if (!reach(source.left, left) || !reach(source.right, right)) return;
    const int64_t score = score_at(source.left, left) + score_at(source.right, right) + source.extra;
    list.waiting.push_back({score, list.order++, number, left, right});
    std::push_heap(list.waiting.begin(), list.waiting.end());
  }

  int64_t score_at(const Item &item, int32_t rank) const {
    return item.kind == NOTHING ? 0 : derivation(item, rank).score;
  }
  Derivation derivation(const Item &item, int32_t rank) const {
    const First &first = firsts_[item.kind][item.index];
    return rank == 0 ? Derivation{first.score, first.choice, 0, 0}
                     : lists_[lists_of_[item.kind][item.index]].found[rank];
  }

  const Candidates *from_ = nullptr;
  bool one_root_ = true;
  int32_t n_ = 0, used_lists_ = 0;
  std::vector<size_t> closed_begins_;
  std::vector<First> firsts_[KINDS];
  std::vector<int32_t> lists_of_[KINDS];  // -1 where none was asked for
  std::deque<List> lists_;                // kept for the next sentence
};

}  // namespace kakari
