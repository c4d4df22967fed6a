// The online learner: visit examples one by one, compute a margin, update where it is too small.
//
// What makes it fast is memory between visits (method slicing with reuse): each example keeps its last
// margin, the rare part of it, and how many updates there were at the time. At the next visit the margin is
// either replayed (add the kernel with each update since, good when they are few) or walked (explicit weights
// of the common features, plus the rare part, replayed along the tails of the rare features' posting lists).
// Which is cheaper is estimated from counts alone, so the choice, and with it each rounding, is the same in
// every run. Explicit weights are written only when walks would have saved as much as writing them costs: where
// replaying is fast enough, they never are. Which features have them depends on the support (adaptive_weights.hpp).
// The other methods compute each margin afresh, over support vectors whose updates are summed. Examples may have
// vectors as well as sets (linear_part.hpp): then the kernel is a sum of two.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/learning/adaptive_weights.hpp"
#include "kernels/learning/bounds.hpp"
#include "kernels/learning/linear_part.hpp"
#include "kernels/learning/passes.hpp"
#include "kernels/learning/steps.hpp"

namespace kakari {

// The five exact ways to compute a margin, by the numbers that cross from Cython.
enum class Method { NAIVE = 0, INVERTED = 1, EXPANSION = 2, SPLITTING = 3, SLICING = 4 };

// What is remembered of an example (of the first one if several have the same features).
struct Remembered {
  double margin = 0, rare = 0;
  int32_t margin_at = 0, rare_at = 0;  // valid for the updates before these
  int32_t vector = -1;                 // its number among the support vectors
};

class LearnerBase : public ExampleRuns {
 public:
  // Make an update of a saved model again.
  virtual void repeat(int32_t vector, double amount, int64_t visit) = 0;
  int64_t update_count() const override { return static_cast<int64_t>(updates.size()); }
  uint64_t fingerprint() const override {
    const uint64_t own = ExampleRuns::fingerprint();
    return linear.running() ? own ^ linear.fingerprint() : own;
  }

  // By support vector: the sum of its updates, each times how many visits after the first `skipped` it was made.
  std::vector<double> moments(int64_t skipped) const {
    std::vector<double> sums(coefficients.size(), 0.0);
    for (const Update &update : updates)
      sums[update.vector] += update.amount * static_cast<double>(std::max<int64_t>(update.visit - skipped, 0));
    return sums;
  }

  // How many features have explicit conjunctions now: those laid out at first, and those that came with the support.
  virtual int64_t explicit_features() const = 0;
  virtual void pretend(double faster, int32_t largest_count) = 0;  // see adaptive_weights.hpp

  StepOptions step;
  Method method = Method::SLICING;
  bool reuse = true;
  std::vector<Remembered> remembered;
  std::vector<Update> updates;
  std::vector<double> coefficients;  // by support vector: the sum of its updates
  LinearPart linear;
};

template <int degree>
class Learner : public LearnerBase {
 public:
  void lay_out_as(int64_t common, int64_t dense, int64_t bitmapped) override {
    common_ = common;
    dense_ = dense;
    laid_out_ = true;
    log.reset(degree, static_cast<int32_t>(bitmapped));
    reset_weights();
  }

  void repeat(int32_t vector, double amount, int64_t visit) override { add(vector, amount, visit); }

  int64_t explicit_features() const override { return weights.features(); }
  void pretend(double faster, int32_t largest_count) override { weights.pretend(faster, largest_count); }

  int64_t bytes() const override {
    return index.bytes() + log.bytes() + weights.bytes() + scratch_.bytes() + example_bytes() +
           updates.capacity() * sizeof(Update) + remembered.capacity() * sizeof(Remembered) + bounds_.bytes() +
           coefficients.capacity() * 8 + linear.bytes();
  }

 protected:
  void forget_examples(int64_t rows) override {
    remembered = std::vector<Remembered>(rows);
    if (rows == 0) linear.end();
  }

