// The parts of the trees of a list as a template kernel sees them: each arc has a head, a modifier and an edge.
//
// Words are rows of property numbers that the caller has made (own properties: form, lemma, tags, features), to which
// the tags around are added. An edge's row has what depends on the tree: relation, direction, distance, the head's own
// relation and head, the sibling before, how many modifiers there are, the tags between, how far the words below the
// modifier reach and what stands beside them. Trees of a list share most arcs with equal edges: a distinct part is made
// once, and parts that all trees have are left out, for they tell no tree from another. Each part also has hashed
// conjunctions as linear features.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "kernels/hardware/mixing.hpp"
#include "kernels/templates/learning.hpp"

namespace kakari {

// How words and edges are laid out. Numbers of tags begin with 1; 0 stands for the root and for what is outside.
struct PartLayout {
  int32_t own = 0;              // properties of a word alone
  int32_t tag = 0, coarse = 0;  // which of them are the tags
  int32_t relations = 0, tags = 0, coarses = 0;
  int32_t features = 0;  // linear ones that are hashed

  static constexpr int32_t AROUND = 6;     // tags of the words around
  static constexpr int32_t EDGE = 16;      // of an edge, without the tags between
  static constexpr int32_t BETWEEN = 24;   // coarse tags that are told apart between two words
  static constexpr int32_t FIRST = 6;      // linear features that are not hashed: see figures_of in reranker.py
  static constexpr int32_t EMPHASIS = 10;  // what a hashed feature counts beside the figures and the kernel

  int32_t word_width() const { return own + AROUND; }
  int32_t edge_width() const { return EDGE + std::min(coarses, BETWEEN); }
};

// One sentence: property rows of its words, and its trees.
struct ListedSentence {
  const int32_t *own = nullptr;  // length rows
  int32_t length = 0;
  const int32_t *heads = nullptr;  // trees times length
  const uint8_t *relations = nullptr;
  int32_t trees = 0;
};

class TreeParts {
 public:
  explicit TreeParts(const PartLayout &layout) : layout_(layout) {}

  // Fill everything below for one sentence.
  void run(const ListedSentence &from) {
    make_words(from);
    edges.clear();
    arcs.clear();
    seen_.clear();
    occurrences.clear();
    starts.assign(1, 0);
    first_of_.assign((from.length + 1) * (from.length + 1), -1);
    for (int32_t t = 0; t < from.trees; ++t) add_tree(from, t);
    leave_out_common(from.trees);
  }

  struct Arc {
    int32_t head, modifier, next;
  };

  std::vector<int32_t> words, edges;  // rows; the root is the first word
  std::vector<Arc> arcs;              // the distinct parts: part i has the edge i
  std::vector<int32_t> occurrences;   // parts of each tree, rising
  std::vector<int64_t> starts;        // of each tree

  // The hashed linear features of a part, as many as LINEAR.
  static constexpr int32_t LINEAR = 30;
  void linear(int32_t part, int32_t *to) const {
    const Arc &arc = arcs[part];
    const int32_t *H = &words[arc.head * layout_.word_width()], *M = &words[arc.modifier * layout_.word_width()];
    const int32_t *E = &edges[part * layout_.edge_width()], *around_h = H + layout_.own, *around_m = M + layout_.own;
    const int32_t lemma = 1, tag = layout_.tag, coarse = layout_.coarse;
    uint64_t between = 0;
    for (int32_t i = PartLayout::EDGE; i < layout_.edge_width(); ++i) between = between << 1 | (E[i] >= 0);
    int32_t count = 0;
    const auto add = [&](uint64_t name, auto... parts) {
      uint64_t hash = join(0x6A09E667F3BCC909u, name);
      ((hash = join(hash, static_cast<uint64_t>(static_cast<uint32_t>(parts)))), ...);
      to[count++] = PartLayout::FIRST + static_cast<int32_t>(mix(hash) % static_cast<uint64_t>(layout_.features));
    };
    add(1, E[3], H[coarse], M[coarse]);
    add(2, E[3], H[tag], M[tag]);
    add(3, E[3], E[2], M[coarse]);
    add(4, E[0], E[4], H[coarse]);
    add(5, E[6], H[coarse]);
    add(6, E[0], E[8], M[coarse]);
    add(7, E[3], H[coarse], E[9]);
    add(8, E[3], M[lemma]);
    add(9, E[3], H[lemma]);
    add(10, E[3], H[lemma], M[lemma]);
    add(11, E[3], H[lemma], M[tag]);
    add(12, E[3], H[tag], M[lemma]);
    add(13, E[3], E[2], H[tag], M[tag]);
    add(14, E[3], E[4], H[tag], M[tag]);
    add(15, E[4], E[5], H[coarse], M[coarse]);
    add(16, E[6], H[tag], M[tag]);
    add(17, E[3], E[7], H[coarse], M[coarse]);
    add(18, E[6], H[lemma]);
    add(19, E[4], M[lemma]);
    add(20, E[3], E[9], H[tag]);
    add(21, E[8], E[3], H[coarse], M[tag]);
    add(22, E[3], H[tag], around_m[0], M[tag], around_m[1]);
    add(23, E[3], around_h[0], H[tag], around_h[1], M[tag]);
    add(24, E[3], H[coarse], M[coarse], between & 0xFFFFFF);
    add(25, E[12], E[1], H[coarse], M[coarse]);
    add(26, E[13], H[coarse], M[coarse]);
    add(27, E[14], H[coarse], M[coarse]);
    add(28, E[13], E[14], E[1]);
    add(29, E[12], M[lemma]);
    add(30, E[15], H[coarse]);
  }

