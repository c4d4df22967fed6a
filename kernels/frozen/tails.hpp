// The part of a margin that rare features bring: by the kernel over support vectors, or by a trie of weights.
#pragma once
#include <cstring>
#include <type_traits>

#include "kernels/frozen/arrays.hpp"
#include "kernels/frozen/head.hpp"
#include "kernels/hardware/processor.hpp"

namespace kakari {

// ---- by kernel ----

constexpr int rows_ahead = 8;  // how far the table is prefetched

template <class Index>
KAKARI_INLINE double kernel_part_inline(const FrozenArrays &model, int64_t tail, FrozenScratch &scratch) {
  const Index *const postings = static_cast<const Index *>(model.postings);
  const Index *const end = postings + model.posting_starts[tail + 1];
  const int stride = model.words + 1;
  const uint64_t *mask = scratch.mask.data();
  const double *growth = scratch.growth.data();
  uint16_t *matches = scratch.matches.data();
  int32_t *met = scratch.met.data() + scratch.met_count;
  double sum = 0;
  for (const Index *row = postings + model.posting_starts[tail]; row < end; ++row) {
    if (end - row > rows_ahead) prefetch(model.table + int64_t(row[rows_ahead]) * stride);
    const uint64_t *own = model.table + int64_t(*row) * stride;
    int seen = matches[*row];
    if (seen == 0) {
      for (int word = 0; word < model.words; ++word) seen += ones_in(own[word] & mask[word]);
      ++seen;
      *met++ = int32_t(*row);
    }
    matches[*row] = uint16_t(seen + 1);
    double alpha;
    std::memcpy(&alpha, own + model.words, sizeof alpha);
    sum += alpha * growth[seen - 1];
  }
  scratch.met_count = met - scratch.met.data();
  return sum;
}

template <class Index>
double kernel_part_portable(const FrozenArrays &model, int64_t tail, FrozenScratch &scratch) {
  return kernel_part_inline<Index>(model, tail, scratch);
}

#ifdef KAKARI_X86
template <class Index>
__attribute__((target("popcnt"))) double kernel_part_popcnt(const FrozenArrays &model, int64_t tail,
                                                            FrozenScratch &scratch) {
  return kernel_part_inline<Index>(model, tail, scratch);
}
#endif

// The machine's own instruction counts bits ten times faster than the portable code.
template <class Index>
auto choose_kernel_part() {
#ifdef KAKARI_X86
  if (__builtin_cpu_supports("popcnt")) return &kernel_part_popcnt<Index>;
#endif
  return &kernel_part_portable<Index>;
}

// Starts loading the first support vectors of a rare feature.
template <class Index>
void prefetch_kernel_part(const FrozenArrays &model, int64_t tail) {
  const Index *row = static_cast<const Index *>(model.postings) + model.posting_starts[tail];
  const Index *end = static_cast<const Index *>(model.postings) + model.posting_starts[tail + 1];
  if (end - row > rows_ahead) end = row + rows_ahead;
  for (; row < end; ++row) prefetch(model.table + int64_t(*row) * (model.words + 1));
}

// ---- by trie ----

// A weight where the mask has all bits set, zero where it has none.
template <class Weight>
inline Weight masked(Weight weight, int8_t mask) {
  if constexpr (std::is_integral_v<Weight>)
    return weight & mask;
  else
    return mask ? weight : 0;
}

// The children of some nodes of one level: a node's are starts[node] .. starts[node + 1].
template <class Weight, class Index>
struct Children {
  const uint32_t *starts;
  const Index *labels;
  const Weight *weights;

  void expect(uint32_t node) const {
    prefetch(labels + starts[node]);
    prefetch(weights + starts[node]);
  }

  // Adds the weights of the children whose label is present, without a branch that depends on it.
  typename Accumulator<Weight>::type sum(uint32_t node, const int8_t *present) const {
    typename Accumulator<Weight>::type sum = 0;
    for (uint32_t child = starts[node], end = starts[node + 1]; child < end; ++child)
      sum += masked(weights[child], present[labels[child]]);
    return sum;
  }

  // Lists the children whose label is present, with room for one more; returns the end of the list.
  uint32_t *list(uint32_t node, const int8_t *present, uint32_t *to) const {
    for (uint32_t child = starts[node], end = starts[node + 1]; child < end; ++child) {
      *to = child;
      to -= present[labels[child]];
    }
    return to;
  }
};

template <class Weight, class Index>
Children<Weight, Index> leaves_below(const FrozenArrays &model, int level) {
  return {model.leaf_starts[level], static_cast<const Index *>(model.leaf_labels[level + 1]),
          static_cast<const Weight *>(model.leaf_weights[level + 1])};
}

template <class Weight, class Index>
Children<Weight, Index> inner_below(const FrozenArrays &model, int level) {
  return {model.inner_starts[level], static_cast<const Index *>(model.inner_labels[level + 1]),
          static_cast<const Weight *>(model.inner_weights[level + 1])};
}

// Starts loading the first level below a rare feature.
template <class Weight, class Index>
void expect_trie_part(const FrozenArrays &model, int64_t tail) {
  if (model.degree > 1) leaves_below<Weight, Index>(model, 0).expect(uint32_t(tail));
  if (model.degree > 2) inner_below<Weight, Index>(model, 0).expect(uint32_t(tail));
}

// Level by level, so that the next level's nodes are known, and loading, before they are read.
template <class Weight, class First, class Index>
double trie_part(const FrozenArrays &model, int64_t tail, FrozenScratch &scratch) {
  const int8_t *const present = scratch.present.data();
  double part = double(static_cast<const First *>(model.leaf_weights[0])[tail]);
  if (model.degree == 2)  // one level, one node: no lists of them
    return part + model.scale[1] * double(leaves_below<Weight, Index>(model, 0).sum(uint32_t(tail), present));
  std::vector<uint32_t> &nodes = scratch.nodes, &next = scratch.next_nodes;
  nodes.assign(1, uint32_t(tail));
  for (int level = 0; level + 1 < model.degree && !nodes.empty(); ++level) {
    typename Accumulator<Weight>::type sum = 0;
    const auto leaves = leaves_below<Weight, Index>(model, level);
    next.clear();
    if (level + 2 < model.degree) {
      const auto inner = inner_below<Weight, Index>(model, level);
      int64_t most = 1;
      for (uint32_t node : nodes) most += inner.starts[node + 1] - inner.starts[node];
      next.resize(most);
      uint32_t *end = next.data();
      for (uint32_t node : nodes) end = inner.list(node, present, end);
      next.resize(end - next.data());
      for (uint32_t child : next) {
        sum += inner.weights[child];
        prefetch(model.leaf_starts[level + 1] + child);
      }
    }
    for (uint32_t node : nodes) sum += leaves.sum(node, present);
    if (level + 2 < model.degree)
      for (uint32_t child : next) leaves_below<Weight, Index>(model, level + 1).expect(child);
    part += model.scale[level + 1] * double(sum);
    nodes.swap(next);
  }
  return part;
}

}  // namespace kakari
