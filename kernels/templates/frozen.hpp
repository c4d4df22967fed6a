// A finished template kernel machine: weights of combinations of properties, 8 bytes each, as flat arrays.
//
// The support's coefficients are summed by combination (combinations.hpp), the smallest weights may be left out, and what
// is left is renumbered: terms, nodes whose parents come first, and a run of (term, weight) for each node. A weight is an
// integer of 32 bits in a unit that lets the largest one fit.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "kernels/templates/combinations.hpp"

namespace kakari {

class FrozenRows {
 public:
  struct Entry {
    int32_t term, weight;
  };

  void ask(int32_t node) const { prefetch(&starts[node]); }
  // The sum of the weights of some terms of a node, which are also marked in `wanted`; entries rise by term.
  int64_t sum(int32_t node, const std::vector<Terms::Term> &terms, const std::vector<uint8_t> &wanted) const {
    const Entry *begin = all.data() + starts[node], *end = all.data() + starts[node + 1];
    int64_t found = 0;
    if (end - begin <= MANY * static_cast<int64_t>(terms.size())) {
      for (const Entry *one = begin; one != end; ++one)
        if (wanted[one->term]) found += one->weight;
      return found;
    }
    for (const Terms::Term &term : terms) {
      const Entry *at =
          std::lower_bound(begin, end, term.number, [](const Entry &one, int32_t number) { return one.term < number; });
      if (at != end && at->term == term.number) found += at->weight;
    }
    return found;
  }

  std::vector<int64_t> starts{0};  // of each node and, last, the end
  std::vector<Entry> all;

