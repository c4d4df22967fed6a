// Trees in flat arrays, and what is computed once when a forest is made.
//
// A tree is its nodes in postorder (children before parents, the root last) with label and number of
// children; that says everything. Derived from it in O(nodes) plus one sort a tree: where each node's
// children stand (contiguous), each node's production (-1 for a leaf), and the order in which kernels merge
// two trees: inner nodes by production, then leaves by label.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/trees/sequences.hpp"

namespace kakari {

struct Tree {
  int64_t size = 0;   // nodes
  int64_t inner = 0;  // of these, with children
  const int32_t *labels = nullptr;
  const int32_t *arities = nullptr;
  const int32_t *productions = nullptr;
  const int32_t *first_child = nullptr;  // where a node's children begin in `children`
  const int32_t *children = nullptr;
  const int32_t *order = nullptr;

  const int32_t *children_of(int64_t node) const { return children + first_child[node]; }
};

struct ForestArrays {
  int64_t tree_count = 0;
  const int64_t *tree_starts = nullptr;
  const int32_t *inner_counts = nullptr;
  const int32_t *labels = nullptr;
  const int32_t *arities = nullptr;
  const int32_t *productions = nullptr;
  const int32_t *first_child = nullptr;
  const int32_t *children = nullptr;
  const int32_t *order = nullptr;

  Tree tree(int64_t number) const {
    const int64_t start = tree_starts[number];
    return {tree_starts[number + 1] - start,
            inner_counts[number],
            labels + start,
            arities + start,
            productions + start,
            first_child + start,
            children + start,
            order + start};
  }
};

// A node's label and those of its children, end to end.
inline void write_production(const Tree &tree, int64_t node, std::vector<int32_t> &production) {
  const int32_t *children = tree.children_of(node);
  production.clear();
  production.push_back(tree.labels[node]);
  for (int32_t i = 0; i < tree.arities[node]; ++i) production.push_back(tree.labels[children[i]]);
}

// Fills first_child and children of one tree; false if labels and arities are no tree in postorder.
inline bool link_children(int64_t size, const int32_t *arities, int32_t *first_child, int32_t *children,
                          std::vector<int32_t> &waiting) {
  int64_t written = 0;
  waiting.clear();
  for (int64_t node = 0; node < size; ++node) {
    const int64_t arity = arities[node];
    if (arity < 0 || arity > static_cast<int64_t>(waiting.size())) return false;
    first_child[node] = static_cast<int32_t>(written);
    std::copy(waiting.end() - arity, waiting.end(), children + written);
    written += arity;
    waiting.resize(waiting.size() - arity);
    waiting.push_back(static_cast<int32_t>(node));
  }
  if (size == 0) return true;
  children[written] = static_cast<int32_t>(size - 1);  // the root is nobody's child: fills the last place
  return waiting.size() == 1;
}

// Sorts inner nodes by production and leaves by label, equals by their place in the tree.
inline int32_t sort_nodes(int64_t size, const int32_t *labels, const int32_t *productions, int32_t *order,
                          std::vector<uint64_t> &keys) {
  keys.clear();
  for (int64_t node = 0; node < size; ++node)
    if (productions[node] >= 0) keys.push_back(static_cast<uint64_t>(productions[node]) << 32 | node);
  const int64_t inner = static_cast<int64_t>(keys.size());
  for (int64_t node = 0; node < size; ++node)
    if (productions[node] < 0) keys.push_back(static_cast<uint64_t>(labels[node]) << 32 | node);
  std::sort(keys.begin(), keys.begin() + inner);
  std::sort(keys.begin() + inner, keys.end());
  for (int64_t i = 0; i < size; ++i) order[i] = static_cast<int32_t>(keys[i] & 0xFFFFFFFFu);
  return static_cast<int32_t>(inner);
}

// Derives everything from labels and arities. Returns the first tree that is invalid, or -1.
inline int64_t derive(int64_t tree_count, const int64_t *tree_starts, const int32_t *labels, const int32_t *arities,
                      int32_t *inner_counts, int32_t *productions, int32_t *first_child, int32_t *children,
                      int32_t *order, SequenceTable &table) {
  std::vector<int32_t> scratch;
  std::vector<uint64_t> keys;
  for (int64_t number = 0; number < tree_count; ++number) {
    const int64_t start = tree_starts[number], size = tree_starts[number + 1] - start;
    if (size > INT32_MAX) return number;
    if (!link_children(size, arities + start, first_child + start, children + start, scratch)) return number;
    const Tree tree{size, 0, labels + start, arities + start, nullptr, first_child + start, children + start, nullptr};
    for (int64_t node = 0; node < size; ++node) {
      productions[start + node] = -1;
      if (arities[start + node] == 0) continue;
      write_production(tree, node, scratch);
      productions[start + node] = table.find_or_add(scratch.data(), static_cast<int64_t>(scratch.size()));
    }
    inner_counts[number] = sort_nodes(size, labels + start, productions + start, order + start, keys);
  }
  return -1;
}

}  // namespace kakari
