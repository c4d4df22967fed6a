// The distinct subtrees of many trees, each once, in groups within which a tree kernel can be more than zero.
//
// Δ(a, b) depends only on what stands below a and b, so it is worked out once for each distinct subtree
// however often that occurs. A group holds the subtrees with one production (partial tree kernel: with one
// root label). Subtrees are identified by group and children, compared number by number (see sequences.hpp),
// never by a hash alone; children are numbered before their parents.
//
// `compare` goes through a tree x bottom-up. For a node of x it fills one dense array: Δ against each member
// of the node's group. Nearly all members share no more than the production, and have Δ = λ; for each child
// slot a posting list (group, slot, group of the child) names those whose child can match, and only they are
// multiplied. The children's arrays lie on top of a stack and are popped when their parent is done: memory is
// that of the open nodes, not that of x times the store.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "kernels/trees/deltas.hpp"
#include "kernels/trees/sequences.hpp"
#include "kernels/trees/trees.hpp"

namespace kakari {

struct Place {
  int32_t group;  // -1: a leaf that is no root of fragments
  int32_t member;
};

// What `compare` writes into: one for each thread.
struct CompareScratch {
  struct Segment {
    int64_t start;
    int32_t group;  // -1: no member can match
  };
  std::vector<double> values;
  std::vector<Segment> open;
  std::vector<int32_t> key;
  std::vector<int32_t> found;
  std::vector<double> complete;
  std::vector<int64_t> done;
  int64_t visits = 0;
  ChildSequences sequences;
};

class SubtreeStore {
 public:
  explicit SubtreeStore(Fragments fragments = Fragments::SUBSET) : fragments_(fragments) {}

  int64_t size() const { return subtrees_.size(); }
  int64_t group_count() const { return groups_.size(); }
  const std::vector<int32_t> &members(int64_t group) const { return members_[group]; }
  Place place(int64_t subtree) const { return places_[subtree]; }
  const SequenceTable &groups() const { return groups_; }
  const SequenceTable &subtrees() const { return subtrees_; }

  // Writes the distinct subtree of every node, new ones being added; -1 for leaves that do not count.
  void insert(const Tree &tree, std::vector<int32_t> &numbers) {
    numbers.assign(tree.size, -1);
    for (int64_t node = 0; node < tree.size; ++node) {
      if (!write_group(tree, node, key_)) continue;
      const int32_t group = add_group(key_.data(), static_cast<int64_t>(key_.size()));
      write_subtree(tree, node, group, numbers.data(), key_);
      numbers[node] = add_subtree(key_.data(), static_cast<int64_t>(key_.size()));
    }
  }

  int32_t add_group(const int32_t *key, int64_t length) {
    const int32_t group = groups_.find_or_add(key, length);
    if (group == static_cast<int64_t>(members_.size())) members_.emplace_back();
    return group;
  }

  // A subtree is its group, then the numbers of its children (-1 for leaves, unless the kernel is partial).
  int32_t add_subtree(const int32_t *subtree, int64_t length) {
    const int64_t before = subtrees_.size();
    const int32_t number = subtrees_.find_or_add(subtree, length);
    if (number < before) return number;
    const int32_t group = subtree[0], member = static_cast<int32_t>(members_[group].size());
    places_.push_back({group, member});
    members_[group].push_back(number);
    child_places_.push_back({-1, -1});  // in step with the sequence, whose first entry is the group
    for (int64_t slot = 1; slot < length; ++slot) {
      const Place child = subtree[slot] < 0 ? Place{-1, -1} : places_[subtree[slot]];
      child_places_.push_back(child);
      if (child.group >= 0 && fragments_ != Fragments::COMPLETE) post(group, slot - 1, child, member);
    }
    return number;
  }

  void clear() {
    groups_.clear();
    subtrees_.clear();
    posting_keys_.clear();
    members_.clear();
    places_.clear();
    child_places_.clear();
    postings_.clear();
  }

