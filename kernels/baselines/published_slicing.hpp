// Kernel slicing as it was published (Yoshinaga and Kitsuregawa, 2010, Algorithm 2), for the figures of that paper.
//
// An example's features are taken from the most frequent to the rarest. The partial margin of the j-th feature, what it
// adds to the margin of the features before it, is kept in a trie of feature prefixes, so that all examples that begin
// alike share it, together with the number of updates at the time (reuse, Eq. 6). What came since is added by the kernel,
// or, for one of the N common features whose new support vectors are many (Eq. 7), the partial margin is computed afresh
// from the weight trie (Eq. 5), whose paths go from the rarest feature of a conjunction to the most frequent. Before each
// feature, bounds of what the rest can add may end the computation, if the loss is zero whatever they add (Eqs. 8, 9).
//
// Kakari's own learner (kernels/learning/binary.hpp) remembers whole margins of examples instead of prefixes' parts: it
// looks at one number a visit where this looks at one a feature. Both are exact and make the same updates bit for bit.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "kernels/baselines/numbered_keys.hpp"
#include "kernels/learning/bounds.hpp"
#include "kernels/learning/steps.hpp"

namespace kakari {

// Children of the nodes of a trie, numbered by parent and label. Node 0 is the root.
class EdgeTable {
 public:
  int64_t nodes() const { return edges_.size() + 1; }
  int64_t bytes() const { return edges_.bytes(); }

  int32_t find(int32_t parent, int32_t label) const { return edges_.find(packed(parent, label)) + 1; }
  int32_t add(int32_t parent, int32_t label) { return edges_.add(packed(parent, label)) + 1; }

 private:
  static uint64_t packed(int32_t parent, int32_t label) {
    return static_cast<uint64_t>(parent) << 32 | (static_cast<uint64_t>(label) + 1);
  }

  NumberedKeys edges_;
};

struct SliceUpdate {
  int64_t row;
  double amount;
  int64_t visit;
};

class SlicerBase {
 public:
  virtual ~SlicerBase() = default;
  // Visit a row of increasing ranks; rank 0 is the most frequent feature. Rows must stay where they are.
  virtual void visit(const int32_t *ranks, int length, int label, int64_t row) = 0;
  virtual double margin(const int32_t *ranks, int length) = 0;  // of the model as it is now, without reuse
  virtual int64_t bytes() const = 0;

  StepOptions step;
  bool reuse = true, terminate = true;
  int32_t common = 0;  // N
  std::vector<SliceUpdate> updates;
  int64_t visits = 0, ended_early = 0;
};

template <int degree>
class Slicer : public SlicerBase {
 public:
  explicit Slicer(int64_t features) : postings_(features), places_(features, 0) {
    for (int64_t number = 0; number <= degree; ++number) factors_[number] = subset_weight(static_cast<int>(number));
  }

  void visit(const int32_t *ranks, int length, int label, int64_t row) override {
    ++visits;
    bool enough = false;
    const double margin = sliced(ranks, length, label, enough);
    if (enough) return void(++ended_early);
    const double amount = step_amount<degree>(step, label * margin, length, 1.0, 1);
    if (amount > 0) update(ranks, length, label * amount, row);
  }

  double margin(const int32_t *ranks, int length) override {
    const bool reuses = reuse;
    bool enough = false;
    reuse = false;
    const double found = sliced(ranks, length, 0, enough);
    reuse = reuses;
    return found;
  }

  int64_t bytes() const override {
    int64_t total = weight_edges_.bytes() + prefix_edges_.bytes() + bounds_.bytes();
    total += static_cast<int64_t>(weights_.capacity() * 8 + partial_.capacity() * sizeof(Partial));
    total += static_cast<int64_t>(support_.capacity() * sizeof(Support) + updates.capacity() * sizeof(SliceUpdate));
    for (const auto &list : postings_) total += static_cast<int64_t>(list.capacity() * 4 + sizeof(list));
    return total;
  }

 private:
  struct Partial {
    double value = 0;
    int32_t updates = 0;  // how many there were when it was computed
  };
  struct Support {
    const int32_t *ranks;
    int32_t length;
    double amount;
  };

  // The partial margins of a row, one feature after another (Algorithm 2). A label of 0 asks for the margin itself.
  double sliced(const int32_t *ranks, int length, int label, bool &enough) {
    const int32_t now = static_cast<int32_t>(support_.size());
    double margin = total_;
    ahead_.assign(length + 1, 0);
    if (terminate && label)
      for (int j = length - 1; j >= 0; --j)
        ahead_[j] = ahead_[j + 1] + (label > 0 ? bounds_.lowest(ranks[j], j) : -bounds_.highest(ranks[j], j));
    int32_t prefix = 0;
    int j = 0;
    for (; j < length; ++j) {
      if (terminate && label && label * margin > 1 && label * margin + ahead_[j] - SLACK > 1) {
        enough = true;
        break;
      }
      places_[ranks[j]] = j + 1;
      Partial *known = nullptr;
      if (reuse) {
        prefix = prefix_edges_.add(prefix, ranks[j]);
        if (prefix >= static_cast<int64_t>(partial_.size())) partial_.resize(2 * prefix + 1);
        known = &partial_[prefix];
      }
      const Partial before = known ? *known : Partial{};
      double value;
      if (ranks[j] < common && !few_since(ranks[j], before.updates, j))
        value = walked(ranks, j);
      else
        value = before.value + replayed(ranks[j], before.updates);
      if (known) *known = {value, now};
      margin += value;
    }
    for (int k = 0; k < j; ++k) places_[ranks[k]] = 0;
    return margin;
  }