 private:
  void make_words(const ListedSentence &from) {
    const int32_t width = layout_.word_width(), n = from.length;
    words.assign((n + 1) * width, -1);
    for (const int32_t column : {0, 1, layout_.tag, layout_.coarse}) words[column] = 0;
    for (int32_t i = 1; i <= n; ++i) {
      int32_t *to = &words[i * width];
      std::copy_n(from.own + (i - 1) * layout_.own, layout_.own, to);
      const auto around = [&](int32_t at, int32_t column) {
        return at < 1 || at > n ? 0 : from.own[(at - 1) * layout_.own + column];
      };
      to += layout_.own;
      to[0] = around(i - 1, layout_.tag);
      to[1] = around(i + 1, layout_.tag);
      to[2] = around(i - 2, layout_.coarse);
      to[3] = around(i + 2, layout_.coarse);
      const int32_t before = around(i - 1, layout_.coarse), after = around(i + 1, layout_.coarse);
      to[4] = before < 0 || after < 0 ? -1 : before * (layout_.coarses + 1) + after;
      to[5] = around(i + 1, 1);  // the next word's lemma
    }
  }

  // Who stands beside whom in one tree.
  void shape(const ListedSentence &from, const int32_t *heads) {
    const int32_t n = from.length;
    lefts_.assign(n + 1, 0);
    rights_.assign(n + 1, 0);
    before_.assign(n + 1, 0);
    rank_.assign(n + 1, 0);
    last_.assign(n + 1, 0);
    for (int32_t m = 1; m <= n; ++m) {  // modifiers on the right, from the head on
      const int32_t h = heads[m - 1];
      if (h >= m) continue;
      before_[m] = last_[h];
      last_[h] = m;
      rank_[m] = rights_[h]++;
    }
    last_.assign(n + 1, 0);
    for (int32_t m = n; m >= 1; --m) {  // and on the left
      const int32_t h = heads[m - 1];
      if (h <= m) continue;
      before_[m] = last_[h];
      last_[h] = m;
      rank_[m] = lefts_[h]++;
    }
    first_.resize(n + 1);
    end_.resize(n + 1);
    for (int32_t m = 0; m <= n; ++m) first_[m] = end_[m] = m;
    for (int32_t m = 1; m <= n; ++m)  // each word widens what its ancestors reach
      for (int32_t h = heads[m - 1]; h > 0 && (m < first_[h] || m > end_[h]); h = heads[h - 1]) {
        first_[h] = std::min(first_[h], m);
        end_[h] = std::max(end_[h], m);
      }
  }

  int32_t coarse_of(int32_t word) const { return words[word * layout_.word_width() + layout_.coarse]; }
  int32_t tag_of(int32_t word) const { return words[word * layout_.word_width() + layout_.tag]; }

  void make_edge(const ListedSentence &from, const int32_t *heads, const uint8_t *relations, int32_t m, int32_t *to) {
    const int32_t h = heads[m - 1], relation = relations[m - 1], none = layout_.relations, all = none + 1;
    const int32_t right = h < m, distance = std::abs(h - m);
    const int32_t bin = distance <= 5 ? distance : distance <= 10 ? 6 : distance <= 20 ? 7 : 8;
    const int32_t above = h == 0 ? none : relations[h - 1];
    const int32_t sibling = before_[m] == 0 ? none : relations[before_[m] - 1];
    const int32_t few[] = {std::min(lefts_[m], 3), std::min(rights_[m], 3)};
    const int32_t side = std::min(right ? rights_[h] : lefts_[h], 4),
                  other = std::min(right ? lefts_[h] : rights_[h], 3);
    std::fill_n(to, layout_.edge_width(), -1);
    to[0] = relation;
    to[1] = right;
    to[2] = bin * 2 + right;
    to[3] = relation * 2 + right;
    to[4] = above * all + relation;
    to[5] = h == 0 ? 0 : coarse_of(heads[h - 1]);
    to[6] = (sibling * all + relation) * 2 + right;
    to[7] = before_[m] == 0 ? 0 : coarse_of(before_[m]) * 2 + right;
    to[8] = few[0] * 4 + few[1];
    to[9] = (side * 4 + other) * 2 + right;
    to[10] = std::min(rank_[m], 4) * 2 + right;
    to[11] = from.length == m || h == from.length ? 1 : m == 1 || h == 1 ? 2 : 0;
    const int32_t size = end_[m] - first_[m] + 1;
    const int32_t span = size <= 2 ? size - 1 : size <= 4 ? 2 : size <= 8 ? 3 : size <= 16 ? 4 : 5;
    const int32_t after = end_[m] == from.length ? 0 : coarse_of(end_[m] + 1);
    const int32_t before = first_[m] == 1 ? 0 : coarse_of(first_[m] - 1);
    to[12] = relation * 6 + span;
    if (after >= 0) to[13] = relation * (layout_.coarses + 1) + after;
    if (before >= 0) to[14] = relation * (layout_.coarses + 1) + before;
    to[15] = relation * 2 + (tag_of(h) == tag_of(m));
    for (int32_t i = std::min(h, m) + 1; i < std::max(h, m); ++i) {
      const int32_t coarse = coarse_of(i);
      if (coarse >= 1 && coarse <= std::min(layout_.coarses, PartLayout::BETWEEN))
        to[PartLayout::EDGE + coarse - 1] = right;
    }
  }

