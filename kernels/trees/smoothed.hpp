// The smoothed partial tree kernel (Croce, Moschitti and Basili 2011), in KeLP's form: nodes need not have the same
// label, only similar ones.
//
//   Δ(a, b) = σ μ (λ² + Σ over child subsequences), or σ μ λ² τ if one of the two is a leaf, where σ is the similarity
//   of the two labels; 0 if the labels are not similar.
//
// Similarities come as sparse rows over labels: for each label of one side, those of the other side that are similar,
// in ascending order. The trees of one side are held as distinct subtrees, in groups with one root label. A row x is
// compared bottom-up: each node of x gets an array of Δ for each group whose label is similar to its own. Members that
// share no similar child with it have the Δ of a lone pair; posting lists (group, label of a child) name the others.
// Arrays of children are dropped when their parent is done. Two labels that are the same and similar to nothing
// else give the partial tree kernel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/hardware/threads.hpp"
#include "kernels/trees/deltas.hpp"
#include "kernels/trees/gram.hpp"
#include "kernels/trees/sequences.hpp"
#include "kernels/trees/trees.hpp"

namespace kakari {

// Labels of one side are rows, those of the other side columns.
struct SimilarLabels {
  const int64_t *starts = nullptr;
  const int32_t *columns = nullptr;
  const double *values = nullptr;
};

class SmoothedColumns {
 public:
  // Labels of added trees are below `labels`.
  explicit SmoothedColumns(const KernelOptions &options, int64_t labels)
      : options_(options), starts_(1, 0), members_(labels), leaf_(labels, -1) {}

  int64_t size() const { return static_cast<int64_t>(starts_.size()) - 1; }

  void add(const Tree &tree) {
    numbers_.assign(tree.size, -1);
    for (int64_t node = 0; node < tree.size; ++node) {
      key_.assign(1, tree.labels[node]);
      const int32_t *children = tree.children_of(node);
      for (int32_t i = 0; i < tree.arities[node]; ++i) key_.push_back(numbers_[children[i]]);
      numbers_[node] = add_subtree();
      nodes_.push_back(numbers_[node]);
    }
    starts_.push_back(static_cast<int64_t>(nodes_.size()));
  }

  // Costs no more than what was added.
  void clear() {
    for (const int32_t label : used_) {
      members_[label].clear();
      leaf_[label] = -1;
    }
    used_.clear();
    subtrees_.clear();
    posting_keys_.clear();
    postings_.clear();
    places_.clear();
    nodes_.clear();
    starts_.resize(1);
  }

  struct Scratch {
    struct Entry {
      int32_t label;  // of a group
      int64_t start;  // of its array of Δ
    };
    struct Node {
      int64_t entries, values;  // where its own begin
    };
    std::vector<Entry> entries;
    std::vector<double> values;
    std::vector<Node> open;
    std::vector<int64_t> done;
    int64_t visits = 0;
    std::vector<double> sums;  // of each distinct subtree, over the nodes of x; zero between rows
    std::vector<int32_t> touched;
    ChildSequences sequences;
  };

  // row[j] = K(x, column j) for the columns from `first` on.
  void row(const Tree &x, const SimilarLabels &similar, Scratch &scratch, double *row, int64_t first = 0) const {
    if (static_cast<int64_t>(scratch.sums.size()) < subtrees_.size()) scratch.sums.resize(subtrees_.size(), 0.0);
    scratch.entries.clear();
    scratch.values.clear();
    scratch.open.clear();
    scratch.touched.clear();
    scratch.sequences.start(options_.decay, options_.longest);
    for (int64_t node = 0; node < x.size; ++node) compare(x, node, similar, scratch);
    for (int64_t column = first; column < size(); ++column) {
      double total = 0.0;
      for (int64_t i = starts_[column]; i < starts_[column + 1]; ++i) total += scratch.sums[nodes_[i]];
      row[column - first] = total;
    }
    for (const int32_t label : scratch.touched)
      for (const int32_t subtree : members_[label]) scratch.sums[subtree] = 0.0;
  }

 private:
  struct Position {
    int32_t label, member;
  };

  int32_t add_subtree() {
    const int64_t before = subtrees_.size();
    const int32_t number = subtrees_.find_or_add(key_.data(), static_cast<int64_t>(key_.size()));
    if (number < before) return number;
    const int32_t label = key_[0], member = static_cast<int32_t>(members_[label].size());
    if (member == 0) used_.push_back(label);
    places_.push_back({label, member});
    members_[label].push_back(number);
    if (key_.size() == 1) leaf_[label] = member;
    for (size_t slot = 1; slot < key_.size(); ++slot) {
      const int32_t pair[2] = {label, places_[key_[slot]].label};
      const int32_t list = posting_keys_.find_or_add(pair, 2);
      if (list == static_cast<int64_t>(postings_.size())) postings_.emplace_back();
      if (postings_[list].empty() || postings_[list].back() != member) postings_[list].push_back(member);
    }
    return number;
  }

