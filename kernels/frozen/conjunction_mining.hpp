// PrefixSpan over rank-sorted rows, with real-valued minimum supports. See mining.pyx for the account.
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

namespace kakari {

constexpr int largest_degree = 4;
constexpr int histogram_shift = 12;  // of the bits of a float32: a bin is 2**-11 of its value wide
constexpr int64_t histogram_size = int64_t(1) << (32 - 1 - histogram_shift);

// One level of the trie of kept conjunctions. A node that only leads to kept ones has weight 0. The children
// of node i are child_ends[i-1] .. child_ends[i] of the next level; the last level has none.
struct ConjunctionLevel {
  std::vector<int32_t> features;
  std::vector<double> weights;
  std::vector<int64_t> child_ends;
};

class ConjunctionMiner {
 public:
  ConjunctionMiner(const int64_t *offsets, const int32_t *ranks, const double *coefficients, int64_t rows,
                   int64_t features, int degree, const double *subset_weights)
      : offsets(offsets), ranks(ranks), coefficients(coefficients), rows(rows), degree(degree) {
    std::copy(subset_weights, subset_weights + degree + 1, subset_weight);
    largest_weight[degree] = subset_weight[degree];
    for (int size = degree - 1; size >= 0; --size)
      largest_weight[size] = std::max(subset_weight[size], largest_weight[size + 1]);
    for (int size = 0; size < degree; ++size) sums[size].assign(features, Sums{0, 0, 0, 0});
  }

  // Thresholds of the weights on either side; `counting` fills the histogram of scaled sizes
  // (weight / positive_scale, -weight / negative_scale) instead of the levels.
  void mine(double positive, double negative, int64_t rows_at_least, bool counting, double positive_scale,
            double negative_scale) {
    threshold_positive = positive;
    threshold_negative = negative;
    minimum_rows = rows_at_least;
    count_only = counting;
    scale_positive = positive_scale;
    scale_negative = negative_scale;
    if (counting) histogram.assign(histogram_size, 0);
    std::vector<Place> all(rows);
    for (int64_t row = 0; row < rows; ++row) all[row] = {int32_t(row), int32_t(offsets[row + 1] - offsets[row])};
    expand(0, all.data(), rows);
  }

  ConjunctionLevel levels[largest_degree];
  std::vector<int64_t> histogram;

 private:
  struct Place {
    int32_t row;
    int32_t position;  // the features that may follow stand left of it
  };
  struct Sums {
    double positive, negative;  // both as positive numbers
    int64_t rows;
    int64_t begin;  // of the projected database
  };
  struct Candidate {
    int32_t feature;
    Sums sums;
    bool promising;
  };

  const int64_t *offsets;
  const int32_t *ranks;
  const double *coefficients;
  int64_t rows;
  int degree;
  double subset_weight[largest_degree + 1], largest_weight[largest_degree + 1];
  double threshold_positive, threshold_negative, scale_positive, scale_negative;
  int64_t minimum_rows;
  bool count_only;
  std::vector<Sums> sums[largest_degree];
  std::vector<int32_t> touched;
  std::vector<Place> projected[largest_degree];

  bool within_reach(const Sums &sum, int size) const {
    return largest_weight[size] * sum.positive >= threshold_positive ||
           largest_weight[size] * sum.negative >= threshold_negative;
  }

  bool kept(double weight) const {
    return weight > 0 ? weight >= threshold_positive : weight < 0 && -weight >= threshold_negative;
  }

  // Extends a prefix of `size` features by every feature left of its places. Returns whether the trie
  // has got any node below the prefix.
  bool expand(int size, const Place *places, int64_t count) {
    std::vector<Candidate> candidates = survey(size, places, count);
    if (candidates.empty()) return false;
    std::vector<Place> &database = projected[size];  // deeper calls use their own level's
    if (size + 1 < degree) project(size, places, count, candidates, database);
    bool any = false;
    for (const Candidate &candidate : candidates) any |= visit(size, candidate, database);
    return any;
  }

  // Sums up every extension, and returns those that can be kept or extended, in order of rank.
  std::vector<Candidate> survey(int size, const Place *places, int64_t count) {
    std::vector<Sums> &sum = sums[size];
    touched.clear();
    for (int64_t i = 0; i < count; ++i) {
      const int32_t *row = ranks + offsets[places[i].row];
      const double alpha = coefficients[places[i].row];
      const double positive = alpha > 0 ? alpha : 0, negative = alpha < 0 ? -alpha : 0;
      for (int32_t p = 0; p < places[i].position; ++p) {
        Sums &own = sum[row[p]];
        if (own.rows++ == 0) touched.push_back(row[p]);
        own.positive += positive;
        own.negative += negative;
      }
    }
    std::vector<Candidate> candidates;
    for (int32_t feature : touched) {
      const Sums &own = sum[feature];
      if (own.rows >= minimum_rows && within_reach(own, size + 1)) {
        const bool promising = size + 1 < degree && within_reach(own, size + 2);
        if (promising || kept(subset_weight[size + 1] * (own.positive - own.negative)))
          candidates.push_back({feature, own, promising});
      }
      sum[feature] = {0, 0, 0, 0};
    }
    std::sort(candidates.begin(), candidates.end(),
              [](const Candidate &a, const Candidate &b) { return a.feature < b.feature; });
    return candidates;
  }

  // Lays the databases of the candidates one behind the other.
  void project(int size, const Place *places, int64_t count, std::vector<Candidate> &candidates,
               std::vector<Place> &database) {
    std::vector<Sums> &sum = sums[size];
    int64_t total = 0;
    for (Candidate &candidate : candidates) {
      candidate.sums.begin = total;
      total += candidate.promising ? candidate.sums.rows : 0;
      sum[candidate.feature].rows = candidate.promising;
      sum[candidate.feature].begin = candidate.sums.begin;
    }
    database.resize(total);
    for (int64_t i = 0; i < count; ++i) {
      const int32_t *row = ranks + offsets[places[i].row];
      for (int32_t p = 0; p < places[i].position; ++p) {
        Sums &own = sum[row[p]];
        if (own.rows) database[own.begin++] = {places[i].row, p};
      }
    }
    for (Candidate &candidate : candidates) sum[candidate.feature] = {0, 0, 0, 0};
  }

  bool visit(int size, const Candidate &candidate, const std::vector<Place> &database) {
    const double weight = subset_weight[size + 1] * (candidate.sums.positive - candidate.sums.negative);
    const bool keep = kept(weight);
    if (count_only) {
      if (keep) count_size(weight);
      if (candidate.promising) expand(size + 1, &database[candidate.sums.begin], candidate.sums.rows);
      return true;
    }
    ConjunctionLevel &level = levels[size];
    level.features.push_back(candidate.feature);
    level.weights.push_back(keep ? weight : 0);
    bool below = false;
    if (candidate.promising) below = expand(size + 1, &database[candidate.sums.begin], candidate.sums.rows);
    if (!keep && !below) {
      level.features.pop_back();
      level.weights.pop_back();
      return false;
    }
    if (size + 1 < degree) level.child_ends.push_back(int64_t(levels[size + 1].features.size()));
    return true;
  }

  void count_size(double weight) {
    const float scaled = float(weight > 0 ? weight / scale_positive : -weight / scale_negative);
    uint32_t bits;
    std::memcpy(&bits, &scaled, sizeof bits);
    ++histogram[bits >> histogram_shift];
  }
};

}  // namespace kakari