 private:
  // Of replaying one update, as compared with the costs of adaptive_weights.hpp: while the bitmaps that are read fit into
  // a near cache, and beyond that.
  static constexpr double REPLAY_COST = 0.4, FAR_REPLAY_COST = 1.2;
  static constexpr int64_t NEAR_BYTES = 1 << 20;
  static constexpr int64_t SAMPLE = 256;  // examples that tell how many features should have explicit weights

  bool remembers() const { return method == Method::SLICING && reuse; }

  void lay_out(const std::vector<int64_t> &counts, int64_t rows) override {
    const int64_t features = index.size();
    const int64_t dense = dense_features(degree, features, ranks_.size());
    int64_t common = wanted_common < 0 ? dense : wanted_common;
    if (method == Method::EXPANSION) common = wanted_common < 0 ? INT32_MAX : wanted_common;
    if (method <= Method::INVERTED) common = 0;
    const int64_t bitmapped = remembers() ? bitmapped_ranks(counts, rows) : 0;
    common = std::min<int64_t>(common, INT32_MAX);
    lay_out_as(common, std::min(dense, common), bitmapped);
    keep_to_memory_limit();
  }

  // A first run on few examples must not leave a small layout for all later ones: when twice as many
  // features would now have dense weights, they get them, from all updates made again.
  void grow_layout() override {
    const int64_t dense = dense_features(degree, index.size(), largest_run);
    const bool fixed = wanted_common >= 0 || method < Method::SPLITTING || memory_limit > 0;
    if (fixed || dense < 2 * dense_) return allow_growth();
    common_ = dense_ = dense;
    reset_weights();
    if (!remembers()) write_weights();
  }

  void reset_weights() {
    weights.reset(common_, dense_);
    allow_growth();
  }

  void allow_growth() {
    const bool adapts = remembers() && wanted_common < 0;
    const int64_t spare = memory_limit > 0 ? std::max<int64_t>(memory_limit - bytes(), 1) / 2 : 0;
    weights.allow(adapts ? weights.most_features(index.size(), largest_run, spare) : 0);
  }

  void write_weights() {
    if (weights.write(log, updates)) take_layout();
  }

  // The features with explicit weights have changed: the remembered rare parts are no longer valid.
  void take_layout() {
    common_ = weights.plain();
    dense_ = weights.dense();
    for (Remembered &memory : remembered) memory.rare = 0, memory.rare_at = 0;
  }

  void keep_to_memory_limit() {
    note_memory();
    while (memory_limit > 0 && weights.features() > 0 && bytes() > memory_limit) {
      weights.shrink(std::min<int64_t>(weights.features(), index.size()) / 2);
      take_layout();
    }
  }

  void foresee(int64_t next, int64_t second) override {
    linear.foresee(next);
    if (!remembers()) return;
    log.expect_lists(row_ranks(second), row_length(second), remembered[first_[second]].margin_at);
    log.expect_postings(row_ranks(next), row_length(next), remembered[first_[next]].margin_at);
  }

  const int32_t *row_ranks(int64_t row) const { return ranks_.data() + offsets_[row]; }
  int row_length(int64_t row) const { return static_cast<int>(offsets_[row + 1] - offsets_[row]); }

  void visit(int64_t row) override {
    ++visits;
    const int32_t *ranks = row_ranks(row);
    const int length = row_length(row);
    Remembered &memory = remembered[first_[row]];
    const double label = labels_[row];
    const double margin = label * margin_of(ranks, length, memory, label, linear.margin(row));
    diverged = !std::isfinite(margin);
    if (margin <= 0) ++mistakes_in_pass;
    const double weight = weights_.empty() ? 1.0 : weights_[row];
    const double amount = step_amount<degree>(step, margin, length, weight, 1);
    if (amount <= 0 || diverged) return;
    if (memory.vector < 0) {
      memory.vector = log.add_vector(ranks, length);
      examples.push_back(examples_before + first_[row]);
    }
    add(memory.vector, label * amount, visits);
    linear.add(row, label * amount, visits);
    keep_to_memory_limit();
  }

