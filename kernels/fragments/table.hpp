// Fragments of the subset-tree kernel, each once: a production, some of whose children are expanded further.
//
// A fragment is a sequence: the number of its production, then for each child the number of the fragment by
// which it is expanded, or -1. Parts are added before the fragments that hold them, so numbers rise from the
// leaves to the root, and equal fragments have equal numbers (see sequences.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/trees/sequences.hpp"

namespace kakari {

class FragmentTable {
 public:
  int64_t size() const { return fragments_.size(); }
  const SequenceTable &productions() const { return productions_; }
  const SequenceTable &fragments() const { return fragments_; }
  int32_t expanded(int64_t fragment) const { return expanded_[fragment]; }  // its inner nodes
  int32_t depth(int64_t fragment) const { return depths_[fragment]; }       // levels of productions
  int64_t arity(int64_t fragment) const { return fragments_.length(fragment) - 1; }
  int32_t production(int64_t fragment) const { return fragments_.begin(fragment)[0]; }
  const int32_t *parts(int64_t fragment) const { return fragments_.begin(fragment) + 1; }

  int32_t add_production(const int32_t *labels, int64_t length) { return productions_.find_or_add(labels, length); }

  int32_t add(const int32_t *fragment, int64_t length) {
    const int64_t before = fragments_.size();
    const int32_t number = fragments_.find_or_add(fragment, length);
    if (number < before) return number;
    int32_t expanded = 1, depth = 0;
    for (int64_t i = 1; i < length; ++i) {
      if (fragment[i] < 0) continue;
      expanded += expanded_[fragment[i]];
      depth = std::max(depth, depths_[fragment[i]]);
    }
    expanded_.push_back(expanded);
    depths_.push_back(depth + 1);
    return number;
  }

  // A production with no child expanded.
  int32_t add_base(int32_t production) {
    std::vector<int32_t> fragment(productions_.length(production), -1);
    fragment[0] = production;
    return add(fragment.data(), static_cast<int64_t>(fragment.size()));
  }

  // The fragment in which the node that `path` leads to, slot by slot, is expanded by `part`.
  int32_t grow(int32_t fragment, const int32_t *path, int64_t steps, int32_t part) {
    std::vector<int32_t> grown(fragments_.begin(fragment), fragments_.begin(fragment) + arity(fragment) + 1);
    int32_t &child = grown[1 + path[0]];
    child = steps == 1 ? part : grow(child, path + 1, steps - 1, part);
    return add(grown.data(), static_cast<int64_t>(grown.size()));
  }

  // Adds a fragment of another table with all its parts; `known` remembers what was added, -1 at first.
  int32_t add_from(const FragmentTable &other, int32_t fragment, std::vector<int32_t> &known) {
    if (known[fragment] >= 0) return known[fragment];
    const int32_t theirs = other.production(fragment);
    std::vector<int32_t> copy(1, add_production(other.productions_.begin(theirs), other.productions_.length(theirs)));
    for (int64_t i = 0; i < other.arity(fragment); ++i) {
      const int32_t part = other.parts(fragment)[i];
      copy.push_back(part < 0 ? -1 : add_from(other, part, known));
    }
    return known[fragment] = add(copy.data(), static_cast<int64_t>(copy.size()));
  }

  // From flat arrays; false if they are not a table of fragments.
  bool load(const int64_t *production_starts, int64_t productions, const int32_t *labels,
            const int64_t *fragment_starts, int64_t fragments, const int32_t *numbers) {
    for (int64_t i = 0; i < productions; ++i) {
      const int64_t length = production_starts[i + 1] - production_starts[i];
      if (length < 2 || add_production(labels + production_starts[i], length) != i) return false;
    }
    for (int64_t i = 0; i < fragments; ++i) {
      const int32_t *fragment = numbers + fragment_starts[i];
      const int64_t length = fragment_starts[i + 1] - fragment_starts[i];
      if (length < 2 || fragment[0] < 0 || fragment[0] >= productions) return false;
      if (productions_.length(fragment[0]) != length) return false;
      for (int64_t j = 1; j < length; ++j)
        if (fragment[j] < -1 || fragment[j] >= i) return false;
      if (add(fragment, length) != i) return false;
    }
    return true;
  }

 private:
  SequenceTable productions_, fragments_;
  std::vector<int32_t> expanded_, depths_;
};

}  // namespace kakari
