// The examples of a training run and the order in which a learner, of whatever kind, visits them.
//
// A run holds its examples as increasing ranks of features in compressed rows, visits them pass by pass in the
// given order or in one drawn from a seed, and can be stopped between any two visits. Rows with the same
// features share one memory and one support vector: `first` names the row that stands for all of them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <vector>

#include "kernels/hardware/mixing.hpp"
#include "kernels/replay/support_log.hpp"
#include "kernels/sets/feature_index.hpp"

namespace kakari {

// The order in which a pass visits its examples: Fisher and Yates' shuffle, drawn from SplitMix64.
inline void visiting_order(int64_t examples, uint64_t seed, uint64_t pass, int64_t *order) {
  uint64_t state = seed * 0xD1342543DE82EF95u + pass;
  std::iota(order, order + examples, int64_t{0});
  for (int64_t i = examples - 1; i > 0; --i) {
    std::swap(order[i], order[draw(state) % static_cast<uint64_t>(i + 1)]);
  }
}

class ExampleRuns {
 public:
  virtual ~ExampleRuns() = default;

  // Take the examples of a run; their features join the ranking. `first` names for each row the first
  // row with the same features; `weights` may be null.
  void begin(const int64_t *offsets, const int32_t *ids, int64_t rows, const int64_t *first, const int32_t *labels,
             const double *weights) {
    std::vector<int64_t> counts;
    index.rank(ids, offsets[rows], ranks_, counts);
    offsets_.assign(offsets, offsets + rows + 1);
    sort_rows(offsets, rows, ranks_, index.size());
    first_.assign(first, first + rows);
    labels_.assign(labels, labels + rows);
    weights_.assign(weights, weights ? weights + rows : weights);
    forget_examples(rows);
    largest_run = std::max(largest_run, offsets[rows]);
    if (!laid_out_)
      lay_out(counts, rows);
    else
      grow_layout();
    position = 0;
    start_pass();
    note_memory();
  }

  // Release the examples; the model stays.
  void end() {
    examples_before += rows();
    offsets_ = {}, first_ = {}, order_ = {};
    ranks_ = {}, labels_ = {}, weights_ = {};
    forget_examples(0);
  }

  // Visit up to `examples` examples of this pass, for about `seconds`; return how many were visited.
  int64_t run(int64_t examples, double seconds) {
    using clock = std::chrono::steady_clock;
    const auto deadline =
        clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(seconds));
    int64_t done = 0;
    while (done < examples && position < rows() && !diverged) {
      if (position + 2 < rows()) foresee(row_at(position + 1), row_at(position + 2));
      visit(row_at(position));
      ++position;
      ++done;
      if (done % 32 == 0 && clock::now() >= deadline) break;
    }
    return done;
  }

  void finish_pass() {
    ++passes;
    position = 0;
    mistakes_in_pass = 0;
    start_pass();
  }

  // Draw this pass's order again (also after `position` and `passes` were restored).
  void start_pass() {
    if (!shuffle) return;
    order_.resize(rows());
    visiting_order(rows(), seed, passes, order_.data());
  }

  int64_t rows() const { return static_cast<int64_t>(labels_.size()); }
  int64_t common() const { return common_; }
  int64_t dense() const { return dense_; }
  int64_t bitmapped() const { return log.bitmapped(); }
  bool laid_out() const { return laid_out_; }
  bool running() const { return !offsets_.empty(); }

  // A fingerprint of the run's examples, so that a run cannot be resumed with other ones.
  virtual uint64_t fingerprint() const {
    uint64_t mixed = rows();
    for (int32_t rank : ranks_) mixed = join(mixed, rank);
    for (int64_t offset : offsets_) mixed = join(mixed, offset);
    for (int32_t label : labels_) mixed = join(mixed, label);
    for (double weight : weights_) {
      uint64_t bits;
      std::memcpy(&bits, &weight, sizeof bits);
      mixed = join(mixed, bits);
    }
    return mixed;
  }

  // Lay out an empty model as an earlier one was when it was saved.
  virtual void lay_out_as(int64_t common, int64_t dense, int64_t bitmapped) = 0;
  virtual int64_t update_count() const = 0;
  virtual int64_t bytes() const = 0;

  int64_t wanted_common = -1;  // features with explicit conjunctions, -1 to choose
  int64_t memory_limit = 0;    // in bytes, 0 for none
  bool shuffle = false;
  uint64_t seed = 0;

  FeatureIndex index;
  SupportLog log;
  std::vector<int64_t> examples;  // by support vector: its example, counted over all runs
  int64_t examples_before = 0;    // in earlier runs
  int64_t largest_run = 0;        // in occurrences of features
  int64_t position = 0, passes = 0, visits = 0, mistakes_in_pass = 0, peak_bytes = 0;
  bool diverged = false;  // steps have overshot until a margin was NaN or infinite

 protected:
  virtual void forget_examples(int64_t rows) = 0;  // start with nothing remembered, for this many examples
  virtual void lay_out(const std::vector<int64_t> &counts, int64_t rows) = 0;
  virtual void grow_layout() = 0;
  virtual void visit(int64_t row) = 0;
  virtual void foresee(int64_t, int64_t) {}  // the next rows: a learner may prefetch their memory

  int64_t row_at(int64_t place) const { return shuffle ? order_[place] : place; }

  void note_memory() { peak_bytes = std::max(peak_bytes, bytes()); }

  int64_t example_bytes() const {
    return (offsets_.capacity() + first_.capacity() + order_.capacity() + examples.capacity()) * 8 +
           (ranks_.capacity() + labels_.capacity()) * 4 + weights_.capacity() * 8;
  }

  // How many of the first ranks are in bitmaps: a feature in at least this share of the examples is cheaper
  // to count by its bitmap.
  static int64_t bitmapped_ranks(const std::vector<int64_t> &counts, int64_t rows) {
    constexpr double SHARE = 1.0 / 256;
    const int64_t most = std::min<int64_t>(counts.size(), 1024);
    int64_t bitmapped = 0;
    while (bitmapped < most && counts[bitmapped] >= rows * SHARE) ++bitmapped;
    return bitmapped;
  }

  bool laid_out_ = false;
  int64_t common_ = 0, dense_ = 0;
  std::vector<int64_t> offsets_, first_, order_;
  std::vector<int32_t> ranks_, labels_;
  std::vector<double> weights_;
};

}  // namespace kakari