  // Calls visit.whole(group, Δ of each member) or visit.one(subtree, Δ) for every node of x that matches.
  template <class Visitor>
  void compare(const Tree &x, const KernelOptions &options, CompareScratch &scratch, Visitor &visit) const {
    if (fragments_ == Fragments::COMPLETE) return compare_complete(x, options.decay, scratch, visit);
    scratch.open.clear();
    scratch.sequences.start(options.decay, options.longest);
    for (int64_t node = 0; node < x.size; ++node) {
      const int64_t arity = x.arities[node];
      const CompareScratch::Segment *children = scratch.open.data() + scratch.open.size() - arity;
      const int64_t top = top_of(scratch);
      const int64_t start = arity == 0 ? top : children->start;
      int32_t group = -1;
      if (write_group(x, node, scratch.key)) group = groups_.find(scratch.key.data(), scratch.key.size());
      if (group < 0) {
        close(scratch, arity, {start, -1});
        continue;
      }
      const int64_t count = static_cast<int64_t>(members_[group].size());
      if (static_cast<int64_t>(scratch.values.size()) < top + count) scratch.values.resize(2 * (top + count));
      double *deltas = scratch.values.data() + top;
      if (fragments_ == Fragments::PARTIAL)
        fill_partial(group, options, arity, children, scratch, deltas);
      else
        fill_subset(group, options, arity, children, scratch, deltas);
      visit.whole(group, deltas, count);
      if (start != top) std::memmove(scratch.values.data() + start, deltas, count * sizeof(double));
      close(scratch, arity, {start, group});
    }
  }

 private:
  struct Posting {
    int32_t member, child_member;
  };

  // The key of a node's group; false where the node is no root of fragments.
  bool write_group(const Tree &tree, int64_t node, std::vector<int32_t> &key) const {
    if (tree.arities[node] == 0 || fragments_ == Fragments::PARTIAL) {
      if (fragments_ == Fragments::COMPLETE || fragments_ == Fragments::SUBSET) return false;
      key.assign(1, tree.labels[node]);
      return true;
    }
    write_production(tree, node, key);
    return true;
  }

  void write_subtree(const Tree &tree, int64_t node, int32_t group, const int32_t *numbers,
                     std::vector<int32_t> &subtree) const {
    const int32_t *children = tree.children_of(node);
    subtree.clear();
    subtree.push_back(group);
    for (int32_t i = 0; i < tree.arities[node]; ++i) {
      const bool leaf = tree.arities[children[i]] == 0;
      subtree.push_back(leaf && fragments_ != Fragments::PARTIAL ? -1 : numbers[children[i]]);
    }
  }

  // Partial kernel: a member is listed once for a child's label, wherever the child stands.
  void post(int32_t group, int64_t slot, Place child, int32_t member) {
    const int32_t key[3] = {group, fragments_ == Fragments::PARTIAL ? 0 : static_cast<int32_t>(slot), child.group};
    const int32_t list = posting_keys_.find_or_add(key, 3);
    if (list == static_cast<int64_t>(postings_.size())) postings_.emplace_back();
    std::vector<Posting> &postings = postings_[list];
    if (fragments_ == Fragments::PARTIAL && !postings.empty() && postings.back().member == member) return;
    postings.push_back({member, child.member});
  }

  const std::vector<Posting> *postings(int32_t group, int64_t slot, int32_t child_group) const {
    const int32_t key[3] = {group, static_cast<int32_t>(slot), child_group};
    const int32_t list = posting_keys_.find(key, 3);
    return list < 0 ? nullptr : &postings_[list];
  }

  int64_t top_of(const CompareScratch &scratch) const {
    if (scratch.open.empty()) return 0;
    const CompareScratch::Segment &last = scratch.open.back();
    return last.start + (last.group < 0 ? 0 : static_cast<int64_t>(members_[last.group].size()));
  }

  static void close(CompareScratch &scratch, int64_t arity, CompareScratch::Segment segment) {
    scratch.open.resize(scratch.open.size() - arity);
    scratch.open.push_back(segment);
  }

