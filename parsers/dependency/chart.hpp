// The k best projective trees over candidate arcs, exactly, with sibling, grandparent, grand-sibling and tri-sibling parts
// (the grandparent spans of Koo and Collins 2010; their sibling spans carry the sibling before as well).
//
// Items, each with the list of its k best derivations:
//   closed (h, g, e)     h, whose head is its candidate g, with all its modifiers from itself to e;
//   open   (h, g, i, j)  h with its modifiers on one side up to the j-th candidate, the one before being the i-th, and
//                        all between; the j-th modifier's own far side is not in it;
//   best   (h, g, j)     the open ones of all i;
//   inside (h, i, j)     what lies between two neighbouring modifiers: the far side of the i-th, the near side of the
//                        j-th.
// Every tree has one derivation, so that the k best derivations are the k best trees. With n tokens, K candidate
// heads each and M candidate modifiers a side, time is O(K n^2 M + K n M^2) and memory O(K n^2) for k = 1.
#pragma once

#include <algorithm>
#include <cstdint>
#include <queue>
#include <vector>

#include "parsers/dependency/candidates.hpp"

namespace kakari {

// How an item was made: `choice` says of which others, `left` and `right` which of their derivations.
struct Derivation {
  int64_t score;
  int32_t choice, left, right;
};

// Lists of derivations by item.
class DerivationLists {
 public:
  void reset(size_t items, int32_t most) {
    most_ = most;
    counts_.assign(items, 0);
    if (entries_.size() < items * most) entries_.resize(items * most);
  }
  const Derivation *at(size_t item) const { return entries_.data() + item * most_; }
  Derivation *at(size_t item) { return entries_.data() + item * most_; }
  int32_t count(size_t item) const { return counts_[item]; }
  void set_count(size_t item, int32_t count) { counts_[item] = count; }
  void set_one(size_t item, const Derivation &one) {
    at(item)[0] = one;
    counts_[item] = 1;
  }

 private:
  int32_t most_ = 1;
  std::vector<int32_t> counts_;
  std::vector<Derivation> entries_;
};

// Finds the k best sums of an entry of one list and an entry of another, over several pairs of lists.
class Merger {
 public:
  explicit Merger(int32_t most) : most_(most) {}

  void begin() {
    sources_.clear();
    best_.score = IMPOSSIBLE;
  }
  void offer(const Derivation *left, int32_t lefts, const Derivation *right, int32_t rights, int64_t extra,
             int32_t choice) {
    if (lefts == 0 || rights == 0) return;
    const int64_t score = left[0].score + right[0].score + extra;
    if (most_ == 1) {
      if (score > best_.score) best_ = {score, choice, 0, 0};
    } else {
      sources_.push_back({left, right, lefts, rights, choice, extra});
    }
  }
  void finish(DerivationLists &lists, size_t item) {
    if (most_ == 1) {
      if (best_.score > IMPOSSIBLE) lists.set_one(item, best_);
      return;
    }
    const auto worse = [](const Waiting &a, const Waiting &b) {
      return a.score != b.score ? a.score < b.score : a.order > b.order;
    };
    std::priority_queue<Waiting, std::vector<Waiting>, decltype(worse)> waiting(worse);
    int64_t order = 0;
    const auto push = [&](int32_t source, int32_t left, int32_t right) {
      const Source &from = sources_[source];
      if (left < from.lefts && right < from.rights)
        waiting.push({from.left[left].score + from.right[right].score + from.extra, order++, source, left, right});
    };
    for (size_t s = 0; s < sources_.size(); ++s) push(static_cast<int32_t>(s), 0, 0);
    int32_t count = 0;
    Derivation *out = lists.at(item);
    while (count < most_ && !waiting.empty()) {
      const Waiting one = waiting.top();
      waiting.pop();
      out[count++] = {one.score, sources_[one.source].choice, one.left, one.right};
      push(one.source, one.left, one.right + 1);
      if (one.right == 0) push(one.source, one.left + 1, 0);
    }
    lists.set_count(item, count);
  }

 private:
  struct Source {
    const Derivation *left, *right;
    int32_t lefts, rights, choice;
    int64_t extra;
  };
  struct Waiting {
    int64_t score, order;
    int32_t source, left, right;
  };

  int32_t most_;
  Derivation best_{};
  std::vector<Source> sources_;
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
    closed_.reset(closed_begins_[n_ + 1], k);
    open_.reset(from.grand_scores.size(), k);
    best_.reset(from.parent_scores.size(), k);
    inside_.reset(from.pair_scores.size(), k);
    Merger merger(k);
    for (int32_t h = 0; h <= n_; ++h) begin_sides(h);
    for (int32_t width = 1; width <= n_; ++width)
      for (int32_t h = 0; h <= n_; ++h) {
        if (h - width >= 1) extend(merger, h, h - width, 2 * h);
        if (h + width <= n_) extend(merger, h, h + width, 2 * h + 1);
      }
    return n_ == 0 ? 1 : closed_.count(root_item());
  }

