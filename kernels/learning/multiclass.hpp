// The online learner of k classes at once: compute all margins, and where the right class does not lead the
// strongest wrong one by enough, add the example to the one and take it from the other.
//
// An update is an entry of the log (support_log.hpp) with the two classes that it moves. Margins come from the
// explicit weights of the common features (class_weights.hpp), plus, along the posting lists, the updates that
// share a rarer feature. Each example remembers its margins and their rare part, 2k numbers, and how many updates
// there were at the time; at its next visit only later updates are looked at: all of them if they are few
// (replay), else those with a rare feature. Where so many numbers would take too much memory, nothing is
// remembered, and the rare part is summed over all updates.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/learning/class_weights.hpp"
#include "kernels/learning/passes.hpp"
#include "kernels/learning/steps.hpp"

namespace kakari {

class MulticlassBase : public ExampleRuns {
 public:
  // Make an update of a saved model again.
  virtual void repeat(int32_t vector, int32_t right, int32_t wrong, double amount, int64_t visit) = 0;
  int64_t update_count() const override { return log.size(); }

  // By support vector and class: the sum of its updates, each times how many visits after the first `skipped` it
  // was made.
  std::vector<double> moments(int64_t skipped) const {
    std::vector<double> sums(coefficients.size(), 0.0);
    for (int64_t entry = 0; entry < log.size(); ++entry) {
      const double visit = static_cast<double>(std::max<int64_t>(visits_of[entry] - skipped, 0));
      const size_t begin = static_cast<size_t>(log.entry_vectors()[entry]) * classes;
      Shift{rights[entry], wrongs[entry], log.entry_coefficients()[entry] * visit}.apply(sums.data() + begin);
    }
    return sums;
  }

  StepOptions step;
  int32_t classes = 2;
  std::vector<int32_t> rights, wrongs;  // by update: the classes that it moved ...
  std::vector<int64_t> visits_of;       // ... and when it was made, counted from one
  std::vector<double> coefficients;     // by support vector and class: the sum of its updates
  // Of each example (of the first one, where several have the same features):
  std::vector<double> margins, rare_parts;   // k each, or none if nothing is remembered
  std::vector<int32_t> margins_at, rare_at;  // valid for the updates before these
  std::vector<int32_t> vectors;              // its number among the support vectors, -1 if it is none
};

template <int degree>
class MulticlassLearner : public MulticlassBase {
 public:
  void lay_out_as(int64_t common, int64_t dense, int64_t bitmapped) override {
    log.reset(degree, static_cast<int32_t>(bitmapped));
    laid_out_ = true;
    found_.assign(classes, 0.0);
    rebuild(common, dense);
  }

  void repeat(int32_t vector, int32_t right, int32_t wrong, double amount, int64_t visit) override {
    add(vector, {right, wrong, amount}, visit);
  }

  int64_t bytes() const override {
    return index.bytes() + log.bytes() + weights.bytes() + scratch_.bytes() + example_bytes() +
           (visits_of.capacity() + coefficients.capacity() + margins.capacity() + rare_parts.capacity()) * 8 +
           (rights.capacity() + wrongs.capacity() + margins_at.capacity() + rare_at.capacity() + vectors.capacity()) *
               4;
  }

 protected:
  void forget_examples(int64_t rows) override {
    const int64_t most = memory_limit > 0 ? std::min(MOST_REMEMBERED, memory_limit / 2) : MOST_REMEMBERED;
    const int64_t numbers = rows * classes * 16 <= most ? rows * classes : 0;
    margins = std::vector<double>(numbers);
    rare_parts = std::vector<double>(numbers);
    margins_at = std::vector<int32_t>(rows);
    rare_at = std::vector<int32_t>(rows);
    vectors = std::vector<int32_t>(rows, -1);
  }

  void lay_out(const std::vector<int64_t> &counts, int64_t rows) override {
    const int64_t dense = dense_features(degree, index.size(), ranks_.size(), classes);
    const int64_t common = wanted_common < 0 ? dense : std::min<int64_t>(wanted_common, INT32_MAX);
    lay_out_as(common, std::min(dense, common), margins.empty() ? 0 : bitmapped_ranks(counts, rows));
    keep_to_memory_limit();
  }

  // As in the binary learner: larger later runs get the dense weights that they would have had as first ones.
  void grow_layout() override {
    const int64_t dense = dense_features(degree, index.size(), largest_run, classes);
    if (wanted_common < 0 && memory_limit == 0 && dense >= 2 * dense_) rebuild(dense, dense);
  }

  void visit(int64_t row) override {
    ++visits;
    const int64_t first = first_[row];
    const int32_t *ranks = ranks_.data() + offsets_[row];
    const int length = static_cast<int>(offsets_[row + 1] - offsets_[row]);
    const double *found = margins_of(first, ranks, length);
    const int32_t right = labels_[row], wrong = strongest_but(right, found);
    const double lead = found[right] - found[wrong];
    diverged = !std::isfinite(lead);
    if (lead <= 0) ++mistakes_in_pass;
    const double weight = weights_.empty() ? 1.0 : weights_[row];
    const double amount = step_amount<degree>(step, lead, length, weight, 2);
    if (amount <= 0 || diverged) return;
    if (vectors[first] < 0) {
      vectors[first] = log.add_vector(ranks, length);
      examples.push_back(examples_before + first);
    }
    add(vectors[first], {right, wrong, amount}, visits);
    keep_to_memory_limit();
  }

