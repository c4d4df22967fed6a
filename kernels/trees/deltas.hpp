// The kinds of fragments that tree kernels count, their decay, and the sum over child subsequences of the
// partial tree kernel.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kakari {

enum class Fragments {
  COMPLETE = 0,      // ST: a node with everything below it
  SUBSET = 1,        // STK: a node is expanded with all of its children or not at all
  SUBSET_WORDS = 2,  // SST-bow: these, and single leaves
  PARTIAL = 3,       // PTK: any ordered subset of the children
  KELP_SUBTREE = 4   // KeLP's subtree kernel: children of equal productions count, others are passed over; leaves too
};

struct KernelOptions {
  Fragments fragments = Fragments::SUBSET;
  double decay = 0.4;     // λ
  double mu = 0.4;        // μ, of the partial tree kernel only
  int64_t longest = -1;   // child subsequences at most this long; -1 for any length
  double terminal = 1.0;  // what pairs with a leaf count, of the partial tree kernel only

  double lone_pair() const { return mu * (decay * decay); }  // two nodes that share their label only
  double leaf_pair() const { return terminal * lone_pair(); }
  double not_expanded() const { return fragments == Fragments::KELP_SUBTREE ? 0.0 : 1.0; }  // of a child
  bool with_leaves() const { return fragments == Fragments::SUBSET_WORDS || fragments == Fragments::KELP_SUBTREE; }
};

// Σ over pairs of equally long subsequences of two child lists, of the product of their Δ, times λ to the
// number of children skipped inside them. Three ways, one result: few matching pairs are chained to each
// other in O(pairs²); many go through a grid in O(n m), with any length at once; a cap on the length costs
// O(n m cap).
class ChildSequences {
 public:
  void start(double decay, int64_t longest) {
    if (decay != decay_ || powers_.empty()) powers_.assign(1, 1.0);
    decay_ = decay;
    longest_ = longest;
  }

  // delta(i, j) is Δ of child i of one node and child j of the other, 0 where the labels differ.
  template <class Delta>
  double sum(int64_t n, int64_t m, Delta delta) {
    const int64_t cap = longest_ < 0 ? std::min(n, m) : std::min(longest_, std::min(n, m));
    if (n * m > 256) return cap < std::min(n, m) ? capped_grid(n, m, cap, delta) : grid(n, m, delta);
    pairs_.clear();
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < m; ++j) {
        const double value = delta(i, j);
        if (value != 0.0) pairs_.push_back({i, j, value, value});
      }
    if (pairs_.empty()) return 0.0;
    if (pairs_.size() == 1) return pairs_[0].delta;
    if (cap < std::min(n, m)) return capped_grid(n, m, cap, delta);
    return chained_pairs(n + m);
  }

 private:
  struct Pair {
    int64_t i, j;
    double delta, ending;  // ending: all sequences that end with this pair
  };

  double chained_pairs(int64_t longest_gap) {
    while (static_cast<int64_t>(powers_.size()) <= longest_gap) powers_.push_back(powers_.back() * decay_);
    double total = 0.0;
    for (size_t p = 0; p < pairs_.size(); ++p) {
      Pair &pair = pairs_[p];
      double before = 1.0;
      for (size_t q = 0; q < p; ++q)
        if (pairs_[q].i < pair.i && pairs_[q].j < pair.j)
          before += pairs_[q].ending * powers_[pair.i - pairs_[q].i + pair.j - pairs_[q].j - 2];
      pair.ending = pair.delta * before;
      total += pair.ending;
    }
    return total;
  }

  // above_[j + 1]: all sequences within the rows above and the columns up to j, decayed up to there.
  template <class Delta>
  double grid(int64_t n, int64_t m, Delta delta) {
    above_.assign(m + 1, 0.0);
    double total = 0.0;
    for (int64_t i = 0; i < n; ++i) {
      double in_row = 0.0, diagonal = 0.0;
      for (int64_t j = 0; j < m; ++j) {
        const double value = delta(i, j);
        const double ending = value == 0.0 ? 0.0 : value * (1.0 + diagonal);
        total += ending;
        in_row = ending + decay_ * in_row;
        diagonal = above_[j + 1];
        above_[j + 1] = in_row + decay_ * diagonal;
      }
    }
    return total;
  }

  // The same with one layer for each length.
  template <class Delta>
  double capped_grid(int64_t n, int64_t m, int64_t cap, Delta delta) {
    above_.assign((m + 1) * cap, 0.0);
    in_rows_.resize(cap);
    diagonals_.resize(cap);
    double total = 0.0;
    for (int64_t i = 0; i < n; ++i) {
      std::fill(in_rows_.begin(), in_rows_.end(), 0.0);
      std::fill(diagonals_.begin(), diagonals_.end(), 0.0);
      for (int64_t j = 0; j < m; ++j) {
        const double value = delta(i, j);
        double shorter = 1.0;
        for (int64_t length = 0; length < cap; ++length) {
          const double ending = value * shorter;
          shorter = diagonals_[length];
          total += ending;
          in_rows_[length] = ending + decay_ * in_rows_[length];
          double &above = above_[(j + 1) * cap + length];
          diagonals_[length] = above;
          above = in_rows_[length] + decay_ * above;
        }
      }
    }
    return total;
  }

  double decay_ = 0.0;
  int64_t longest_ = -1;
  std::vector<double> powers_, above_, in_rows_, diagonals_;
  std::vector<Pair> pairs_;
};

}  // namespace kakari
