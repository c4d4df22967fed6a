// Trees as sparse vectors of fragments: those of a dictionary, or all up to a depth, hashed.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/fragments/matching.hpp"
#include "kernels/hardware/mixing.hpp"
#include "kernels/hardware/threads.hpp"
#include "kernels/trees/trees.hpp"

namespace kakari {

// One row a tree: columns in rising order, each once.
struct SparseRows {
  std::vector<std::vector<std::pair<int32_t, double>>> rows;

  int64_t entries() const {
    int64_t count = 0;
    for (const auto &row : rows) count += static_cast<int64_t>(row.size());
    return count;
  }

  void write(int64_t *offsets, int32_t *columns, double *values) const {
    int64_t at = 0;
    offsets[0] = 0;
    for (size_t i = 0; i < rows.size(); ++i) {
      for (const auto &entry : rows[i]) {
        columns[at] = entry.first;
        values[at++] = entry.second;
      }
      offsets[i + 1] = at;
    }
  }
};

// `column_of` a fragment is -1 where it is only part of others; `decays` are λ^(l/2) by column.
inline void dictionary_rows(const FragmentMatcher &matcher, const int32_t *column_of, const double *decays,
                            const ForestArrays &forest, const double *scales, int64_t threads, SparseRows &out) {
  out.rows.resize(forest.tree_count);
  for_each_item<MatchScratch>(forest.tree_count, threads, [&](int64_t i, MatchScratch &scratch) {
    std::vector<int32_t> &columns = scratch.columns;
    columns.clear();
    matcher.match(forest.tree(i), scratch, [&](int32_t fragment) {
      if (column_of[fragment] >= 0) columns.push_back(column_of[fragment]);
    });
    std::sort(columns.begin(), columns.end());
    for (size_t begin = 0, end; begin < columns.size(); begin = end) {
      end = begin;
      while (end < columns.size() && columns[end] == columns[begin]) ++end;
      const double count = static_cast<double>(end - begin);
      out.rows[i].emplace_back(columns[begin], count * decays[columns[begin]] * scales[i]);
    }
  });
}

// values[i] = Σ over the fragments in tree i of weight_of(fragment), times the tree's scale.
inline void dictionary_margins(const FragmentMatcher &matcher, const double *weight_of, const ForestArrays &forest,
                               const double *scales, int64_t threads, double *values) {
  for_each_item<MatchScratch>(forest.tree_count, threads, [&](int64_t i, MatchScratch &scratch) {
    double sum = 0;
    matcher.match(forest.tree(i), scratch, [&](int32_t fragment) { sum += weight_of[fragment]; });
    values[i] = sum * scales[i];
  });
}

struct EnumerationOptions {
  int64_t depth = 3;        // levels of productions
  int64_t longest = 10000;  // fragments of a node
  int bits = 20;            // 2^bits columns
  double decay = 0.4;
};

// Fragments known only by their hash, with the number of nodes that they expand.
class FragmentEnumerator {
 public:
  void enumerate(const Tree &tree, const EnumerationOptions &options, std::vector<std::pair<int32_t, double>> &row) {
    options_ = options;
    lists_.assign(tree.size * options.depth, {});
    for (int64_t node = 0; node < tree.size; ++node) {
      if (tree.arities[node] == 0) continue;
      for (int64_t depth = 0; depth < options.depth; ++depth) fill(tree, node, depth);
      for (const Hashed &one : lists_[(node + 1) * options.depth - 1]) {
        const int32_t column = static_cast<int32_t>(splitmix64(one.hash) >> (64 - options.bits));
        row.emplace_back(column, std::pow(options.decay, 0.5 * one.expanded));
      }
    }
    merge(row);
  }

 private:
  struct Hashed {
    uint64_t hash;
    int32_t expanded;
  };

  static uint64_t joined(uint64_t hash, uint64_t more) { return splitmix64(hash * 0x9E3779B97F4A7C15u + more + 1); }

  // All fragments of a node with at most depth + 1 levels: each child is a leaf, or expanded by one of its own.
  void fill(const Tree &tree, int64_t node, int64_t depth) {
    const int32_t *children = tree.children_of(node);
    uint64_t production = joined(0, static_cast<uint32_t>(tree.labels[node]));
    for (int32_t i = 0; i < tree.arities[node]; ++i)
      production = joined(production, static_cast<uint32_t>(tree.labels[children[i]]));
    std::vector<Hashed> &made = lists_[node * options_.depth + depth];
    made.assign(1, {production, 1});
    for (int32_t i = 0; i < tree.arities[node]; ++i) {
      const std::vector<Hashed> *below =
          depth == 0 || tree.arities[children[i]] == 0 ? nullptr : &lists_[children[i] * options_.depth + depth - 1];
      const size_t before = made.size();
      for (size_t j = 0; j < before; ++j) {
        if (below != nullptr)
          for (const Hashed &part : *below) {
            if (static_cast<int64_t>(made.size()) >= options_.longest) break;
            made.push_back({joined(made[j].hash, part.hash), made[j].expanded + part.expanded});
          }
        made[j].hash = joined(made[j].hash, 0);
      }
    }
  }

  static void merge(std::vector<std::pair<int32_t, double>> &row) {
    std::sort(row.begin(), row.end());
    size_t kept = 0;
    for (size_t i = 0; i < row.size(); ++i) {
      if (kept > 0 && row[kept - 1].first == row[i].first)
        row[kept - 1].second += row[i].second;
      else
        row[kept++] = row[i];
    }
    row.resize(kept);
  }

  EnumerationOptions options_;
  std::vector<std::vector<Hashed>> lists_;
};

inline void enumerated_rows(const ForestArrays &forest, const EnumerationOptions &options, int64_t threads,
                            SparseRows &out) {
  out.rows.resize(forest.tree_count);
  for_each_item<FragmentEnumerator>(forest.tree_count, threads, [&](int64_t i, FragmentEnumerator &enumerator) {
    enumerator.enumerate(forest.tree(i), options, out.rows[i]);
  });
}

}  // namespace kakari