 private:
  static constexpr int64_t MOST_REMEMBERED = int64_t{128} << 20;  // bytes
  // Relative costs: of a conjunction, and of each of its weights; of replaying an update; of a rare posting.
  static constexpr double WALK_COST = 1.0, WEIGHT_COST = 0.5, REPLAY_COST = 3.0, POSTING_COST = 16;

  // Write the weights of the conjunctions of `common` features again, from all updates made again.
  void rebuild(int64_t common, int64_t dense) {
    weights.reset(classes, static_cast<int32_t>(common), static_cast<int32_t>(dense));
    common_ = common;
    dense_ = weights.dense();
    for (int64_t entry = 0; entry < log.size(); ++entry) write(entry);
  }

  void keep_to_memory_limit() {
    note_memory();
    while (memory_limit > 0 && common_ > 0 && bytes() > memory_limit) {
      rebuild(std::min<int64_t>(common_, index.size()) / 2, dense_);
      std::fill(rare_parts.begin(), rare_parts.end(), 0.0);
      std::fill(rare_at.begin(), rare_at.end(), 0);
    }
  }

  // The first of the strongest classes other than the right one.
  int32_t strongest_but(int32_t right, const double *found) const {
    int32_t wrong = right == 0 ? 1 : 0;
    for (int32_t i = wrong + 1; i < classes; ++i)
      if (i != right && found[i] > found[wrong]) wrong = i;
    return wrong;
  }

  void add(int32_t vector, const Shift &shift, int64_t visit) {
    const size_t begin = static_cast<size_t>(vector) * classes;
    if (begin == coefficients.size()) coefficients.resize(begin + classes, 0.0);
    shift.apply(coefficients.data() + begin);
    log.append(vector, shift.amount);
    rights.push_back(shift.right);
    wrongs.push_back(shift.wrong);
    visits_of.push_back(visit);
    write(log.size() - 1);
  }

  void write(int64_t entry) {
    const int32_t vector = log.entry_vectors()[entry];
    weights.add(log.vector(vector), log.vector_length(vector),
                {rights[entry], wrongs[entry], log.entry_coefficients()[entry]});
  }

  const double *margins_of(int64_t first, const int32_t *ranks, int length) {
    const int common = weights.count_common(ranks, length);
    if (margins.empty()) {
      weights.sum(ranks, length, found_.data());
      add_rare(ranks, length, common, 0, found_.data());
      return found_.data();
    }
    double *own = margins.data() + first * classes;
    const int64_t now = log.size(), missed = now - margins_at[first];
    if (missed == 0) return own;
    if (replay_is_cheaper(ranks, length, common, missed, rare_at[first])) {
      log.each_since(ranks, length, margins_at[first], scratch_,
                     [&](int64_t entry, double amount) { shift_of(entry, amount).apply(own); });
    } else {
      double *rare = rare_parts.data() + first * classes;
      add_rare(ranks, length, common, rare_at[first], rare);
      rare_at[first] = static_cast<int32_t>(now);
      weights.sum(ranks, length, own);
      for (int32_t i = 0; i < classes; ++i) own[i] += rare[i];
    }
    margins_at[first] = static_cast<int32_t>(now);
    return own;
  }

  void add_rare(const int32_t *ranks, int length, int common, int64_t from, double *target) {
    log.each_rare(ranks, length, common, from, scratch_,
                  [&](int64_t entry, double amount) { shift_of(entry, amount).apply(target); });
  }

  Shift shift_of(int64_t entry, double amount) const { return {rights[entry], wrongs[entry], amount}; }

  bool replay_is_cheaper(const int32_t *ranks, int length, int common, int64_t missed, int64_t from) const {
    double conjunctions = 0;
    for (int order = 1; order <= degree; ++order) conjunctions += choose(common, order);
    double walk = (WALK_COST + WEIGHT_COST * classes) * conjunctions;
    const double replay = REPLAY_COST * missed;
    if (replay <= walk) return true;
    walk += POSTING_COST * log.expected_postings(ranks + common, length - common, from);
    return replay <= walk;
  }

  ClassWeights<degree> weights;
  Scratch scratch_;
  std::vector<double> found_;  // margins that are not remembered
};

inline std::unique_ptr<MulticlassBase> make_multiclass_learner(int degree) {
  switch (degree) {
    case 1:
      return std::make_unique<MulticlassLearner<1>>();
    case 2:
      return std::make_unique<MulticlassLearner<2>>();
    case 3:
      return std::make_unique<MulticlassLearner<3>>();
    default:
      return std::make_unique<MulticlassLearner<4>>();
  }
}

}  // namespace kakari
