// Margins of a fixed support set, by any of the five exact methods.
//
// The support set is kept as the learner keeps it: a log with posting lists (support_log.hpp), explicit
// weights of the common features' conjunctions (conjunctions.hpp) where the method needs them, and, for
// slicing, the bounds that tell when a sign is certain (bounds.hpp). Nothing changes after `build`; all that
// a margin needs on the way is in a Query, so that any number of threads may ask at once.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/learning/bounds.hpp"
#include "kernels/learning/conjunctions.hpp"
#include "kernels/learning/methods.hpp"
#include "kernels/replay/support_log.hpp"
#include "kernels/sets/feature_index.hpp"

namespace kakari {

// One caller's memory: scratch space, and the margins of prefixes seen before (the reuse of slicing). A path
// of the trie is a sequence of features from frequent to rare; its node's weight is the margin of that set.
struct Query {
  static constexpr int64_t MOST_PREFIX_BYTES = 64 << 20;
  Scratch scratch;
  ConjunctionTrie prefixes;
  std::vector<int32_t> ranks;
  std::vector<double> lowest, highest;  // bounds of what the features from a place on will add
};

class MarginsBase {
 public:
  virtual ~MarginsBase() = default;

  // `ranking` names features that take the first ranks; the support set's others follow by frequency.
  virtual void build(const int64_t *offsets, const int32_t *ids, int64_t rows, const double *coefficients,
                     const int32_t *ranking, int64_t ranked) = 0;
  virtual double margin(Query &query, bool sign_only) const = 0;
  virtual int64_t bytes() const = 0;

  void margins(const int64_t *offsets, const int32_t *ids, int64_t rows, bool signs_only, double *results) const {
    Query query;
    for (int64_t row = 0; row < rows; ++row) {
      query.ranks.clear();
      for (int64_t i = offsets[row]; i < offsets[row + 1]; ++i) {
        const int32_t rank = index.find(ids[i]);
        if (rank >= 0) query.ranks.push_back(rank);  // no support vector has the others
      }
      std::sort(query.ranks.begin(), query.ranks.end());
      const double value = margin(query, signs_only);
      results[row] = signs_only ? (value > 0) - (value < 0) : value;
    }
  }

  int method = SLICING;
  bool reuse = true;
  int64_t common = -1;  // features with explicit conjunctions, -1 to choose
  FeatureIndex index;
};

template <int degree>
class Margins : public MarginsBase {
 public:
  void build(const int64_t *offsets, const int32_t *ids, int64_t rows, const double *coefficients,
             const int32_t *ranking, int64_t ranked) override {
    for (int64_t i = 0; i < ranked; ++i) index.add(ranking[i]);
    std::vector<int32_t> ranks;
    std::vector<int64_t> counts;
    index.rank(ids, offsets[rows], ranks, counts);
    sort_rows(offsets, rows, ranks, index.size());
    const int32_t dense = dense_features(degree, index.size(), ranks.size());
    if (method <= INVERTED)
      common = 0;
    else if (method == EXPANSION)
      common = INT32_MAX;
    else if (common < 0)
      common = dense;
    log_.reset(degree, 0);
    weights_.reset(static_cast<int32_t>(common), dense);
    for (int64_t row = 0; row < rows; ++row) {
      const int length = static_cast<int>(offsets[row + 1] - offsets[row]);
      const int32_t *features = ranks.data() + offsets[row];
      log_.append(log_.add_vector(features, length), coefficients[row]);
      weights_.add(features, length, coefficients[row]);
      if (method == SLICING) bounds_.add(features, length, coefficients[row]);
    }
  }

  double margin(Query &query, bool sign_only) const override {
    const int32_t *ranks = query.ranks.data();
    const int length = static_cast<int>(query.ranks.size());
    switch (method) {
      case NAIVE:
        return log_.naive(ranks, length, query.scratch);
      case INVERTED:
        return log_.inverted(ranks, length, query.scratch);
      case SLICING:
        return sliced(query, ranks, length, sign_only);
      default: {
        const int known = weights_.count_common(ranks, length);
        return weights_.sum(ranks, length) + log_.rare_part(ranks, length, known, 0, query.scratch);
      }
    }
  }

  int64_t bytes() const override { return index.bytes() + log_.bytes() + weights_.bytes() + bounds_.bytes(); }

 private:
  // Algorithm 2: feature by feature, from frequent to rare.
  double sliced(Query &query, const int32_t *ranks, int length, bool sign_only) const {
    if (sign_only) bound_the_rest(query, ranks, length);
    double margin = weights_.constant();
    int32_t prefix = 0;
    for (int place = 0; place < length; ++place) {
      if (sign_only) {
        const double sign = certain_sign(margin, query.lowest[place], query.highest[place]);
        if (sign != 0) return sign;
      }
      const int32_t known = prefix < 0 ? 0 : query.prefixes.child(prefix, ranks[place]);
      if (known) {
        margin = query.prefixes.weight(known);
        prefix = known;
        continue;
      }
      margin +=
          ranks[place] < weights_.common() ? weights_.partial(ranks, place) : log_.partial(ranks, place, query.scratch);
      prefix = reuse ? remember(query, prefix, ranks[place], margin) : -1;
    }
    return margin;
  }

  // The node for a prefix that was not known, or -1 once memory is full.
  static int32_t remember(Query &query, int32_t prefix, int32_t rank, double margin) {
    if (prefix < 0 || query.prefixes.bytes() > Query::MOST_PREFIX_BYTES) return -1;
    const int32_t node = query.prefixes.grown_child(prefix, rank);
    query.prefixes.add(node, margin);
    return node;
  }

  void bound_the_rest(Query &query, const int32_t *ranks, int length) const {
    query.lowest.assign(length + 1, 0);
    query.highest.assign(length + 1, 0);
    for (int place = length - 1; place >= 0; --place) {
      query.lowest[place] = query.lowest[place + 1] + bounds_.lowest(ranks[place], place);
      query.highest[place] = query.highest[place + 1] + bounds_.highest(ranks[place], place);
    }
  }

  // The sign of everything in margin + [lowest, highest], with room for rounding; 0 if there are both.
  static double certain_sign(double margin, double lowest, double highest) {
    const double slack = 1e-9 * (std::abs(margin) + highest - lowest);
    return (margin + lowest > slack) - (margin + highest < -slack);
  }

  SupportLog log_;
  ExplicitWeights<degree> weights_;
  PartialBounds<degree> bounds_;
};

inline std::unique_ptr<MarginsBase> make_margins(int degree) {
  switch (degree) {
    case 1:
      return std::make_unique<Margins<1>>();
    case 2:
      return std::make_unique<Margins<2>>();
    case 3:
      return std::make_unique<Margins<3>>();
    default:
      return std::make_unique<Margins<4>>();
  }
}

}  // namespace kakari
