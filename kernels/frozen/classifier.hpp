// The frozen classifier: head by gathers from simplex arrays, tail by kernel or trie. See model.pyx.
//
// A margin is ((constant + part of the first feature) + part of the second) + ..., where a feature's part is a
// function of itself and the more frequent ones of the example, summed in one fixed order. Whatever a prefix
// table holds and however many threads run, the bits are the same.
#pragma once
#include <cmath>
#include <type_traits>

#include "kernels/frozen/arrays.hpp"
#include "kernels/frozen/head.hpp"
#include "kernels/frozen/prefixes.hpp"
#include "kernels/frozen/tails.hpp"
#include "kernels/hardware/bits.hpp"
#include "kernels/hardware/threads.hpp"

namespace kakari {

class FrozenClassifier {
 public:
  explicit FrozenClassifier(const FrozenArrays &model) : model(model) {}
  virtual ~FrozenClassifier() = default;

  // Ids in any order, repeats and unknown ones allowed.
  virtual double margin(const int32_t *ids, int64_t length, FrozenScratch &scratch) const = 0;

  // The same margin, given the ranks of the ids (-1 for an unknown one), in any order.
  virtual double margin_of_ranks(const int32_t *ranks, int64_t length, FrozenScratch &scratch) const = 0;

  // A number with the margin's sign (positive or not); cheaper than the margin if bounds decide early.
  virtual double sign(const int32_t *ids, int64_t length, FrozenScratch &scratch) const = 0;

  // Each thread takes stretches of the rows; `adaptive_slots` (a power of two, or 0) sizes its prefix table.
  void run(const int64_t *offsets, const int32_t *ids, int64_t rows, double *out, int threads, bool signs,
           int64_t adaptive_slots) const {
    const int64_t stretches = std::max<int64_t>(1, std::min<int64_t>(threads, rows));
    for_each_item<FrozenScratch>(stretches, threads, [&](int64_t stretch, FrozenScratch &scratch) {
      scratch.prefix_keys.resize(adaptive_slots);
      scratch.prefix_totals.resize(adaptive_slots);
      for (int64_t row = rows * stretch / stretches; row < rows * (stretch + 1) / stretches; ++row) {
        if (row + 1 < rows) expect_features(ids + offsets[row + 1], ids + offsets[row + 2]);
        const int32_t *begin = ids + offsets[row];
        const int64_t length = offsets[row + 1] - offsets[row];
        out[row] = signs ? sign(begin, length, scratch) : margin(begin, length, scratch);
      }
    });
  }

  // Prefetch the places of the ranks of these ids.
  void expect_features(const int32_t *begin, const int32_t *end) const {
    for (; begin < end; ++begin) {
      if (!model.direct)
        prefetch(&model.slots[model.slot_of(*begin)]);
      else if (uint32_t(*begin) < model.direct_size)
        prefetch(model.direct + *begin);
    }
  }

  int64_t rank_of(int32_t id) const {
    if (model.direct) return uint32_t(id) < model.direct_size ? model.direct[id] : -1;
    if (id < 0) return -1;
    uint64_t slot = model.slot_of(id);
    while (true) {
      const int32_t rank = model.slots[slot];
      if (rank < 0 || model.ids[rank] == id) return rank;
      slot = (slot + 1) & (model.slots.size() - 1);
    }
  }

  // Leaves the known features in scratch.ranks, ascending and once each. Common ones are sorted by their bits.
  int64_t rank_features(const int32_t *ids, int64_t length, FrozenScratch &scratch) const {
    return sort_ranks([&](int64_t i) { return rank_of(ids[i]); }, length, scratch);
  }

  // The same for ranks that are known, by `rank_at(i)`.
  template <class RankAt>
  int64_t sort_ranks(RankAt rank_at, int64_t length, FrozenScratch &scratch) const {
    scratch.prepare(model, length);
    std::fill(scratch.mask.begin(), scratch.mask.end(), 0);
    const int64_t spare = int64_t(scratch.mask.size()) - 1;  // a word that is never read
    int32_t *const begin = scratch.ranks.data();
    int32_t *tail = begin + length;  // the rare ones are gathered at the end
    for (int64_t i = 0; i < length; ++i) {
      const int64_t rank = rank_at(i);  // no branch depends on it: it would be mispredicted
      scratch.mask[uint64_t(rank) < uint64_t(model.common) ? rank >> 6 : spare] |= uint64_t(1) << (rank & 63);
      tail[-1] = int32_t(rank);
      tail -= rank >= model.common;
    }
    const int64_t rare = begin + length - tail;
    if (rare > 1) std::sort(tail, begin + length);
    int32_t *head = begin;
    for (size_t word = 0; word + 1 < scratch.mask.size(); ++word)
      for (uint64_t bits = scratch.mask[word]; bits; bits &= bits - 1) *head++ = int32_t(word * 64 + lowest_one(bits));
    scratch.head_size = head - begin;
    int32_t *const end = std::unique(tail, begin + length);
    return std::copy(tail, end, head) - begin;
  }

