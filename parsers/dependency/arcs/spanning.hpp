// The best trees by the scores of their arcs alone, projective or not.
//
// One tree: Chu-Liu and Edmonds by contracting cycles, O(n^3) at worst. One root is had by making arcs of the root so
// dear that a tree with one of them beats every other. k trees: what is left when the best tree is taken away falls into
// n classes by the first word whose head differs (Lawler 1972), each of which has a best tree again.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "parsers/dependency/arcs/first_order.hpp"

namespace kakari {

class SpanningTrees {
 public:
  struct Tree {
    int64_t score;
    std::vector<int32_t> heads;  // of words 1 to n
  };

  // The best trees first; fewer than k where there are not so many. An arc with the score IMPOSSIBLE is never used.
  std::vector<Tree> run(const ArcScores &arcs, bool one_root, int32_t k) {
    n_ = arcs.length();
    if (n_ == 0) return {Tree{0, {}}};
    one_root_ = one_root;
    fine_ = 0;
    for (int32_t m = 1; m <= n_; ++m)
      for (int32_t h = 0; h <= n_; ++h)
        if (h != m && arcs.at(h, m) > IMPOSSIBLE) fine_ = std::max(fine_, std::abs(arcs.at(h, m)));
    fine_ = 2 * (fine_ + 1) * (n_ + 1);
    std::vector<Class> classes;
    std::vector<Tree> found;
    add_class(arcs, {}, 0, classes);
    while (static_cast<int32_t>(found.size()) < k && !classes.empty()) {
      const auto best = std::max_element(classes.begin(), classes.end(),
                                         [](const Class &a, const Class &b) { return a.best.score < b.best.score; });
      const Class taken = *best;
      classes.erase(best);
      found.push_back(taken.best);
      if (static_cast<int32_t>(found.size()) == k) break;
      // Words before `fixed` keep their heads; the first word that differs is one behind them.
      for (int32_t m = taken.fixed + 1; m <= n_; ++m) {
        std::vector<Arc2> forbidden;
        for (const Arc2 &arc : taken.forbidden)
          if (arc.modifier >= m) forbidden.push_back(arc);
        for (int32_t before = 1; before < m; ++before) keep(taken.best.heads[before - 1], before, forbidden);
        forbidden.push_back({taken.best.heads[m - 1], m});
        add_class(arcs, forbidden, m - 1, classes);
      }
    }
    return found;
  }

 private:
  struct Arc2 {
    int32_t head, modifier;
  };
  struct Class {
    std::vector<Arc2> forbidden;
    int32_t fixed;  // words 1 to this have one head left
    Tree best;
  };

  void keep(int32_t head, int32_t modifier, std::vector<Arc2> &forbidden) const {
    for (int32_t h = 0; h <= n_; ++h)
      if (h != head && h != modifier) forbidden.push_back({h, modifier});
  }

  void add_class(const ArcScores &arcs, std::vector<Arc2> forbidden, int32_t fixed, std::vector<Class> &classes) {
    ArcScores own = arcs;
    for (const Arc2 &arc : forbidden) own.at(arc.head, arc.modifier) = IMPOSSIBLE;
    if (one_root_)
      for (int32_t m = 1; m <= n_; ++m)
        if (own.at(0, m) > IMPOSSIBLE) own.at(0, m) -= fine_;
    Tree tree{0, std::vector<int32_t>(n_, -1)};
    if (!best_tree(own, tree.heads)) return;
    int32_t roots = 0;
    for (int32_t m = 1; m <= n_; ++m) {
      roots += tree.heads[m - 1] == 0;
      tree.score += arcs.at(tree.heads[m - 1], m);
    }
    if (one_root_ && roots > 1) return;
    classes.push_back({std::move(forbidden), fixed, std::move(tree)});
  }

  // Contract cycles of best arcs until there are none; false if no tree spans all words.
  bool best_tree(const ArcScores &arcs, std::vector<int32_t> &heads) const {
    struct Edge {
      int32_t from, to;
      int64_t score;
      int32_t under;  // the edge of the level before
    };
    std::vector<std::vector<Edge>> levels(1);
    std::vector<std::vector<int32_t>> groups, chosen;
    for (int32_t m = 1; m <= n_; ++m)
      for (int32_t h = 0; h <= n_; ++h)
        if (h != m && arcs.at(h, m) > IMPOSSIBLE)
          levels[0].push_back({h, m, arcs.at(h, m), static_cast<int32_t>(levels[0].size())});
    int32_t nodes = n_ + 1;
    while (true) {
      const std::vector<Edge> &edges = levels.back();
      std::vector<int32_t> best(nodes, -1);
      for (size_t e = 0; e < edges.size(); ++e)
        if (best[edges[e].to] < 0 || edges[e].score > edges[best[edges[e].to]].score)
          best[edges[e].to] = static_cast<int32_t>(e);
      for (int32_t v = 1; v < nodes; ++v)
        if (best[v] < 0) return false;
      std::vector<int32_t> group(nodes, -1), mark(nodes, -1);
      std::vector<char> on_cycle(nodes, 0);
      bool any = false;
      mark[0] = 0;
      for (int32_t v = 1; v < nodes; ++v) {
        int32_t u = v;
        while (mark[u] < 0) {
          mark[u] = v;
          u = edges[best[u]].from;
        }
        if (u == 0 || mark[u] != v) continue;
        any = true;
        for (int32_t w = u; !on_cycle[w]; w = edges[best[w]].from) on_cycle[w] = 1;
      }
      chosen.push_back(best);
      if (!any) break;
      int32_t count = 0;
      for (int32_t v = 0; v < nodes; ++v) {
        if (group[v] >= 0) continue;
        group[v] = count;
        if (on_cycle[v])
          for (int32_t w = edges[best[v]].from; w != v; w = edges[best[w]].from) group[w] = count;
        ++count;
      }
      std::vector<Edge> contracted;
      for (size_t e = 0; e < edges.size(); ++e) {
        const Edge &edge = edges[e];
        if (group[edge.from] == group[edge.to]) continue;
        const int64_t saved = on_cycle[edge.to] ? edges[best[edge.to]].score : 0;
        contracted.push_back({group[edge.from], group[edge.to], edge.score - saved, static_cast<int32_t>(e)});
      }
      groups.push_back(std::move(group));
      levels.push_back(std::move(contracted));
      nodes = count;
    }
    // Undo the contractions: an arc into a cycle takes the place of the cycle's own arc at the word it enters.
    std::vector<int32_t> into = chosen.back();
    for (size_t level = levels.size() - 1; level > 0; --level) {
      std::vector<int32_t> below = chosen[level - 1];
      for (size_t v = 1; v < into.size(); ++v) {
        const int32_t e = levels[level][into[v]].under;
        below[levels[level - 1][e].to] = e;
      }
      into = std::move(below);
    }
    for (int32_t m = 1; m <= n_; ++m) heads[m - 1] = levels[0][into[m]].from;
    return true;
  }

  int32_t n_ = 0;
  bool one_root_ = true;
  int64_t fine_ = 0;
};

}  // namespace kakari