  void fill_subset(int32_t group, const KernelOptions &options, int64_t arity, const CompareScratch::Segment *children,
                   const CompareScratch &scratch, double *deltas) const {
    const double not_expanded = options.not_expanded();
    std::fill(deltas, deltas + members_[group].size(), options.decay);
    for (int64_t slot = 0; slot < arity; ++slot) {
      if (children[slot].group < 0) continue;
      const std::vector<Posting> *listed = postings(group, slot, children[slot].group);
      if (listed == nullptr) continue;
      const double *below = scratch.values.data() + children[slot].start;
      for (const Posting &posting : *listed) deltas[posting.member] *= not_expanded + below[posting.child_member];
    }
  }

  void fill_partial(int32_t group, const KernelOptions &options, int64_t arity, const CompareScratch::Segment *children,
                    CompareScratch &scratch, double *deltas) const {
    const std::vector<int32_t> &members = members_[group];
    std::fill(deltas, deltas + members.size(), arity == 0 ? options.leaf_pair() : options.lone_pair());
    if (arity > 0 && options.terminal != 1.0)
      for (size_t member = 0; member < members.size(); ++member)
        if (subtrees_.length(members[member]) == 1) deltas[member] = options.leaf_pair();
    if (scratch.done.size() < members.size()) scratch.done.resize(members.size(), 0);
    const int64_t visit = ++scratch.visits;
    for (int64_t slot = 0; slot < arity; ++slot) {
      if (children[slot].group < 0) continue;
      const std::vector<Posting> *listed = postings(group, 0, children[slot].group);
      if (listed == nullptr) continue;
      for (const Posting &posting : *listed) {
        if (scratch.done[posting.member] == visit) continue;
        scratch.done[posting.member] = visit;
        deltas[posting.member] = partial_delta(members[posting.member], options, arity, children, scratch);
      }
    }
  }

  double partial_delta(int32_t subtree, const KernelOptions &options, int64_t arity,
                       const CompareScratch::Segment *children, CompareScratch &scratch) const {
    const Place *theirs = child_places_.data() + subtrees_.start(subtree) + 1;
    const double *values = scratch.values.data();
    const double below =
        scratch.sequences.sum(arity, subtrees_.length(subtree) - 1, [children, theirs, values](int64_t i, int64_t j) {
          return children[i].group == theirs[j].group ? values[children[i].start + theirs[j].member] : 0.0;
        });
    return options.mu * (options.decay * options.decay + below);
  }

  // Complete subtrees match only themselves: Δ is λ to the number of inner nodes.
  template <class Visitor>
  void compare_complete(const Tree &x, double decay, CompareScratch &scratch, Visitor &visit) const {
    scratch.found.assign(x.size, -1);
    scratch.complete.assign(x.size, 1.0);
    for (int64_t node = 0; node < x.size; ++node) {
      if (!write_group(x, node, scratch.key)) continue;
      const int32_t group = groups_.find(scratch.key.data(), scratch.key.size());
      const int32_t *children = x.children_of(node);
      bool known = group >= 0;
      double delta = decay;
      for (int32_t i = 0; known && i < x.arities[node]; ++i) {
        known = x.arities[children[i]] == 0 || scratch.found[children[i]] >= 0;
        delta *= scratch.complete[children[i]];
      }
      if (!known) continue;
      write_subtree(x, node, group, scratch.found.data(), scratch.key);
      scratch.found[node] = subtrees_.find(scratch.key.data(), scratch.key.size());
      scratch.complete[node] = delta;
      if (scratch.found[node] >= 0) visit.one(scratch.found[node], delta);
    }
  }

  Fragments fragments_;
  SequenceTable groups_, subtrees_, posting_keys_;
  std::vector<std::vector<int32_t>> members_;  // of each group, its subtrees
  std::vector<Place> places_;                  // of each subtree
  std::vector<Place> child_places_;            // in step with the sequences of subtrees_
  std::vector<std::vector<Posting>> postings_;
  std::vector<int32_t> key_;
};

}  // namespace kakari