  int64_t score(int32_t rank) const { return n_ == 0 ? 0 : closed_.at(root_item())[rank].score; }

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
      const Derivation &whole = closed_.at(closed_at(span.h, span.g, span.end))[span.rank];
      const bool right = span.h < span.end;
      const Side &side = from_->sides[2 * span.h + right];
      int32_t j = whole.choice;
      int32_t m = modifier(side, j);
      waiting.push_back({m, place_as_head(side, j), span.end, whole.right});
      const Derivation &best = best_.at(best_at(side, j, span.g))[whole.left];
      int32_t i = best.choice, own = best.left;
      while (true) {
        heads[m - 1] = span.h;
        const Derivation &open = open_.at(from_->grand_at(side, span.h, i, j, span.g))[own];
        if (i < 0) {
          waiting.push_back({m, place_as_head(side, j), right ? span.h + 1 : span.h - 1, open.right});
          break;
        }
        const Derivation &gap = inside_.at(Candidates::pair_at(side, i, j))[open.right];
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
  size_t closed_at(int32_t h, int32_t g, int32_t end) const {
    return closed_begins_[h] + static_cast<size_t>(g) * (n_ + 1) + end;
  }
  size_t root_item() const { return closed_at(0, 0, n_); }
  size_t best_at(const Side &side, int32_t j, int32_t g) const { return from_->parent_begins[side.arcs[j]] + g; }
  int32_t modifier(const Side &side, int32_t j) const { return from_->arcs[side.arcs[j]].modifier; }
  // The head of a side as a candidate head of its modifier.
  int32_t place_as_head(const Side &side, int32_t j) const { return side.arcs[j] - from_->begins[modifier(side, j)]; }

  // A head alone: both of its sides end at once, and what that is worth is counted where the side is used.
  void begin_sides(int32_t h) {
    for (int32_t g = 0; g < from_->heads_of(h); ++g) closed_.set_one(closed_at(h, g, h), {0, -1, 0, 0});
  }

  // What a side without modifiers adds: the closed item of a token alone is shared by both sides.
  int64_t bare(int32_t m, bool right) const {
    const Side &side = from_->sides[2 * m + right];
    return from_->pair_scores[Candidates::pair_at(side, -1, static_cast<int32_t>(side.arcs.size()))];
  }
  int64_t bare_if(int32_t m, int32_t end, bool right) const { return m == end ? bare(m, right) : 0; }

  void extend(Merger &merger, int32_t h, int32_t end, size_t k) {
    const Side &side = from_->sides[k];
    const bool right = h < end;
    int32_t count = 0;
    while (count < static_cast<int32_t>(side.arcs.size()) &&
           (right ? modifier(side, count) <= end : modifier(side, count) >= end))
      ++count;
    if (count > 0 && modifier(side, count - 1) == end) {
      if (!(one_root_ && h == 0))
        for (int32_t i = 0; i < count - 1; ++i) fill_inside(merger, side, i, count - 1, right);
      for (int32_t g = 0; g < from_->heads_of(h); ++g) fill_open(merger, side, h, g, count - 1, right);
    }
    if (h == 0 && end < n_) return;
    const int32_t size = static_cast<int32_t>(side.arcs.size());
    for (int32_t g = 0; g < from_->heads_of(h); ++g) {
      merger.begin();
      for (int32_t j = 0; j < count; ++j) {
        const int32_t m = modifier(side, j);
        const size_t near = best_at(side, j, g), far = closed_at(m, place_as_head(side, j), end);
        const int64_t extra = from_->pair_scores[Candidates::pair_at(side, j, size)] + bare_if(m, end, right);
        merger.offer(best_.at(near), best_.count(near), closed_.at(far), closed_.count(far), extra, j);
      }
      merger.finish(closed_, closed_at(h, g, end));
    }
  }

  void fill_inside(Merger &merger, const Side &side, int32_t i, int32_t j, bool right) {
    const int32_t b = modifier(side, i), m = modifier(side, j), step = right ? 1 : -1;
    const int32_t pb = place_as_head(side, i), pm = place_as_head(side, j);
    merger.begin();
    for (int32_t at = b; at != m; at += step) {
      const size_t one = closed_at(b, pb, at), other = closed_at(m, pm, at + step);
      const int64_t extra = bare_if(b, at, right) + bare_if(m, at + step, !right);
      merger.offer(closed_.at(one), closed_.count(one), closed_.at(other), closed_.count(other), extra, at);
    }
    merger.finish(inside_, Candidates::pair_at(side, i, j));
  }

  void fill_open(Merger &merger, const Side &side, int32_t h, int32_t g, int32_t j, bool right) {
    static const Derivation nothing{0, -1, 0, 0};
    const int32_t a = side.arcs[j], m = modifier(side, j);
    const int64_t arc = from_->arc_scores[a] + from_->parent_scores[from_->parent_begins[a] + g];
    for (int32_t i = -1; i < (one_root_ && h == 0 ? 0 : j); ++i) {
      const size_t item = from_->grand_at(side, h, i, j, g);
      const int64_t own = arc + from_->pair_scores[Candidates::pair_at(side, i, j)] + from_->grand_scores[item];
      merger.begin();
      if (i < 0) {
        const int32_t end = right ? h + 1 : h - 1;
        const size_t near = closed_at(m, place_as_head(side, j), end);
        merger.offer(&nothing, 1, closed_.at(near), closed_.count(near), own + bare_if(m, end, !right), -2);
      } else {
        const size_t gap = Candidates::pair_at(side, i, j);
        for (int32_t t = -1; t < i; ++t) {
          const size_t before = from_->grand_at(side, h, t, i, g);
          merger.offer(open_.at(before), open_.count(before), inside_.at(gap), inside_.count(gap),
                       own + from_->triple(side, t, i, j), t);
        }
      }
      merger.finish(open_, item);
    }
    merger.begin();
    for (int32_t i = -1; i < j; ++i) {
      const size_t item = from_->grand_at(side, h, i, j, g);
      merger.offer(open_.at(item), open_.count(item), &nothing, 1, 0, i);
    }
    merger.finish(best_, best_at(side, j, g));
  }

  const Candidates *from_ = nullptr;
  bool one_root_ = true;
  int32_t n_ = 0;
  std::vector<size_t> closed_begins_;
  DerivationLists closed_, open_, best_, inside_;
};

}  // namespace kakari
