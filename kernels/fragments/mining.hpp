// The fragments that weigh most in a weighted sum of trees (reverse kernel engineering; mineDAG of 2013).
//
// The weight of fragment f is λ^(l(f)/2) · Σ of the weights of the distinct subtrees s at which f is rooted.
// Mining starts from single productions, whose subtrees are the groups of the store, and expands unexpanded
// nodes: those subtrees that agree below the node carry the larger fragment. What is too rare or too light is
// neither kept nor expanded. That is greedy, since expansions may weigh more than what they expand (weights of
// opposite signs no longer cancel); `exact` goes on while Σ |weight of s| could still reach the threshold.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/fragments/table.hpp"
#include "kernels/trees/dag.hpp"

namespace kakari {

struct MiningOptions {
  double decay = 0.4;
  double minimum_count = 0;  // occurrences in the trees
  double factor = 1000;      // keep fragments of at least the heaviest production's weight divided by this
  int64_t depth = 0;         // levels of productions; 0: any
  int64_t breadth = 1;       // nodes expanded at once
  bool exact = false;
};

struct MinedFragment {
  int32_t fragment;
  double weight, count;
};

class FragmentMiner {
 public:
  // `weight` and `count` are outputs of the sum; count < 0: every distinct subtree counts once.
  FragmentMiner(const WeightedSubtrees &sum, const MiningOptions &options, int64_t weight, int64_t count)
      : sum_(sum), options_(options), weight_(weight), count_(count) {
    const SubtreeStore &store = sum.store();
    std::vector<Candidate> bases;
    double heaviest = 0;
    for (int64_t group = 0; group < store.group_count(); ++group) {
      const int32_t production = table_.add_production(store.groups().begin(group), store.groups().length(group));
      bases.push_back(candidate(store.members(group), 1));
      bases.back().fragment = table_.add_base(production);
      heaviest = std::max(heaviest, std::fabs(bases.back().weight));
    }
    threshold_ = heaviest / options_.factor;
    for (Candidate &base : bases) consider(std::move(base));
    std::reverse(waiting_.begin(), waiting_.end());
  }

  // Expands up to `steps` fragments; false when there is nothing left to do.
  bool work(int64_t steps) {
    for (; steps > 0 && !waiting_.empty(); --steps) {
      const Candidate chosen = std::move(waiting_.back());
      waiting_.pop_back();
      paths_.clear();
      path_.clear();
      find_paths(chosen.fragment);
      expand(chosen, 0, options_.breadth);
    }
    return !waiting_.empty();
  }

  int64_t found() const { return static_cast<int64_t>(mined_.size()); }

  // The heaviest fragments, with their parts in `into`.
  std::vector<MinedFragment> heaviest(int64_t keep, FragmentTable &into) const {
    std::vector<MinedFragment> best = mined_;
    std::sort(best.begin(), best.end(), [](const MinedFragment &a, const MinedFragment &b) {
      const double x = std::fabs(a.weight), y = std::fabs(b.weight);
      return x != y ? x > y : a.fragment < b.fragment;
    });
    const double lightest = best.empty() ? 0 : std::fabs(best.front().weight) / options_.factor;
    while (!best.empty() && (static_cast<int64_t>(best.size()) > keep || std::fabs(best.back().weight) < lightest))
      best.pop_back();
    std::vector<int32_t> known(table_.size(), -1);
    for (MinedFragment &one : best) one.fragment = into.add_from(table_, one.fragment, known);
    return best;
  }

 private:
  struct Candidate {
    int32_t fragment = -1;
    std::vector<int32_t> subtrees;
    double weight = 0, bound = 0, count = 0;
  };

  template <class Subtrees>
  Candidate candidate(const Subtrees &subtrees, int32_t expanded) const {
    Candidate made;
    made.subtrees.assign(subtrees.begin(), subtrees.end());
    for (const int32_t subtree : made.subtrees) {
      const double *weights = sum_.weights(subtree);
      made.weight += weights[weight_];
      made.bound += std::fabs(weights[weight_]);
      made.count += count_ < 0 ? 1 : weights[count_];
    }
    const double decay = std::pow(options_.decay, 0.5 * expanded);
    made.weight *= decay;
    made.bound *= decay;
    return made;
  }

  bool worth_expanding(const Candidate &one) const {
    if (one.count < options_.minimum_count) return false;
    return (options_.exact ? one.bound : std::fabs(one.weight)) >= threshold_ && one.bound > 0;
  }

  void consider(Candidate &&one) {
    if (static_cast<int64_t>(considered_.size()) < table_.size()) considered_.resize(2 * table_.size(), false);
    if (!worth_expanding(one) || considered_[one.fragment]) return;
    considered_[one.fragment] = true;
    if (std::fabs(one.weight) >= threshold_ && one.weight != 0) mined_.push_back({one.fragment, one.weight, one.count});
    waiting_.push_back(std::move(one));
  }

  // The paths from the root to every node that may be expanded.
  void find_paths(int32_t fragment) {
    for (int64_t slot = 0; slot < table_.arity(fragment); ++slot) {
      const int32_t part = table_.parts(fragment)[slot];
      path_.push_back(static_cast<int32_t>(slot));
      if (part >= 0)
        find_paths(part);
      else if (options_.depth == 0 || static_cast<int64_t>(path_.size()) < options_.depth)
        paths_.push_back(path_);
      path_.pop_back();
    }
  }

  // The subtree to which the path leads, or -1 for a leaf.
  int32_t follow(int32_t subtree, const std::vector<int32_t> &path) const {
    for (const int32_t slot : path) subtree = sum_.store().subtrees().begin(subtree)[1 + slot];
    return subtree;
  }

  // Expands one node after the other, from the path numbered `from` on, at most `more` of them.
  void expand(const Candidate &chosen, size_t from, int64_t more) {
    for (size_t number = from; number < paths_.size(); ++number) {
      std::vector<std::pair<int32_t, int32_t>> below;  // group at the end of the path, subtree
      for (const int32_t subtree : chosen.subtrees) {
        const int32_t end = follow(subtree, paths_[number]);
        if (end >= 0) below.emplace_back(sum_.store().place(end).group, subtree);
      }
      std::stable_sort(below.begin(), below.end(), [](const auto &a, const auto &b) { return a.first < b.first; });
      for (size_t begin = 0, end; begin < below.size(); begin = end) {
        std::vector<int32_t> agreeing;
        for (end = begin; end < below.size() && below[end].first == below[begin].first; ++end)
          agreeing.push_back(below[end].second);
        grow(chosen, number, below[begin].first, agreeing, more);
      }
    }
  }

  void grow(const Candidate &chosen, size_t number, int32_t group, const std::vector<int32_t> &agreeing, int64_t more) {
    Candidate grown = candidate(agreeing, table_.expanded(chosen.fragment) + 1);
    const bool worthy = worth_expanding(grown);
    if (!worthy && (more == 1 || grown.count < options_.minimum_count)) return;
    const int32_t base = table_.add_base(group);  // groups and productions were numbered in step
    grown.fragment =
        table_.grow(chosen.fragment, paths_[number].data(), static_cast<int64_t>(paths_[number].size()), base);
    if (more > 1) expand(grown, number + 1, more - 1);
    consider(std::move(grown));
  }

  const WeightedSubtrees &sum_;
  MiningOptions options_;
  int64_t weight_, count_;
  double threshold_ = 0;
  FragmentTable table_;
  std::vector<bool> considered_;
  std::vector<MinedFragment> mined_;
  std::vector<Candidate> waiting_;
  std::vector<std::vector<int32_t>> paths_;
  std::vector<int32_t> path_;
};

}  // namespace kakari
