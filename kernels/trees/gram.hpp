// Kernel values of many pairs of trees, in two ways that give the same bits.
//
// `PairKernel`: two trees at a time. Both node lists are sorted by production; one merge finds for each node
// of a the run of nodes of b that match it, then Δ is filled for a bottom-up into a dense table of |a| × |b|.
// `Columns`: one tree against many. The many are a store of distinct subtrees (see subtrees.hpp); for a row x
// the sum over x's nodes of Δ is taken once for each distinct subtree, and each column adds up those of its
// nodes. Both add, for every node of b in postorder, the sum over the nodes of a in postorder: the bits do
// not depend on how productions happen to be numbered.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/hardware/threads.hpp"
#include "kernels/trees/deltas.hpp"
#include "kernels/trees/subtrees.hpp"
#include "kernels/trees/trees.hpp"

namespace kakari {

class Columns {
 public:
  explicit Columns(const KernelOptions &options) : options_(options), store_(options.fragments), starts_(1, 0) {}

  int64_t size() const { return static_cast<int64_t>(starts_.size()) - 1; }
  int64_t subtree_count() const { return store_.size(); }

  void add(const Tree &tree) {
    store_.insert(tree, numbers_);
    for (int64_t i = 0; i < tree.size; ++i)
      if (numbers_[i] >= 0) nodes_.push_back(numbers_[i]);
    starts_.push_back(static_cast<int64_t>(nodes_.size()));
  }

  void clear() {
    store_.clear();
    starts_.resize(1);
    nodes_.clear();
  }

  struct Scratch {
    CompareScratch compare;
    std::vector<double> sums;     // of each distinct subtree, over the nodes of x; zero between rows
    std::vector<int32_t> groups;  // touched
    std::vector<int32_t> singles;
  };

  // row[j] = K(x, column j) for the columns from `first` on.
  void row(const Tree &x, Scratch &scratch, double *row, int64_t first = 0) const {
    if (static_cast<int64_t>(scratch.sums.size()) < store_.size()) scratch.sums.resize(store_.size(), 0.0);
    Collector collector{store_, scratch};
    store_.compare(x, options_, scratch.compare, collector);
    const double *sums = scratch.sums.data();
    const int32_t *node = nodes_.data() + starts_[first];
    for (int64_t column = first; column < size(); ++column) {
      double total = 0.0;
      const int32_t *end = nodes_.data() + starts_[column + 1];
      for (; node != end; ++node) total += sums[*node];
      row[column - first] = total;
    }
    for (const int32_t group : scratch.groups)
      for (const int32_t subtree : store_.members(group)) scratch.sums[subtree] = 0.0;
    for (const int32_t subtree : scratch.singles) scratch.sums[subtree] = 0.0;
    scratch.groups.clear();
    scratch.singles.clear();
  }

 private:
  struct Collector {
    const SubtreeStore &store;
    Scratch &scratch;
    void whole(int32_t group, const double *deltas, int64_t count) {
      const int32_t *members = store.members(group).data();
      for (int64_t i = 0; i < count; ++i) scratch.sums[members[i]] += deltas[i];
      scratch.groups.push_back(group);
    }
    void one(int32_t subtree, double delta) {
      scratch.sums[subtree] += delta;
      scratch.singles.push_back(subtree);
    }
  };

  KernelOptions options_;
  SubtreeStore store_;
  std::vector<int64_t> starts_;
  std::vector<int32_t> nodes_, numbers_;
};

class PairKernel {
 public:
  explicit PairKernel(const KernelOptions &options) : options_(options), one_column_(options) {
    sequences_.start(options.decay, options.longest);
  }

  double operator()(const Tree &a, const Tree &b) {
    if (a.size * b.size > LARGEST_TABLE) return by_column(a, b);
    if (static_cast<int64_t>(table_.size()) < a.size * b.size) table_.resize(a.size * b.size);
    sums_.assign(b.size, 0.0);
    if (options_.fragments == Fragments::PARTIAL)
      compare_partial(a, b);
    else
      compare_productions(a, b);
    double total = 0.0;
    for (int64_t i = 0; i < b.size; ++i) total += sums_[i];
    return total;
  }

 private:
  static constexpr int64_t LARGEST_TABLE = int64_t{1} << 20;

  struct Run {
    int32_t begin = 0, end = 0;
  };

  double by_column(const Tree &a, const Tree &b) {
    double value = 0.0;
    one_column_.clear();
    one_column_.add(b);
    one_column_.row(a, scratch_, &value);
    return value;
  }

  void compare_productions(const Tree &a, const Tree &b) {
    merge(a, b, a.productions, b.productions, 0, a.inner, 0, b.inner);
    const bool complete = options_.fragments == Fragments::COMPLETE;
    for (int64_t node = 0; node < a.size; ++node) {
      if (a.productions[node] < 0) continue;
      double *row = table_.data() + node * b.size;
      for (int64_t place = runs_[node].begin; place < runs_[node].end; ++place) {
        const int32_t other = b.order[place];
        row[other] = complete ? complete_delta(a, node, b, other) : subset_delta(a, node, b, other);
        sums_[other] += row[other];
      }
    }
    if (!options_.with_leaves()) return;
    merge(a, b, a.labels, b.labels, a.inner, a.size, b.inner, b.size);
    for (int64_t node = 0; node < a.size; ++node)
      if (a.productions[node] < 0)
        for (int64_t place = runs_[node].begin; place < runs_[node].end; ++place)
          sums_[b.order[place]] += options_.decay;
  }

