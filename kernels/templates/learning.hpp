// Passive-aggressive learning over lists of candidates (Algorithm 1 of the template kernel paper): a candidate's score is
// a linear one, w·g, and the sum over its parts of f(p), the support's sum of kernel values.
//
// One example is a list: if the best-scored candidate j is not the wanted one, coefficients of the parts that only the
// wanted one has go up by a step, those that only j has go down, and w moves along the difference of g; the step is
// what makes the wanted one win by the loss of j, and at most `most`. Parts that both have cancel out, and parts that
// all candidates of a list have are left out from the start. f(p) is computed
//   once for each distinct part of a list (`share`), not once for each time it occurs in a candidate;
//   over what was added to the support since the list was last visited (`remember`), not over the whole of it;
//   by the table of combinations instead of the support (`expand`), or not.
// These three change no number: all sums are integers, in units of 2^-32.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/templates/frozen.hpp"

namespace kakari {

constexpr int RERANK_BITS = 32;

// Lists over one array of parts; all arrays are borrowed.
struct CandidateArrays {
  PartArrays parts;
  int64_t lists = 0;
  const int64_t *part_starts = nullptr;        // the distinct parts of each list
  const int64_t *candidate_starts = nullptr;   // the candidates of each list
  const int64_t *occurrence_starts = nullptr;  // the parts of each candidate
  const int32_t *occurrences = nullptr;        // counted from the list's first part, rising
  const int64_t *feature_starts = nullptr;     // of each candidate
  const int32_t *features = nullptr;           // rising
  const int32_t *values = nullptr;
  const int32_t *losses = nullptr;  // of each candidate against the wanted one
  const int32_t *wanted = nullptr;  // of each list, counted from its first candidate

  int64_t size(int64_t list) const { return candidate_starts[list + 1] - candidate_starts[list]; }
  template <class Weight>
  int64_t linear(int64_t candidate, const Weight *weights) const {
    int64_t found = 0;
    for (int64_t k = feature_starts[candidate]; k < feature_starts[candidate + 1]; ++k)
      found += static_cast<int64_t>(weights[features[k]]) * values[k];
    return found;
  }
};

struct RerankSettings {
  double most = 1e-4;
  bool cost_augmented = false, share = true, remember = true, expand = false, with_kernel = true, with_linear = true;
};

class RerankLearner {
 public:
  RerankLearner(const CandidateArrays &lists, const std::vector<int32_t> &widths, int64_t features,
                const RerankSettings &settings)
      : lists_(lists),
        settings_(settings),
        support(lists.parts.kinds, widths),
        table_(lists.parts.kinds),
        weights(features, 0),
        moments(features, 0) {
    if (settings_.remember && settings_.share) known_.resize(lists.parts.count);
    if (settings_.remember && !settings_.share)
      known_.resize(lists.occurrence_starts[lists.candidate_starts[lists.lists]]);
  }

  // Visit one list; returns whether another candidate than the wanted one was best.
  bool visit(int64_t list) {
    ++examples;
    const int64_t first = lists_.candidate_starts[list], count = lists_.size(list), wanted = lists_.wanted[list];
    if (count < 2) return false;
    score(list);
    int64_t best = 0, found = 0;
    for (int64_t j = 0; j < count; ++j) {
      if (scores_[j] > scores_[found]) found = j;
      if (augmented(first, j) > augmented(first, best)) best = j;
    }
    const int64_t lead = scores_[best] - scores_[wanted] + (int64_t{lists_.losses[first + best]} << RERANK_BITS);
    if (best != wanted && lead > 0) update(list, first + wanted, first + best, lead);
    return found != wanted;
  }

  int64_t examples = 0, updates = 0;

 private:
  struct Known {
    int64_t sum = 0, place = 0;
  };

  int64_t augmented(int64_t first, int64_t j) const {
    return scores_[j] + (settings_.cost_augmented ? int64_t{lists_.losses[first + j]} << RERANK_BITS : 0);
  }

  void score(int64_t list) {
    const int64_t first = lists_.candidate_starts[list], count = lists_.size(list), part = lists_.part_starts[list];
    scores_.assign(count, 0);
    counts_.begin(lists_.parts.tables.size());
    if (settings_.with_linear)
      for (int64_t j = 0; j < count; ++j) scores_[j] = lists_.linear(first + j, weights.data());
    if (!settings_.with_kernel) return;
    if (settings_.share) {
      sums_.resize(lists_.part_starts[list + 1] - part);
      for (size_t p = 0; p < sums_.size(); ++p) {
        const int64_t own = part + static_cast<int64_t>(p);
        sums_[p] = settings_.remember ? remembered(known_[own], own) : sum(own);
      }
    }
    for (int64_t j = 0; j < count; ++j)
      for (int64_t k = lists_.occurrence_starts[first + j]; k < lists_.occurrence_starts[first + j + 1]; ++k) {
        const int64_t own = part + lists_.occurrences[k];
        if (!settings_.share) counts_.begin(lists_.parts.tables.size());
        scores_[j] += settings_.share      ? sums_[lists_.occurrences[k]]
                      : settings_.remember ? remembered(known_[k], own)
                                           : sum(own);
      }
  }