  const FrozenArrays model;
};

template <class Weight, class Index>
class FrozenClassifierOf final : public FrozenClassifier {
  using First = std::conditional_t<std::is_same_v<Weight, double>, double, float>;
  static constexpr int64_t rows_before = 4;  // how far ahead rows of pairs are prefetched
  double (*const kernel_part)(const FrozenArrays &, int64_t, FrozenScratch &);

 public:
  explicit FrozenClassifierOf(const FrozenArrays &model)
      : FrozenClassifier(model), kernel_part(choose_kernel_part<Index>()) {}

  double margin(const int32_t *ids, int64_t length, FrozenScratch &scratch) const override {
    return walk<false>(rank_features(ids, length, scratch), scratch);
  }
  double margin_of_ranks(const int32_t *ranks, int64_t length, FrozenScratch &scratch) const override {
    return walk<false>(sort_ranks([&](int64_t i) { return int64_t{ranks[i]}; }, length, scratch), scratch);
  }
  double sign(const int32_t *ids, int64_t length, FrozenScratch &scratch) const override {
    return walk<true>(rank_features(ids, length, scratch), scratch);
  }

 private:
  // Adds up the margin of the `known` features in scratch.ranks.
  template <bool may_stop>
  double walk(int64_t known, FrozenScratch &scratch) const {
    if (model.kernel_tail)  // long before they are needed
      for (int64_t i = scratch.head_size; i < known; ++i)
        prefetch_kernel_part<Index>(model, scratch.ranks[i] - model.common);
    const bool adaptive = !scratch.prefix_keys.empty();
    PrefixWalk cached(scratch);
    int64_t found = 0, begin = 0;
    scratch.totals[0] = model.constant;
    if (adaptive) {
      found = cached.find(known);
      if (found == known && known) return cached.total(known);
      // A tail cannot be continued from a prefix: the table does not hold its support vectors' matches.
      begin = std::min(found, scratch.head_size);
      if (begin) scratch.totals[begin] = cached.total(begin);
    }
    walk_head(begin, scratch);
    const bool done = walk_tail<may_stop>(known, scratch);
    if (adaptive && done) cached.remember(found, known);
    return scratch.totals[known];
  }

  // Level k of a common feature's part is one gather: the simplex places of the subsets of k features seen
  // so far are the same for every later feature, except for where its own block begins.
  void walk_head(int64_t begin, FrozenScratch &scratch) const {
    if (model.degree == 2) return walk_pairs(begin, scratch);
    scratch.make_room_for_subsets(model.degree);
    for (int64_t i = 0; i < begin; ++i) add_subsets(scratch.ranks[i], scratch);
    for (int64_t i = begin; i < scratch.head_size; ++i) {
      const int32_t rank = scratch.ranks[i];
      double part = double(static_cast<const First *>(model.head[0])[rank]);
      for (int size = 1; size < model.degree; ++size) {
        const Weight *block = static_cast<const Weight *>(model.head[size]) + choose(rank, size + 1);
        const auto sum = gather(block, scratch.subsets[size].data(), scratch.subset_counts[size]);
        part += model.scale[size] * double(sum);
      }
      scratch.totals[i + 1] = scratch.totals[i] + part;
      if (i + 1 < scratch.head_size) add_subsets(rank, scratch);
    }
  }

  // The same for subsets of one feature: the features themselves.
  void walk_pairs(int64_t begin, FrozenScratch &scratch) const {
    const First *const first = static_cast<const First *>(model.head[0]);
    const Weight *const pairs = static_cast<const Weight *>(model.head[1]);
    const int32_t *const ranks = scratch.ranks.data();
    double total = scratch.totals[begin];
    for (int64_t i = begin; i < scratch.head_size; ++i) {
      if (i + rows_before < scratch.head_size) prefetch(pairs + choose(ranks[i + rows_before], 2));
      const auto sum = gather(pairs + choose(ranks[i], 2), ranks, i);
      total += double(first[ranks[i]]) + model.scale[1] * double(sum);
      scratch.totals[i + 1] = total;
    }
  }