  void compare(const Tree &x, int64_t node, const SimilarLabels &similar, Scratch &scratch) const {
    const int64_t arity = x.arities[node];
    const int64_t entries = static_cast<int64_t>(scratch.entries.size());
    const int64_t values = static_cast<int64_t>(scratch.values.size());
    const int64_t first_child = static_cast<int64_t>(scratch.open.size()) - arity;
    for (int64_t i = similar.starts[x.labels[node]]; i < similar.starts[x.labels[node] + 1]; ++i) {
      const int32_t label = similar.columns[i];
      const int64_t count = static_cast<int64_t>(members_[label].size());
      if (count == 0) continue;
      const int64_t start = static_cast<int64_t>(scratch.values.size());
      scratch.values.resize(start + count);
      fill(label, similar.values[i], arity, first_child, entries, scratch, start);
      for (int64_t member = 0; member < count; ++member)
        scratch.sums[members_[label][member]] += scratch.values[start + member];
      scratch.touched.push_back(label);
      scratch.entries.push_back({label, start});
    }
    // The node's own arrays take the place of its children's.
    const Scratch::Node begin = arity == 0 ? Scratch::Node{entries, values} : scratch.open[first_child];
    const int64_t dropped = values - begin.values;
    std::copy(scratch.values.begin() + values, scratch.values.end(), scratch.values.begin() + begin.values);
    scratch.values.resize(scratch.values.size() - dropped);
    for (size_t i = entries; i < scratch.entries.size(); ++i) scratch.entries[i].start -= dropped;
    std::copy(scratch.entries.begin() + entries, scratch.entries.end(), scratch.entries.begin() + begin.entries);
    scratch.entries.resize(scratch.entries.size() - (entries - begin.entries));
    scratch.open.resize(first_child);
    scratch.open.push_back(begin);
  }

  // Δ of a node of x with each member of a group, from `start` on; entries before `own` are those of the children.
  void fill(int32_t label, double similarity, int64_t arity, int64_t first_child, int64_t own, Scratch &scratch,
            int64_t start) const {
    const std::vector<int32_t> &members = members_[label];
    const double alone = similarity * (arity == 0 ? options_.leaf_pair() : options_.lone_pair());
    std::fill(scratch.values.begin() + start, scratch.values.end(), alone);
    if (arity == 0) return;
    if (leaf_[label] >= 0) scratch.values[start + leaf_[label]] = similarity * options_.leaf_pair();
    if (scratch.done.size() < members.size()) scratch.done.resize(members.size(), 0);
    const int64_t visit = ++scratch.visits;
    for (int64_t entry = scratch.open[first_child].entries; entry < own; ++entry) {
      const int32_t pair[2] = {label, scratch.entries[entry].label};
      const int32_t list = posting_keys_.find(pair, 2);
      if (list < 0) continue;
      for (const int32_t member : postings_[list]) {
        if (scratch.done[member] == visit) continue;
        scratch.done[member] = visit;
        const double below = children_sum(members[member], arity, first_child, own, scratch);
        scratch.values[start + member] = similarity * options_.mu * (options_.decay * options_.decay + below);
      }
    }
  }

  double children_sum(int32_t subtree, int64_t arity, int64_t first_child, int64_t own, Scratch &scratch) const {
    const int32_t *theirs = subtrees_.begin(subtree) + 1;
    const Scratch &read = scratch;
    return scratch.sequences.sum(arity, subtrees_.length(subtree) - 1, [&](int64_t i, int64_t j) {
      const int64_t child = first_child + i;
      const int64_t end = i + 1 < arity ? read.open[child + 1].entries : own;
      return found(read, read.open[child].entries, end, places_[theirs[j]]);
    });
  }

  // Δ of a child of x, whose entries these are, with a subtree; 0 if their labels are not similar.
  static double found(const Scratch &scratch, int64_t begin, int64_t end, Position subtree) {
    const auto first = scratch.entries.begin() + begin, last = scratch.entries.begin() + end;
    const auto entry = std::lower_bound(first, last, subtree.label,
                                        [](const Scratch::Entry &one, int32_t label) { return one.label < label; });
    return entry == last || entry->label != subtree.label ? 0.0 : scratch.values[entry->start + subtree.member];
  }

  KernelOptions options_;
  SequenceTable subtrees_;      // a subtree is its label, then the numbers of its children
  SequenceTable posting_keys_;  // (label, label of a child)
  std::vector<std::vector<int32_t>> postings_;
  std::vector<Position> places_;  // of each subtree
  std::vector<int64_t> starts_;
  std::vector<int32_t> nodes_;                 // of each column, the subtrees of its nodes
  std::vector<std::vector<int32_t>> members_;  // of each label, its subtrees
  std::vector<int32_t> leaf_;                  // of each label, which member is a leaf; -1 if none is
  std::vector<int32_t> used_, numbers_, key_;
};

struct SmoothedSelf {
  std::vector<SmoothedColumns> columns;  // made by the thread that uses it
  SmoothedColumns::Scratch scratch;
};

// values[t] = K(tree t, tree t).
inline void smoothed_self_kernels(const ForestArrays &forest, const KernelOptions &options,
                                  const SimilarLabels &similar, int64_t labels, int64_t threads, double *values) {
  for_each_item<SmoothedSelf>(forest.tree_count, threads, [&](int64_t number, SmoothedSelf &own) {
    if (own.columns.empty()) own.columns.emplace_back(options, labels);
    own.columns.front().clear();
    own.columns.front().add(forest.tree(number));
    own.columns.front().row(forest.tree(number), similar, own.scratch, values + number);
  });
}

// Rows `begin` to `end` of the block; the columns hold the trees of block.b.
inline void smoothed_rows(const Block &block, const SmoothedColumns &columns, const SimilarLabels &similar,
                          int64_t begin, int64_t end, int64_t threads) {
  for_each_item<SmoothedColumns::Scratch>(end - begin, threads, [&](int64_t item, SmoothedColumns::Scratch &scratch) {
    const int64_t i = begin + item;
    columns.row(block.a.tree(i), similar, scratch, block.row(i) + block.first(i), block.first(i));
    block.scale_row(i);
  });
}

}  // namespace kakari