  void add(int32_t vector, double amount, int64_t visit) {
    const bool repeated = vector < static_cast<int32_t>(coefficients.size());
    if (!repeated) coefficients.push_back(0);
    coefficients[vector] += amount;
    updates.push_back({vector, amount, visit});
    if (repeated && !remembers())
      log.change(vector, amount);
    else
      log.append(vector, amount);
    if (method >= Method::EXPANSION && !remembers()) write_weights();
    if (method == Method::SLICING && !reuse) bounds_.add(log.vector(vector), log.vector_length(vector), amount);
  }

  // `side` is what the example's vector adds. It is added last, so that all methods give the same bits.
  double margin_of(const int32_t *ranks, int length, Remembered &memory, double label, double side) {
    switch (method) {
      case Method::NAIVE:
        return log.naive(ranks, length, scratch_) + side;
      case Method::INVERTED:
        return log.inverted(ranks, length, scratch_) + side;
      case Method::SLICING:
        return reuse ? remembered_margin(ranks, length, memory) + side : bounded_margin(ranks, length, label, side);
      default: {
        const Visited set{ranks, length, 0};
        return weights.sum(set) + weights.rare_part(set, log, scratch_) + side;
      }
    }
  }

  double remembered_margin(const int32_t *ranks, int length, Remembered &memory) {
    const int64_t now = log.size();
    if (memory.margin_at == now) return memory.margin;
    const double replay = replay_cost(now - memory.margin_at);
    if (!weights.walking_pays({ranks, length, memory.rare_at}, replay, log, updates)) {
      memory.margin += log.replay(ranks, length, memory.margin_at, scratch_);
    } else {
      write_weights();
      const Visited set{ranks, length, memory.rare_at};
      memory.rare += weights.rare_part(set, log, scratch_);
      memory.rare_at = static_cast<int32_t>(now);
      memory.margin = weights.sum(set) + memory.rare;
    }
    if (weights.growth_pays(updates) && weights.grow(sampled(), log, updates)) take_layout();
    memory.margin_at = static_cast<int32_t>(now);
    return memory.margin;
  }

  double replay_cost(int64_t updates) const {
    const double cost = REPLAY_COST * static_cast<double>(updates);
    if (updates * (log.bitmapped() + 1) <= NEAR_BYTES * 8) return cost;
    const int64_t near = NEAR_BYTES * 8 / (log.bitmapped() + 1);
    return cost + (FAR_REPLAY_COST - REPLAY_COST) * static_cast<double>(updates - near);
  }

  std::vector<Visited> sampled() const {
    std::vector<Visited> sample;
    const int64_t step = std::max<int64_t>(1, rows() / SAMPLE);
    for (int64_t row = 0; row < rows(); row += step)
      sample.push_back({row_ranks(row), row_length(row), std::max<int64_t>(0, log.size() - rows())});
    return sample;
  }

  // The explicit part first; the rare part only if it could still bring the margin down to one.
  double bounded_margin(const int32_t *ranks, int length, double label, double side) {
    const Visited set{ranks, length, 0};
    const int common = set.below(weights.features());
    const double head = weights.sum(set);
    double lowest = label * (head + side);
    for (int i = common; i < length && lowest > 1; ++i)
      lowest += label > 0 ? bounds_.lowest(ranks[i], i) : -bounds_.highest(ranks[i], i);
    if (lowest > 1 + 1e-9 * (std::abs(head) + std::abs(side))) return label * lowest;
    return head + weights.rare_part(set, log, scratch_) + side;
  }

  AdaptiveWeights<degree> weights;
  Scratch scratch_;
  PartialBounds<degree> bounds_;
};

inline std::unique_ptr<LearnerBase> make_learner(int degree) {
  switch (degree) {
    case 1:
      return std::make_unique<Learner<1>>();
    case 2:
      return std::make_unique<Learner<2>>();
    case 3:
      return std::make_unique<Learner<3>>();
    default:
      return std::make_unique<Learner<4>>();
  }
}

}  // namespace kakari
