// Finds the fragments of a table in a tree, in one walk from the leaves to the root.
//
// The fragments of a production are a trie over their children: an edge for "not expanded" and one for each
// part by which a child may be expanded. A node's matches are the ends of the paths whose parts match at its
// children, so the cost is that of the partial matches found, however large the table is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/fragments/table.hpp"
#include "kernels/trees/trees.hpp"

namespace kakari {

struct MatchScratch {
  struct Segment {
    int64_t start, end;
  };
  std::vector<int32_t> matches;  // of the open nodes, end to end
  std::vector<Segment> open;
  std::vector<int32_t> states, next, production;
  std::vector<int64_t> marks;  // of each fragment: when it was last seen below a child
  int64_t marked = 0;
  std::vector<int32_t> columns;
};

class FragmentMatcher {
 public:
  FragmentMatcher() = default;

  // The table must outlive the matcher and stay as it is.
  explicit FragmentMatcher(const FragmentTable &table) : table_(&table) {
    SequenceTable edges;  // (state, part) -> the state after it, less the number of productions
    const int64_t roots = table.productions().size();
    for (int64_t fragment = 0; fragment < table.size(); ++fragment) {
      int32_t state = table.production(fragment);
      for (int64_t i = 0; i < table.arity(fragment); ++i) {
        const int32_t edge[2] = {state, table.parts(fragment)[i]};
        state = static_cast<int32_t>(roots + edges.find_or_add(edge, 2));
      }
      ends_.resize(roots + edges.size(), -1);
      ends_[state] = static_cast<int32_t>(fragment);
    }
    lay_out(edges, roots);
  }

  // Calls visit(fragment) for every fragment and every node of the tree at which it is rooted.
  template <class Visit>
  void match(const Tree &tree, MatchScratch &scratch, Visit visit) const {
    scratch.open.clear();
    scratch.matches.clear();
    if (static_cast<int64_t>(scratch.marks.size()) < table_->size()) scratch.marks.resize(table_->size(), 0);
    for (int64_t node = 0; node < tree.size; ++node) {
      const int64_t arity = tree.arities[node];
      const int64_t first = static_cast<int64_t>(scratch.open.size()) - arity;
      const int64_t start = arity == 0 ? static_cast<int64_t>(scratch.matches.size()) : scratch.open[first].start;
      if (arity > 0) find_states(tree, node, first, scratch);
      scratch.matches.resize(start);  // the children's matches have been read
      if (arity > 0) {
        for (const int32_t state : scratch.states) {
          visit(ends_[state]);
          scratch.matches.push_back(ends_[state]);
        }
      }
      scratch.open.resize(first);
      scratch.open.push_back({start, static_cast<int64_t>(scratch.matches.size())});
    }
  }

 private:
  void find_states(const Tree &tree, int64_t node, int64_t first, MatchScratch &scratch) const {
    scratch.states.clear();
    write_production(tree, node, scratch.production);
    const int32_t root =
        table_->productions().find(scratch.production.data(), static_cast<int64_t>(scratch.production.size()));
    if (root < 0) return;
    scratch.states.push_back(root);
    for (int64_t i = 0; i < tree.arities[node] && !scratch.states.empty(); ++i) {
      const MatchScratch::Segment below = scratch.open[first + i];
      const int32_t *parts = scratch.matches.data() + below.start;
      const int64_t count = below.end - below.start;
      const int64_t mark = ++scratch.marked;
      for (int64_t j = 0; j < count; ++j) scratch.marks[parts[j]] = mark;
      scratch.next.clear();
      for (const int32_t state : scratch.states) {
        if (unexpanded_[state] >= 0) scratch.next.push_back(unexpanded_[state]);
        if (count > 0) follow(state, parts, count, mark, scratch);
      }
      scratch.states.swap(scratch.next);
    }
  }

  // Takes the edges whose part matches: from the shorter of the two lists.
  void follow(int32_t state, const int32_t *parts, int64_t count, int64_t mark, MatchScratch &scratch) const {
    const auto begin = edge_parts_.begin() + edge_starts_[state], end = edge_parts_.begin() + edge_starts_[state + 1];
    if (end - begin <= 8 * count) {
      for (auto edge = begin; edge != end; ++edge)
        if (scratch.marks[*edge] == mark) scratch.next.push_back(edge_states_[edge - edge_parts_.begin()]);
      return;
    }
    for (int64_t j = 0; j < count; ++j) {
      const auto edge = std::lower_bound(begin, end, parts[j]);
      if (edge != end && *edge == parts[j]) scratch.next.push_back(edge_states_[edge - edge_parts_.begin()]);
    }
  }

  void lay_out(const SequenceTable &edges, int64_t roots) {
    const int64_t states = roots + edges.size();
    ends_.resize(states, -1);
    unexpanded_.assign(states, -1);
    edge_starts_.assign(states + 1, 0);
    std::vector<int64_t> sorted;
    for (int64_t edge = 0; edge < edges.size(); ++edge) {
      if (edges.begin(edge)[1] < 0) {
        unexpanded_[edges.begin(edge)[0]] = static_cast<int32_t>(roots + edge);
      } else {
        sorted.push_back(edge);
        ++edge_starts_[edges.begin(edge)[0] + 1];
      }
    }
    std::sort(sorted.begin(), sorted.end(), [&edges](int64_t a, int64_t b) {
      return std::lexicographical_compare(edges.begin(a), edges.begin(a) + 2, edges.begin(b), edges.begin(b) + 2);
    });
    for (int64_t state = 0; state < states; ++state) edge_starts_[state + 1] += edge_starts_[state];
    for (const int64_t edge : sorted) {
      edge_parts_.push_back(edges.begin(edge)[1]);
      edge_states_.push_back(static_cast<int32_t>(roots + edge));
    }
  }

  const FragmentTable *table_ = nullptr;
  std::vector<int32_t> ends_, unexpanded_, edge_parts_, edge_states_;
  std::vector<int64_t> edge_starts_;
};

}  // namespace kakari