  void add_tree(const ListedSentence &from, int32_t tree) {
    const int32_t n = from.length, width = layout_.edge_width();
    const int32_t *heads = from.heads + static_cast<int64_t>(tree) * n;
    const uint8_t *relations = from.relations + static_cast<int64_t>(tree) * n;
    shape(from, heads);
    edge_.resize(width);
    for (int32_t m = 1; m <= n; ++m) {
      make_edge(from, heads, relations, m, edge_.data());
      int32_t &first = first_of_[heads[m - 1] * (n + 1) + m];
      int32_t part = first;
      while (part >= 0 && std::memcmp(&edges[part * width], edge_.data(), width * sizeof(int32_t)) != 0)
        part = arcs[part].next;
      if (part < 0) {
        part = static_cast<int32_t>(arcs.size());
        arcs.push_back({heads[m - 1], m, first});
        first = part;
        edges.insert(edges.end(), edge_.begin(), edge_.end());
        seen_.push_back(0);
      }
      ++seen_[part];
      occurrences.push_back(part);
    }
    std::sort(occurrences.begin() + starts.back(), occurrences.end());
    starts.push_back(static_cast<int64_t>(occurrences.size()));
  }

  void leave_out_common(int32_t trees) {
    const int32_t width = layout_.edge_width();
    // What is left is put in the order of its words: parts that differ in their edges alone stand together.
    std::vector<int32_t> numbers(arcs.size(), -1), order;
    for (size_t i = 0; i < arcs.size(); ++i)
      if (seen_[i] < trees || trees == 1) order.push_back(static_cast<int32_t>(i));
    std::sort(order.begin(), order.end(), [this](int32_t one, int32_t other) {
      const Arc &a = arcs[one], &b = arcs[other];
      return a.modifier != b.modifier ? a.modifier < b.modifier : a.head != b.head ? a.head < b.head : one < other;
    });
    std::vector<Arc> old_arcs(arcs);
    std::vector<int32_t> old_edges(edges);
    for (size_t k = 0; k < order.size(); ++k) {
      numbers[order[k]] = static_cast<int32_t>(k);
      arcs[k] = old_arcs[order[k]];
      std::copy_n(old_edges.begin() + static_cast<int64_t>(order[k]) * width, width,
                  edges.begin() + static_cast<int64_t>(k) * width);
    }
    arcs.resize(order.size());
    edges.resize(order.size() * width);
    size_t to = 0;
    for (size_t t = 0; t + 1 < starts.size(); ++t) {
      const size_t begin = starts[t], end = starts[t + 1];
      starts[t] = static_cast<int64_t>(to);
      for (size_t k = begin; k < end; ++k)
        if (numbers[occurrences[k]] >= 0) occurrences[to++] = numbers[occurrences[k]];
      std::sort(occurrences.begin() + starts[t], occurrences.begin() + to);
    }
    starts.back() = static_cast<int64_t>(to);
    occurrences.resize(to);
  }

  PartLayout layout_;
  std::vector<int32_t> seen_, first_of_, lefts_, rights_, before_, rank_, last_, first_, end_, edge_;
};

// The linear features of a tree: those of its figures, then the hashed ones of its parts, rising, with their counts.
inline void tree_features(const TreeParts &parts, int32_t tree, const int32_t *figures,
                          std::vector<std::pair<int32_t, int32_t>> &to) {
  to.clear();
  for (int32_t i = 0; i < PartLayout::FIRST; ++i)
    if (figures[i] != 0) to.push_back({i, figures[i]});
  const size_t first = to.size();
  for (int64_t k = parts.starts[tree]; k < parts.starts[tree + 1]; ++k) {
    int32_t own[TreeParts::LINEAR];
    parts.linear(parts.occurrences[k], own);
    for (const int32_t feature : own) to.push_back({feature, PartLayout::EMPHASIS});
  }
  std::sort(to.begin() + first, to.end());
  size_t last = first;
  for (size_t k = first; k < to.size(); ++k) {
    if (last > first && to[last - 1].first == to[k].first)
      to[last - 1].second += to[k].second;
    else
      to[last++] = to[k];
  }
  to.resize(last);
}

}  // namespace kakari
