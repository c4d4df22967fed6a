// A weighted sum of trees as one store of distinct subtrees, each with the sum of the weights of its
// occurrences.
//
// Weights lie beside the members of each group, `outputs` numbers a subtree, so that one pass over x gives
// the values of all outputs. Adding a tree is O(its nodes); f(x) is O(Σ sizes of the groups that x's nodes
// fall into), however many trees there are. Reading changes nothing: many threads may evaluate at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "kernels/hardware/threads.hpp"
#include "kernels/trees/deltas.hpp"
#include "kernels/trees/subtrees.hpp"
#include "kernels/trees/trees.hpp"

namespace kakari {

class WeightedSubtrees {
 public:
  WeightedSubtrees(const KernelOptions &options, int64_t outputs)
      : options_(options), outputs_(outputs), store_(options.fragments) {}

  int64_t size() const { return store_.size(); }
  const SubtreeStore &store() const { return store_; }

  void add(const Tree &tree, const double *weights, double scale) {
    store_.insert(tree, numbers_);
    for (int64_t i = 0; i < tree.size; ++i) {
      if (numbers_[i] < 0) continue;
      double *sums = weights_of(numbers_[i]);
      for (int64_t output = 0; output < outputs_; ++output) sums[output] += weights[output] * scale;
    }
  }

  void add(const ForestArrays &forest, const int64_t *owners, const double *weights, const double *scales) {
    for (int64_t i = 0; i < forest.tree_count; ++i) add(forest.tree(i), weights + owners[i] * outputs_, scales[i]);
  }

  // Stores the subtrees of trees without changing the sum; writes the number of each node's subtree and what its
  // tree would add to it.
  void embed(const ForestArrays &forest, const int64_t *owners, const double *weights, const double *scales,
             std::vector<int32_t> &subtrees, std::vector<double> &values) {
    for (int64_t i = 0; i < forest.tree_count; ++i) {
      const Tree tree = forest.tree(i);
      store_.insert(tree, numbers_);
      for (int64_t node = 0; node < tree.size; ++node) {
        if (numbers_[node] < 0) continue;
        weights_of(numbers_[node]);
        subtrees.push_back(numbers_[node]);
        values.push_back(weights[owners[i]] * scales[i]);
      }
    }
  }

  // values[subtree] += Σ over trees of weight · Σ over nodes of Δ(subtree, node): the sum of these trees as seen by
  // each subtree stored.
  void respond(const ForestArrays &forest, const int64_t *owners, const double *weights, const double *scales,
               double *values) const {
    CompareScratch scratch;
    for (int64_t i = 0; i < forest.tree_count; ++i) {
      Responder responder{*this, weights[owners[i]] * scales[i], values};
      store_.compare(forest.tree(i), options_, scratch, responder);
    }
  }

  void set_weights(const double *weights) {
    for (int64_t number = 0; number < size(); ++number)
      std::copy(weights + number * outputs_, weights + (number + 1) * outputs_,
                weights_of(static_cast<int32_t>(number)));
  }

  // Adds another sum, times a factor. Children come before parents, so their new numbers are known.
  void merge(const WeightedSubtrees &other, double factor) {
    std::vector<int32_t> groups, renumbered, subtree;
    for (int64_t group = 0; group < other.store_.group_count(); ++group)
      groups.push_back(store_.add_group(other.store_.groups().begin(group), other.store_.groups().length(group)));
    for (int64_t number = 0; number < other.size(); ++number) {
      const int32_t *theirs = other.store_.subtrees().begin(number);
      subtree.assign(1, groups[theirs[0]]);
      for (int64_t i = 1; i < other.store_.subtrees().length(number); ++i)
        subtree.push_back(theirs[i] < 0 ? -1 : renumbered[theirs[i]]);
      renumbered.push_back(store_.add_subtree(subtree.data(), static_cast<int64_t>(subtree.size())));
      double *sums = weights_of(renumbered.back());
      const double *added = other.weights(number);
      for (int64_t output = 0; output < outputs_; ++output) sums[output] += factor * added[output];
    }
  }

  void scale(double factor) {
    for (std::vector<double> &group : weights_)
      for (double &weight : group) weight *= factor;
  }

  const double *weights(int64_t subtree) const {
    const Place place = store_.place(subtree);
    return weights_[place.group].data() + place.member * outputs_;
  }