  int64_t sum(int64_t part) {
    if (settings_.expand) return table_.sum(lists_.parts.kind_of[part], ArrayRows{lists_.parts, part}, scratch_);
    return support.sum(lists_.parts, part, counts_);
  }

  // The table gives the whole sum; with the support, the additions since the last visit are enough.
  int64_t remembered(Known &known, int64_t part) {
    const int64_t now = support.additions(lists_.parts.kind_of[part]);
    if (now == known.place) return known.sum;
    if (settings_.expand || known.place == 0)
      known.sum = sum(part);
    else
      known.sum += support.sum_since(lists_.parts, part, known.place, counts_);
    known.place = now;
    return known.sum;
  }

  void update(int64_t list, int64_t wanted, int64_t other, int64_t lead) {
    difference(list, wanted, other);
    double norm = 0;
    if (settings_.with_kernel) {
      int64_t own = 0;
      for (const auto &[one, sign] : parts_)
        for (const auto &[two, sign_two] : parts_) own += sign * sign_two * lists_.parts.kernel(one, lists_.parts, two);
      norm += static_cast<double>(own);
    }
    if (settings_.with_linear)
      for (const auto &[feature, value] : changes_) norm += static_cast<double>(value) * static_cast<double>(value);
    if (norm == 0) return;
    const double whole = std::min(static_cast<double>(lead) / norm, std::ldexp(settings_.most, RERANK_BITS));
    const int64_t step = std::llround(whole);
    if (step == 0) return;
    ++updates;
    if (settings_.with_kernel)
      for (const auto &[part, sign] : parts_) {
        support.add(lists_.parts, part, sign * step, sign * step * examples);
        if (settings_.expand)
          table_.add(lists_.parts.kind_of[part], ArrayRows{lists_.parts, part}, sign * step, scratch_);
      }
    if (settings_.with_linear)
      for (const auto &[feature, value] : changes_) {
        weights[feature] += value * step;
        moments[feature] += value * step * examples;
      }
  }

  // The parts and linear features in which two candidates differ.
  void difference(int64_t list, int64_t wanted, int64_t other) {
    parts_.clear();
    changes_.clear();
    const int64_t part = lists_.part_starts[list];
    int64_t a = lists_.occurrence_starts[wanted], b = lists_.occurrence_starts[other];
    const int64_t a_end = lists_.occurrence_starts[wanted + 1], b_end = lists_.occurrence_starts[other + 1];
    while (a < a_end || b < b_end) {
      const int32_t one = a < a_end ? lists_.occurrences[a] : INT32_MAX;
      const int32_t two = b < b_end ? lists_.occurrences[b] : INT32_MAX;
      if (one < two) parts_.push_back({part + one, 1});
      if (two < one) parts_.push_back({part + two, -1});
      a += one <= two;
      b += two <= one;
    }
    a = lists_.feature_starts[wanted];
    b = lists_.feature_starts[other];
    const int64_t a_last = lists_.feature_starts[wanted + 1], b_last = lists_.feature_starts[other + 1];
    while (a < a_last || b < b_last) {
      const int32_t one = a < a_last ? lists_.features[a] : INT32_MAX;
      const int32_t two = b < b_last ? lists_.features[b] : INT32_MAX;
      const int64_t value = (one <= two ? int64_t{lists_.values[a]} : 0) - (two <= one ? int64_t{lists_.values[b]} : 0);
      if (value != 0) changes_.push_back({std::min(one, two), value});
      a += one <= two;
      b += two <= one;
    }
  }

  CandidateArrays lists_;
  RerankSettings settings_;

 public:
  PartSupport support;

 private:
  GrowingTable table_;

 public:
  std::vector<int64_t> weights, moments;

 private:
  std::vector<Known> known_;
  MatchCounts counts_;
  CombinationScratch scratch_;
  std::vector<int64_t> scores_, sums_;
  std::vector<std::pair<int64_t, int64_t>> parts_;
  std::vector<std::pair<int32_t, int64_t>> changes_;
};

}  // namespace kakari
