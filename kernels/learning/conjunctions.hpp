// Explicit weights of conjunctions: what the polynomial kernel sums implicitly, written out.
//
// With W(u) = the sum of the coefficients of all support vectors that contain the conjunction u,
//     sum_i alpha_i (1 + |s_i & x|)^d  =  sum over u in x, |u| <= d, of subset_weight(d, |u|) * W(u).
// Features are numbered by rank (0 is the most frequent) and a set is an increasing array of ranks.
// Only conjunctions of the `common` first ranks are kept, in two places by their rarest feature:
//   * below `dense`: simplex arrays, one an order, indexed directly. {a < b < c} lies at
//     choose(c,3) + choose(b,2) + a, so one row holds all a for a given (b, c), the conjunctions of the most
//     frequent features lie together, and forgetting the rarer half is cutting the arrays short;
//   * above: a trie walked from the rarest feature down, so that what never occurred ends the walk early.
// Both reading and updating cost one access for each conjunction of x.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "kernels/hardware/huge_pages.hpp"
#include "kernels/hardware/mixing.hpp"
#include "kernels/sets/binomials.hpp"

namespace kakari {

// How often a conjunction of `order` features counts in (1 + n)^degree: the number of maps of the degree's
// factors onto the conjunction and the constant 1 that reach each of its features.
constexpr double subset_weight(int degree, int order) {
  constexpr double table[5][5] = {
      {1, 0, 0, 0, 0}, {1, 1, 0, 0, 0}, {1, 3, 2, 0, 0}, {1, 7, 12, 6, 0}, {1, 15, 50, 60, 24}};
  return table[degree][order];
}

// How many features may have dense weights: 22 MB of them (256 features at d=3; three times that for many classes), and not
// much more than the `occurrences` of features in the data, so that small problems stay small.
inline int32_t dense_features(int degree, int64_t features, int64_t occurrences, int64_t classes = 1) {
  const int64_t most = 2'763'520 * std::min<int64_t>(classes, 3) / classes;
  const int64_t cells = std::min<int64_t>(most, std::max<int64_t>(4096, 2 * occurrences));
  int32_t dense = 0;
  while (dense < features && choose(dense + 1, degree) <= cells) ++dense;
  return dense;
}

// The conjunctions of exactly `order` of the ranks, summed or changed. The innermost two loops are one over a list
// of places where the set is not too long: many short loops cost more in mispredicted ends than in reading.
constexpr int LONGEST_LISTED = 64;

struct PairPlaces {
  int32_t places[LONGEST_LISTED * (LONGEST_LISTED - 1) / 2];
  int count = 0;