 private:
  static constexpr int64_t MANY = 8;  // entries a term that are read faster than searched
};

using FrozenTable = CombinationTable<FrozenRows>;
using GrowingTable = CombinationTable<WeightRows>;

// The flat arrays of a file. They leave out term 0 and the roots.
struct FrozenArrays {
  std::vector<uint64_t> first, second;  // properties of each term from 1 on
  std::vector<int32_t> parents, terms;  // of each node that is no root
  std::vector<int32_t> counts;          // entries of each node, the roots first
  std::vector<int32_t> entry_terms, entry_weights;
  double unit = 1.0;
};

// The `most` largest weights of a table (0: all that are not rounded to 0), in units of `unit` for each of the table's.
inline void freeze(const GrowingTable &from, int64_t most, double unit, FrozenArrays &to) {
  const std::vector<uint64_t> keys = from.nodes().keys();
  const int32_t roots = static_cast<int32_t>(from.kinds().size()), nodes = static_cast<int32_t>(keys.size());
  int64_t largest = 0;
  std::vector<int64_t> sizes;
  for (int32_t node = 0; node < nodes; ++node)
    from.weights.each(node, [&](int32_t, int64_t weight) {
      largest = std::max<int64_t>(largest, std::llabs(weight));
      if (most > 0) sizes.push_back(std::llabs(weight));
    });
  int shift = 0;
  while ((largest >> shift) >= (int64_t{1} << 30)) ++shift;
  const int64_t half = shift == 0 ? 0 : int64_t{1} << (shift - 1);
  int64_t smallest = 0;
  if (most > 0 && most < static_cast<int64_t>(sizes.size())) {
    std::nth_element(sizes.begin(), sizes.begin() + most, sizes.end(), std::greater<int64_t>());
    smallest = sizes[most] + 1;  // of weights that are as large as the first one left out, none is kept
  }
  const auto rounded = [&](int64_t weight) { return std::llabs(weight) < smallest ? 0 : (weight + half) >> shift; };
  // The nodes that are used: those with weights, their ancestors, and the terms of all of these.
  std::vector<uint8_t> node_used(nodes, 0), term_used(from.terms.size(), 0);
  for (int32_t node = nodes - 1; node >= 0; --node) {
    from.weights.each(node, [&](int32_t term, int64_t weight) {
      if (rounded(weight) != 0) node_used[node] = term_used[term] = 1;
    });
    if (node < roots || !node_used[node]) continue;
    node_used[GrowingTable::parent_of(keys[node])] = 1;  // a parent has a smaller number
    term_used[GrowingTable::term_of(keys[node])] = 1;
  }
  for (int32_t term = from.terms.size() - 1; term > 0; --term) {
    const auto &[one, other] = from.terms.name(term);
    if (term_used[term] && other != ~uint64_t{0})
      term_used[from.terms.find_single(one)] = term_used[from.terms.find_single(other)] = 1;
  }
  std::vector<int32_t> term_numbers(from.terms.size(), 0), node_numbers(nodes, -1);
  for (int32_t term = 1; term < from.terms.size(); ++term) {
    if (!term_used[term]) continue;
    to.first.push_back(from.terms.name(term).first);
    to.second.push_back(from.terms.name(term).second);
    term_numbers[term] = static_cast<int32_t>(to.first.size());
  }
  int32_t next = 0;
  for (int32_t node = 0; node < nodes; ++node) {
    if (node >= roots && !node_used[node]) continue;
    node_numbers[node] = next++;
    if (node >= roots) {
      to.parents.push_back(node_numbers[GrowingTable::parent_of(keys[node])]);
      to.terms.push_back(term_numbers[GrowingTable::term_of(keys[node])]);
    }
    const size_t before = to.entry_terms.size();
    from.weights.each(node, [&](int32_t term, int64_t weight) {
      if (rounded(weight) == 0) return;
      to.entry_terms.push_back(term_numbers[term]);
      to.entry_weights.push_back(static_cast<int32_t>(rounded(weight)));
    });
    to.counts.push_back(static_cast<int32_t>(to.entry_terms.size() - before));
  }
  to.unit = std::ldexp(unit, shift);
}

inline void freeze_support(const PartSupport &support, const std::vector<TemplateKind> &kinds, int64_t most,
                           double unit, FrozenArrays &to) {
  GrowingTable table(kinds);
  CombinationScratch scratch;
  support.each([&](int32_t kind, const int32_t *rows, int64_t amount, int64_t) {
    if (amount != 0) table.add(kind, SupportRows{support, kinds[kind], rows}, amount, scratch);
  });
  freeze(table, most, unit, to);
}

inline int64_t sum_of_part(const FrozenTable &table, const PartArrays &parts, int64_t part,
                           CombinationScratch &scratch) {
  return table.sum(parts.kind_of[part], ArrayRows{parts, part}, scratch);
}

// Rebuild the table; arrays that do not fit together are refused.
inline FrozenTable thawed(const std::vector<TemplateKind> &kinds, const FrozenArrays &from) {
  FrozenTable to(kinds);
  const int32_t roots = static_cast<int32_t>(kinds.size());
  for (size_t i = 0; i < from.first.size(); ++i) {
    int32_t number;
    if (from.second[i] == ~uint64_t{0}) {
      number = to.terms.add_single(from.first[i]);
    } else {
      const int32_t one = to.terms.find_single(from.first[i]), other = to.terms.find_single(from.second[i]);
      if (one < 0 || other < 0) throw std::invalid_argument("a term of two properties lacks one of them");
      number = to.terms.add_pair(one, other);
    }
    if (number != static_cast<int32_t>(i) + 1) throw std::invalid_argument("a term stands there twice");
  }
  for (size_t i = 0; i < from.parents.size(); ++i) {
    const int32_t number = roots + static_cast<int32_t>(i);
    const bool known = from.terms[i] >= 0 && from.terms[i] < to.terms.size();
    if (!known || from.parents[i] < 0 || from.parents[i] >= number)
      throw std::invalid_argument("a node's parent or term is not there");
    if (to.add_node(from.parents[i], from.terms[i]) != number) throw std::invalid_argument("a node stands there twice");
  }
  const size_t nodes = roots + from.parents.size();
  if (from.counts.size() != nodes) throw std::invalid_argument("each node has a number of weights");
  for (size_t i = 0; i < nodes; ++i) {
    if (from.counts[i] < 0) throw std::invalid_argument("a number of weights is negative");
    to.weights.starts.push_back(to.weights.starts.back() + from.counts[i]);
  }
  const size_t entries = from.entry_terms.size();
  if (to.weights.starts.back() != static_cast<int64_t>(entries) || entries != from.entry_weights.size())
    throw std::invalid_argument("there are as many weights as the nodes have");
  for (size_t i = 0; i < entries; ++i) {
    if (from.entry_terms[i] < 0 || from.entry_terms[i] >= to.terms.size())
      throw std::invalid_argument("the term of a weight is not there");
    to.weights.all.push_back({from.entry_terms[i], from.entry_weights[i]});
  }
  for (size_t node = 0; node < nodes; ++node)
    for (int64_t k = to.weights.starts[node] + 1; k < to.weights.starts[node + 1]; ++k)
      if (from.entry_terms[k] <= from.entry_terms[k - 1])
        throw std::invalid_argument("the terms of a node do not rise");
  return to;
}

// One combination of a part: a term of each slot, and its weight.
struct PartCombination {
  std::vector<int32_t> terms;
  int64_t weight;
};

// The combinations whose weights add up to a part's sum.
inline void combinations_of(const FrozenTable &table, const PartArrays &parts, int64_t part,
                            std::vector<PartCombination> &to) {
  const int32_t kind = parts.kind_of[part];
  const std::vector<TemplateSlot> &slots = table.kinds()[kind].slots;
  const ArrayRows rows{parts, part};
  std::vector<std::vector<Terms::Term>> terms(slots.size());
  for (size_t s = 0; s < slots.size(); ++s)
    table.terms.find(slots[s], slots[s].table, rows.row(s), rows.width(s), terms[s]);
  std::vector<std::pair<int32_t, std::vector<int32_t>>> nodes{{kind, {}}}, next;
  for (size_t s = 0; s + 1 < slots.size(); ++s) {
    next.clear();
    for (const auto &[node, path] : nodes)
      for (const Terms::Term &term : terms[s]) {
        const int32_t found = table.nodes().find(FrozenTable::key(node, term.number));
        if (found < 0) continue;
        next.push_back({found, path});
        next.back().second.push_back(term.number);
      }
    nodes.swap(next);
  }
  std::vector<uint8_t> wanted(table.terms.size(), 0);
  for (const auto &[node, path] : nodes) {
    for (const Terms::Term &term : terms.back()) {
      wanted[term.number] = 1;
      const int64_t weight = table.weights.sum(node, {term}, wanted);
      wanted[term.number] = 0;
      if (weight == 0) continue;
      to.push_back({path, weight});
      to.back().terms.push_back(term.number);
    }
  }
}

}  // namespace kakari