  // Whether the kernel with the newer support vectors is cheaper than the conjunctions of the j-th feature (Eq. 7).
  bool few_since(int32_t rank, int32_t since, int before) const {
    if (!reuse || degree < 3) return false;
    double conjunctions = 0, chosen = 1;
    for (int k = 0; k < degree; ++k) {
      conjunctions += chosen;
      chosen *= static_cast<double>(before - k) / (k + 1);
    }
    return 1.0 + static_cast<double>(count_since(rank, since)) * before <= conjunctions;
  }

  int64_t count_since(int32_t rank, int32_t since) const {
    const std::vector<int32_t> &list = postings_[rank];
    return list.end() - std::lower_bound(list.begin(), list.end(), since);
  }

  // What the updates from `since` on add to the partial margin of a feature (Eq. 6; Eq. 4 if `since` is 0).
  double replayed(int32_t rank, int32_t since) const {
    const std::vector<int32_t> &list = postings_[rank];
    double sum = 0;
    for (auto at = std::lower_bound(list.begin(), list.end(), since); at != list.end(); ++at) {
      const Support &support = support_[*at];
      int shared = 0;
      for (int i = 0; i < support.length && support.ranks[i] < rank; ++i) shared += places_[support.ranks[i]] > 0;
      sum += support.amount * (power(shared + 2) - power(shared + 1));
    }
    return sum;
  }

  // The weights of all conjunctions of the j-th feature with features before it (Eq. 5).
  double walked(const int32_t *ranks, int j) const {
    const int32_t node = weight_edges_.find(0, ranks[j]);
    return node ? weights_[node] + deeper(node, ranks, j, 1) : 0;
  }

  double deeper(int32_t parent, const int32_t *ranks, int below, int depth) const {
    if (depth >= degree) return 0;
    double sum = 0;
    for (int k = 0; k < below; ++k) {
      const int32_t node = weight_edges_.find(parent, ranks[k]);
      if (node) sum += weights_[node] + deeper(node, ranks, k, depth + 1);
    }
    return sum;
  }

  void update(const int32_t *ranks, int length, double amount, int64_t row) {
    const int32_t number = static_cast<int32_t>(support_.size());
    support_.push_back({ranks, length, amount});
    updates.push_back({row, amount, visits});
    total_ += amount;
    bounds_.add(ranks, length, amount);
    int known = 0;
    while (known < length && ranks[known] < common) ++known;
    for (int i = 0; i < length; ++i) postings_[ranks[i]].push_back(number);
    write(0, ranks, known, amount, 1);
  }

  void write(int32_t parent, const int32_t *ranks, int below, double amount, int depth) {
    for (int k = 0; k < below; ++k) {
      const int32_t node = weight_edges_.add(parent, ranks[k]);
      if (node >= static_cast<int64_t>(weights_.size())) weights_.resize(2 * node + 1, 0.0);
      weights_[node] += amount * factors_[depth];
      if (depth < degree) write(node, ranks, k, amount, depth + 1);
    }
  }

  static double power(double base) {
    double product = 1;
    for (int i = 0; i < degree; ++i) product *= base;
    return product;
  }

  // The squared coefficient of a conjunction of so many features in (1 + s·x)^degree: surjections, by differences of powers.
  static double subset_weight(int size) {
    double sum = 0, chosen = 1;
    for (int m = size; m >= 0; --m) {
      sum += ((size - m) % 2 ? -chosen : chosen) * power(m + 1.0);
      chosen = chosen * m / (size - m + 1);
    }
    return sum;
  }

  static constexpr double SLACK = 1e-9;  // bounds are added up in another order than margins

  EdgeTable weight_edges_, prefix_edges_;
  std::vector<double> weights_;
  std::vector<Partial> partial_;
  std::vector<Support> support_;
  std::vector<std::vector<int32_t>> postings_;  // by rank, the numbers of updates
  std::vector<int32_t> places_;                 // by rank, one more than its place in the row that is being visited
  std::vector<double> ahead_;
  std::array<double, degree + 1> factors_{};
  PartialBounds<degree> bounds_;
  double total_ = 0;
};

inline SlicerBase *new_slicer(int degree, int64_t features) {
  if (degree == 1) return new Slicer<1>(features);
  if (degree == 2) return new Slicer<2>(features);
  if (degree == 3) return new Slicer<3>(features);
  return new Slicer<4>(features);
}

}  // namespace kakari