  // Add the pairs of the feature at `last` with those before it.
  void append(const int32_t *ranks, int last) {
    const int32_t row = static_cast<int32_t>(choose<2>(ranks[last]));
    for (int i = 0; i < last; ++i) places[count + i] = row + ranks[i];
    count += last;
  }
};

template <class Place>
inline double gathered_sum(const double *weights, const Place *places, int count) {
  double sums[4] = {};
  int i = 0;
  for (; i + 4 <= count; i += 4)
    for (int lane = 0; lane < 4; ++lane) sums[lane] += weights[places[i + lane]];
  for (; i < count; ++i) sums[0] += weights[places[i]];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

template <int order>
inline double simplex_sum(const double *weights, const int32_t *ranks, int count) {
  if constexpr (order == 1) return gathered_sum(weights, ranks, count);
  double sum = 0;
  if (order == 3 && count <= LONGEST_LISTED) {
    PairPlaces pairs;
    for (int i = 0; i < count; ++i) {
      sum += gathered_sum(weights + choose<order>(ranks[i]), pairs.places, pairs.count);
      pairs.append(ranks, i);
    }
  } else if constexpr (order > 1) {
    for (int i = order - 1; i < count; ++i) sum += simplex_sum<order - 1>(weights + choose<order>(ranks[i]), ranks, i);
  }
  return sum;
}

template <int order>
inline void simplex_add(double *weights, const int32_t *ranks, int count, double amount) {
  if constexpr (order == 1) {
    for (int i = 0; i < count; ++i) weights[ranks[i]] += amount;
  } else if (order == 3 && count <= LONGEST_LISTED) {
    PairPlaces pairs;
    for (int i = 0; i < count; ++i) {
      double *row = weights + choose<order>(ranks[i]);
      for (int j = 0; j < pairs.count; ++j) row[pairs.places[j]] += amount;
      pairs.append(ranks, i);
    }
  } else {
    for (int i = order - 1; i < count; ++i) simplex_add<order - 1>(weights + choose<order>(ranks[i]), ranks, i, amount);
  }
}

// A trie in one open-addressed table: (parent node, rank) -> node, and a weight for each node. Node 0 is the
// root; a path goes from the rarest feature of a conjunction to its most frequent one.
class ConjunctionTrie {
 public:
  ConjunctionTrie() { clear(); }

  void clear() {
    keys_.assign(16, EMPTY);
    nodes_.assign(16, 0);
    weights_.assign(1, 0.0);
    keys_.shrink_to_fit();
    nodes_.shrink_to_fit();
    weights_.shrink_to_fit();
  }

  double weight(int32_t node) const { return weights_[node]; }
  bool empty() const { return weights_.size() == 1; }

  // The node below `parent`, 0 where there is none.
  int32_t child(int32_t parent, int32_t rank) const { return nodes_[slot(keys_, key(parent, rank))]; }

  int32_t grown_child(int32_t parent, int32_t rank) {
    const uint64_t wanted = key(parent, rank);
    size_t place = slot(keys_, wanted);
    if (keys_[place] == wanted) return nodes_[place];
    if (weights_.size() == INT32_MAX) throw std::length_error("more than 2^31 - 2 explicit conjunctions");
    if (weights_.size() * 8 >= keys_.size() * 5) {
      rehash(keys_.size() * 2);
      place = slot(keys_, wanted);
    }
    const int32_t node = static_cast<int32_t>(weights_.size());
    weights_.push_back(0.0);
    keys_[place] = wanted;
    nodes_[place] = node;
    return node;
  }

  void add(int32_t node, double amount) { weights_[node] += amount; }

  int64_t bytes() const {
    return keys_.capacity() * sizeof(uint64_t) + nodes_.capacity() * sizeof(int32_t) +
           weights_.capacity() * sizeof(double);
  }

  // Keep only the conjunctions whose rarest feature is below `limit`, under new node numbers.
  void prune(int32_t limit) {
    std::vector<std::pair<uint64_t, int32_t>> edges;  // (key, node), parents before children
    for (size_t i = 0; i < keys_.size(); ++i)
      if (keys_[i] != EMPTY) edges.emplace_back(keys_[i], nodes_[i]);
    std::sort(edges.begin(), edges.end(), [](auto &a, auto &b) { return a.second < b.second; });
    std::vector<int32_t> renamed(weights_.size(), 0);
    ConjunctionTrie kept;
    for (auto &[edge, node] : edges) {
      const int32_t parent = static_cast<int32_t>(edge >> 32), rank = static_cast<int32_t>(edge);
      if (parent == 0 ? rank >= limit : renamed[parent] == 0) continue;
      renamed[node] = kept.grown_child(renamed[parent], rank);
      kept.add(renamed[node], weights_[node]);
    }
    *this = std::move(kept);
  }

 private:
  static constexpr uint64_t EMPTY = ~uint64_t{0};

  static uint64_t key(int32_t parent, int32_t rank) {
    return static_cast<uint64_t>(parent) << 32 | static_cast<uint32_t>(rank);
  }

  static size_t slot(const std::vector<uint64_t> &keys, uint64_t wanted) {
    const size_t mask = keys.size() - 1;
    size_t place = hash_key(wanted) & mask;
    while (keys[place] != EMPTY && keys[place] != wanted) place = (place + 1) & mask;
    return place;
  }

  void rehash(size_t size) {
    std::vector<uint64_t> keys(size, EMPTY);
    std::vector<int32_t> nodes(size, 0);
    for (size_t i = 0; i < keys_.size(); ++i) {
      if (keys_[i] == EMPTY) continue;
      const size_t place = slot(keys, keys_[i]);
      keys[place] = keys_[i];
      nodes[place] = nodes_[i];
    }
    keys_.swap(keys);
    nodes_.swap(nodes);
  }

  std::vector<uint64_t> keys_;
  std::vector<int32_t> nodes_;
  std::vector<double> weights_;
};

template <int degree>
class ExplicitWeights {
 public:
  // Conjunctions of the ranks below `common`; those of ranks below `dense` in simplex arrays.
  void reset(int32_t common, int32_t dense) {
    common_ = common;
    dense_ = std::min(common, dense);
    constant_ = 0;
    for (int order = 1; order <= degree; ++order) simplex_[order].assign(choose(dense_, order), 0.0);
    trie_.clear();
  }

  int32_t common() const { return common_; }
  int32_t dense() const { return dense_; }

  // How many of the ranks are common; `ranks` is increasing.
  int count_common(const int32_t *ranks, int length) const {
    return static_cast<int>(std::lower_bound(ranks, ranks + length, common_) - ranks);
  }

  // The margin of the set without its features of rank `common` and above.
  double sum(const int32_t *ranks, int length) const {
    const int common = count_common(ranks, length);
    const int dense = dense_ == common_ ? common : below_dense(ranks, common);
    double total = constant_ + orders_sum<degree>(ranks, dense);
    for (int i = dense; i < common; ++i) total += trie_sum<1>(0, ranks, i);
    return total;
  }

  void add(const int32_t *ranks, int length, double amount) {
    const int common = count_common(ranks, length);
    const int dense = below_dense(ranks, common);
    constant_ += amount;
    orders_add<degree>(ranks, dense, amount);
    for (int i = dense; i < common; ++i) trie_add<1>(0, ranks, i, amount);
  }

  // Forget the conjunctions of the ranks from `common` on.
  void shrink(int32_t common) {
    common_ = common;
    if (!trie_.empty()) trie_.prune(common > dense_ ? common : 0);
    if (common >= dense_) return;
    dense_ = common;
    for (int order = 1; order <= degree; ++order) {
      simplex_[order].resize(choose(dense_, order));
      simplex_[order].shrink_to_fit();
    }
  }

  int64_t bytes() const {
    int64_t total = trie_.bytes();
    for (int order = 1; order <= degree; ++order) total += simplex_[order].capacity() * sizeof(double);
    return total;
  }

 private:
  int below_dense(const int32_t *ranks, int length) const {
    return static_cast<int>(std::lower_bound(ranks, ranks + length, dense_) - ranks);
  }

  template <int order>
  double orders_sum(const int32_t *ranks, int count) const {
    if constexpr (order == 0)
      return 0;
    else
      return orders_sum<order - 1>(ranks, count) +
             subset_weight(degree, order) * simplex_sum<order>(simplex_[order].data(), ranks, count);
  }

  template <int order>
  void orders_add(const int32_t *ranks, int count, double amount) {
    if constexpr (order > 0) {
      orders_add<order - 1>(ranks, count, amount);
      simplex_add<order>(simplex_[order].data(), ranks, count, amount);
    }
  }

  // The conjunctions below `parent` whose next feature is the one at `place`.
  template <int order>
  double trie_sum(int32_t parent, const int32_t *ranks, int place) const {
    const int32_t node = trie_.child(parent, ranks[place]);
    if (node == 0) return 0;
    double total = subset_weight(degree, order) * trie_.weight(node);
    if constexpr (order < degree)
      for (int i = 0; i < place; ++i) total += trie_sum<order + 1>(node, ranks, i);
    return total;
  }

  template <int order>
  void trie_add(int32_t parent, const int32_t *ranks, int place, double amount) {
    const int32_t node = trie_.grown_child(parent, ranks[place]);
    trie_.add(node, amount);
    if constexpr (order < degree)
      for (int i = 0; i < place; ++i) trie_add<order + 1>(node, ranks, i, amount);
  }

  int32_t common_ = 0, dense_ = 0;
  double constant_ = 0;
  std::vector<double, HugePages<double>> simplex_[degree + 1];
  ConjunctionTrie trie_;
};

}  // namespace kakari