  // For each node of a's sorted stretch, the run of b's sorted stretch with the same key.
  void merge(const Tree &a, const Tree &b, const int32_t *keys_a, const int32_t *keys_b, int64_t i, int64_t end_a,
             int64_t j, int64_t end_b) {
    if (static_cast<int64_t>(runs_.size()) < a.size) runs_.resize(a.size);
    while (i < end_a) {
      const int32_t key = keys_a[a.order[i]];
      while (j < end_b && keys_b[b.order[j]] < key) ++j;
      int64_t end = j;
      while (end < end_b && keys_b[b.order[end]] == key) ++end;
      for (; i < end_a && keys_a[a.order[i]] == key; ++i)
        runs_[a.order[i]] = {static_cast<int32_t>(j), static_cast<int32_t>(end)};
      j = end;
    }
  }

  double subset_delta(const Tree &a, int64_t node, const Tree &b, int64_t other) const {
    const int32_t *ours = a.children_of(node), *theirs = b.children_of(other);
    const double not_expanded = options_.not_expanded();
    double delta = options_.decay;
    for (int32_t i = 0; i < a.arities[node]; ++i) {
      const int32_t production = a.productions[ours[i]];
      if (production >= 0 && production == b.productions[theirs[i]])
        delta *= not_expanded + table_[ours[i] * b.size + theirs[i]];
    }
    return delta;
  }

  double complete_delta(const Tree &a, int64_t node, const Tree &b, int64_t other) const {
    const int32_t *ours = a.children_of(node), *theirs = b.children_of(other);
    double delta = options_.decay;
    for (int32_t i = 0; i < a.arities[node]; ++i) {
      const int32_t production = a.productions[ours[i]];
      if (production != b.productions[theirs[i]]) return 0.0;
      if (production >= 0) delta *= table_[ours[i] * b.size + theirs[i]];
    }
    return delta;
  }

  void compare_partial(const Tree &a, const Tree &b) {
    const double alone = options_.leaf_pair();
    for (int64_t node = 0; node < a.size; ++node)
      for (int64_t other = 0; other < b.size; ++other) {
        double delta = 0.0;
        if (a.labels[node] == b.labels[other])
          delta = a.arities[node] == 0 || b.arities[other] == 0 ? alone : partial_delta(a, node, b, other);
        table_[node * b.size + other] = delta;
      }
    for (int64_t node = 0; node < a.size; ++node)
      for (int64_t other = 0; other < b.size; ++other) sums_[other] += table_[node * b.size + other];
  }

  double partial_delta(const Tree &a, int64_t node, const Tree &b, int64_t other) {
    const int32_t *ours = a.children_of(node), *theirs = b.children_of(other);
    const double *table = table_.data();
    const int64_t width = b.size;
    const double below = sequences_.sum(a.arities[node], b.arities[other],
                                        [=](int64_t i, int64_t j) { return table[ours[i] * width + theirs[j]]; });
    return options_.mu * (options_.decay * options_.decay + below);
  }

  KernelOptions options_;
  Columns one_column_;
  Columns::Scratch scratch_;
  ChildSequences sequences_;
  std::vector<double> table_, sums_;
  std::vector<Run> runs_;
};

struct PairScratch {
  std::vector<PairKernel> kernel;  // made by the thread that uses it
  PairKernel &get(const KernelOptions &options) {
    if (kernel.empty()) kernel.emplace_back(options);
    return kernel.front();
  }
};

// values[t] = K(tree t, tree t).
inline void self_kernels(const ForestArrays &forest, const KernelOptions &options, int64_t threads, double *values) {
  for_each_item<PairScratch>(forest.tree_count, threads, [&](int64_t number, PairScratch &scratch) {
    const Tree tree = forest.tree(number);
    values[number] = scratch.get(options)(tree, tree);
  });
}

// values[i, j] = K(tree i of a, tree j of b) · scale_a[i] · scale_b[j]; of a symmetric block only j ≥ i.
struct Block {
  ForestArrays a, b;
  const double *scale_a = nullptr, *scale_b = nullptr;
  bool symmetric = false;
  int64_t skipped = 0;  // columns before those of b, if they are stored
  double *values = nullptr;

  int64_t first(int64_t i) const { return symmetric ? i : 0; }
  double *row(int64_t i) const { return values + i * b.tree_count; }

  void scale_row(int64_t i) const {
    for (int64_t j = first(i); j < b.tree_count; ++j) row(i)[j] *= scale_a[i] * scale_b[j];
  }

  void mirror() const {
    for (int64_t i = 0; symmetric && i < a.tree_count; ++i)
      for (int64_t j = 0; j < i; ++j) row(i)[j] = row(j)[i];
  }
};

// Both work out the rows from `begin` to `end`; a symmetric block is mirrored once all of its rows are there.
inline void gram_by_pairs(const Block &block, const KernelOptions &options, int64_t begin, int64_t end,
                          int64_t threads) {
  for_each_item<PairScratch>(end - begin, threads, [&](int64_t item, PairScratch &scratch) {
    PairKernel &kernel = scratch.get(options);
    const int64_t i = begin + item;
    const Tree row = block.a.tree(i);
    for (int64_t j = block.first(i); j < block.b.tree_count; ++j) block.row(i)[j] = kernel(row, block.b.tree(j));
    block.scale_row(i);
  });
}

// The columns hold the trees of block.b.
inline void gram_by_columns(const Block &block, const Columns &columns, int64_t begin, int64_t end, int64_t threads) {
  for_each_item<Columns::Scratch>(end - begin, threads, [&](int64_t item, Columns::Scratch &scratch) {
    const int64_t i = begin + item;
    columns.row(block.a.tree(i), scratch, block.row(i) + block.first(i), block.skipped + block.first(i));
    block.scale_row(i);
  });
}

}  // namespace kakari