  void add_subsets(int32_t rank, FrozenScratch &scratch) const {
    for (int size = model.degree - 1; size > 0; --size) {
      int32_t *to = scratch.subsets[size].data() + scratch.subset_counts[size];
      if (size == 1) {
        *to = rank;
        ++scratch.subset_counts[1];
        return;
      }
      const int32_t block = int32_t(choose(rank, size));
      const int32_t *from = scratch.subsets[size - 1].data();
      const int64_t count = scratch.subset_counts[size - 1];
      for (int64_t i = 0; i < count; ++i) to[i] = block + from[i];
      scratch.subset_counts[size] += count;
    }
  }

  // Returns whether every total was computed; if not, totals[known] only has the margin's sign.
  template <bool may_stop>
  bool walk_tail(int64_t known, FrozenScratch &scratch) const {
    int64_t i = scratch.head_size;
    if (i == known) return true;
    double highest = 0, lowest = 0, slack = 0;
    if (may_stop) {
      for (int64_t j = i; j < known; ++j) widen(j, scratch, 1, highest, lowest);
      // An upper bound on the rounding error between here and the margin.
      slack = 1e-10 * (std::fabs(scratch.totals[i]) + std::fabs(highest) + std::fabs(lowest));
    }
    open_tail(known, scratch);
    for (; i < known; ++i) {
      if (may_stop) {
        const double least = scratch.totals[i] + lowest, most = scratch.totals[i] + highest;
        if (least > slack || most < -slack) {
          close_tail(known, scratch);
          scratch.totals[known] = least > slack ? least : most;
          return false;
        }
        widen(i, scratch, -1, highest, lowest);
      }
      const int64_t tail = scratch.ranks[i] - model.common;
      const double part =
          model.kernel_tail ? kernel_part(model, tail, scratch) : trie_part<Weight, First, Index>(model, tail, scratch);
      scratch.totals[i + 1] = scratch.totals[i] + part;
    }
    close_tail(known, scratch);
    return true;
  }

  // Adds to (or takes from) the bounds what the feature at position i can bring at most and at least.
  void widen(int64_t i, const FrozenScratch &scratch, double by, double &highest, double &lowest) const {
    const int64_t tail = scratch.ranks[i] - model.common;
    const double most = model.kernel_tail ? scratch.growth[i] : 1, least = model.kernel_tail ? scratch.growth[0] : 0;
    highest += by * (most * model.tail_positive[tail] - least * model.tail_negative[tail]);
    lowest += by * (least * model.tail_positive[tail] - most * model.tail_negative[tail]);
  }

  void open_tail(int64_t known, FrozenScratch &scratch) const {
    if (model.kernel_tail) return;
    for (int64_t i = 0; i < known; ++i) scratch.present[scratch.ranks[i]] = -1;
    for (int64_t i = scratch.head_size; i < known; ++i)
      expect_trie_part<Weight, Index>(model, scratch.ranks[i] - model.common);
  }

  void close_tail(int64_t known, FrozenScratch &scratch) const {
    if (model.kernel_tail) {
      for (int64_t i = 0; i < scratch.met_count; ++i) scratch.matches[scratch.met[i]] = 0;
      scratch.met_count = 0;
    } else {
      for (int64_t i = 0; i < known; ++i) scratch.present[scratch.ranks[i]] = 0;
    }
  }
};

template <class Index>
FrozenClassifier *new_classifier_of(const FrozenArrays &model, int bytes) {
  switch (bytes) {
    case 1:
      return new FrozenClassifierOf<int8_t, Index>(model);
    case 2:
      return new FrozenClassifierOf<int16_t, Index>(model);
    case 4:
      return new FrozenClassifierOf<float, Index>(model);
    default:
      return new FrozenClassifierOf<double, Index>(model);
  }
}

inline FrozenClassifier *new_classifier(const FrozenArrays &model, int weight_bytes, int index_bytes) {
  return index_bytes == 2 ? new_classifier_of<uint16_t>(model, weight_bytes)
                          : new_classifier_of<uint32_t>(model, weight_bytes);
}

}  // namespace kakari