  // values[output] = Σ over the trees added of weight · K(tree, x).
  void evaluate(const Tree &x, CompareScratch &scratch, double *values) const {
    for (int64_t output = 0; output < outputs_; ++output) values[output] = 0.0;
    Adder adder{*this, values};
    store_.compare(x, options_, scratch, adder);
  }

  void evaluate(const ForestArrays &forest, int64_t threads, const double *scales, double *values) const {
    for_each_item<CompareScratch>(forest.tree_count, threads, [&](int64_t i, CompareScratch &scratch) {
      evaluate(forest.tree(i), scratch, values + i * outputs_);
      for (int64_t output = 0; output < outputs_; ++output) values[i * outputs_ + output] *= scales[i];
    });
  }

  // From flat arrays; false if they do not form a DAG.
  bool load(const int64_t *group_starts, int64_t groups, const int32_t *group_labels, const int64_t *subtree_starts,
            int64_t subtrees, const int32_t *subtree_numbers, const double *weights) {
    for (int64_t i = 0; i < groups; ++i)
      if (store_.add_group(group_labels + group_starts[i], group_starts[i + 1] - group_starts[i]) != i) return false;
    for (int64_t i = 0; i < subtrees; ++i) {
      const int32_t *subtree = subtree_numbers + subtree_starts[i];
      const int64_t length = subtree_starts[i + 1] - subtree_starts[i];
      if (length < 1 || subtree[0] < 0 || subtree[0] >= groups) return false;
      for (int64_t j = 1; j < length; ++j)
        if (subtree[j] < -1 || subtree[j] >= i) return false;
      if (store_.groups().length(subtree[0]) != (options_.fragments == Fragments::PARTIAL ? 1 : length)) return false;
      if (store_.add_subtree(subtree, length) != i) return false;
      double *sums = weights_of(static_cast<int32_t>(i));
      for (int64_t output = 0; output < outputs_; ++output) sums[output] = weights[i * outputs_ + output];
    }
    weights_.resize(store_.group_count());
    return true;
  }

 private:
  // Four partial sums: faster than one, and always the same four.
  struct Adder {
    const WeightedSubtrees &sum;
    double *values;
    void whole(int32_t group, const double *deltas, int64_t count) {
      const double *weights = sum.weights_[group].data();
      if (sum.outputs_ == 1) {
        double parts[4] = {0.0, 0.0, 0.0, 0.0};
        int64_t i = 0;
        for (; i + 4 <= count; i += 4)
          for (int lane = 0; lane < 4; ++lane) parts[lane] += weights[i + lane] * deltas[i + lane];
        for (; i < count; ++i) parts[0] += weights[i] * deltas[i];
        values[0] += (parts[0] + parts[1]) + (parts[2] + parts[3]);
        return;
      }
      for (int64_t i = 0; i < count; ++i, weights += sum.outputs_)
        for (int64_t output = 0; output < sum.outputs_; ++output) values[output] += weights[output] * deltas[i];
    }
    void one(int32_t subtree, double delta) {
      const double *weights = sum.weights(subtree);
      for (int64_t output = 0; output < sum.outputs_; ++output) values[output] += weights[output] * delta;
    }
  };

  struct Responder {
    const WeightedSubtrees &sum;
    double weight;
    double *values;
    void whole(int32_t group, const double *deltas, int64_t count) {
      const int32_t *members = sum.store_.members(group).data();
      for (int64_t i = 0; i < count; ++i) values[members[i]] += weight * deltas[i];
    }
    void one(int32_t subtree, double delta) { values[subtree] += weight * delta; }
  };

  double *weights_of(int32_t subtree) {
    const Place place = store_.place(subtree);
    if (static_cast<int64_t>(weights_.size()) < store_.group_count()) weights_.resize(store_.group_count());
    std::vector<double> &group = weights_[place.group];
    const size_t needed = static_cast<size_t>(place.member + 1) * outputs_;
    if (group.size() < needed) group.resize(needed, 0.0);
    return group.data() + place.member * outputs_;
  }

  KernelOptions options_;
  int64_t outputs_;
  SubtreeStore store_;
  std::vector<std::vector<double>> weights_;
  std::vector<int32_t> numbers_;
};

}  // namespace kakari
