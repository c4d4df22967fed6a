// Explicit weights for as many features as is fastest: few at first, more as the support grows.
//
// A margin is walked in two parts: conjunctions of the features below `features()` have explicit weights, one access
// each; for rarer features the support vectors that have one are looked at, along posting lists. Lists grow with the
// support and accesses do not, so the number of features with explicit weights must rise. The first ones (`dense`) have
// doubles (conjunctions.hpp), those after them counts (counted_weights.hpp). How many are best is estimated on a sample
// of the examples, and the change is made once it would have saved what it costs. Costs are estimated from counts
// alone, so that every run makes the same choices; and sums are exact, so that every choice gives the same bits.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/hardware/lazy_pages.hpp"
#include "kernels/learning/conjunctions.hpp"
#include "kernels/learning/counted_weights.hpp"
#include "kernels/replay/support_log.hpp"

namespace kakari {

struct Update {
  int32_t vector;
  double amount;
  int64_t visit;  // when, counted from one
};

// Features of one example, by increasing rank, and up to which update its rare part is known.
struct Visited {
  const int32_t *ranks;
  int length;
  int64_t rare_at;

  int below(int64_t limit) const { return static_cast<int>(std::lower_bound(ranks, ranks + length, limit) - ranks); }
};

template <int degree>
class AdaptiveWeights {
 public:
  // Relative costs (in quarters of a nanosecond) of reading or writing one explicit weight, which is seldom in the cache
  // where conjunctions have three features and hardly ever among counts, and of meeting one rare posting.
  static constexpr double WALK_COST = degree < 3 ? 1.0 : 8.0, COUNTED_COST = 16, POSTING_COST = degree < 3 ? 5 : 60;

  // Explicit weights of the ranks below `common`, those below `dense` in arrays of doubles.
  void reset(int64_t common, int64_t dense) {
    plain_.reset(static_cast<int32_t>(common), static_cast<int32_t>(dense));
    counted_.clear();
    most_ = 0;
    written_ = 0;
    missed_savings_ = missed_growth_ = 0;
    patience_ = HASTE;
  }

  // Let counts reach the features below `most`, 0 for none.
  void allow(int64_t most) {
    if (forbidden_ || degree == 1 || plain_.common() != plain_.dense()) most = 0;
    most_ = counting() ? std::min<int64_t>(most, counted_.reserved()) : most;
  }

  int64_t features() const { return std::max<int64_t>(plain_.common(), counted_.limit()); }
  int64_t plain() const { return plain_.common(); }  // those without counts
  int64_t dense() const { return plain_.dense(); }
  int64_t bytes() const { return plain_.bytes() + counted_.bytes(); }
  size_t unwritten(const std::vector<Update> &updates) const { return updates.size() - written_; }

  // How many features may have counts, for so many occurrences of features in the data and so many bytes: about 300 bytes
  // of counts for each occurrence, and no more than an eighth of the machine's memory (here 3 GB at most).
  static int64_t most_features(int64_t features, int64_t occurrences, int64_t bytes) {
    int64_t cells = std::min<int64_t>(CELLS_AN_OCCURRENCE * occurrences, MOST_CELLS);
    cells = std::min<int64_t>(cells, physical_memory() / 8 / static_cast<int64_t>(sizeof(int16_t)));
    if (bytes > 0) cells = std::min<int64_t>(cells, bytes / static_cast<int64_t>(sizeof(int16_t)));
    int64_t lowest = 0, highest = std::min<int64_t>(features, MOST_RANKS);
    while (lowest < highest) {
      const int64_t middle = (lowest + highest + 1) / 2;
      if (choose(middle, degree) <= cells)
        lowest = middle;
      else
        highest = middle - 1;
    }
    return lowest;
  }

  // The margin of the set without its features of rank `features()` and above, where all updates are written.
  double sum(const Visited &set) const {
    if (!counting()) return plain_.sum(set.ranks, set.length);
    const int plain = set.below(plain_.common());
    return plain_.sum(set.ranks, set.length) + counted_.sum(set.ranks, plain, std::max(plain, counted_end(set)));
  }

  // What the updates since `rare_at` add to the margin that `sum` does not include.
  double rare_part(const Visited &set, const SupportLog &log, Scratch &scratch) const {
    const int plain = set.below(plain_.common());
    if (!counting()) return log.rare_part(set.ranks, set.length, plain, set.rare_at, scratch);
    const int common = std::max(plain, counted_end(set));
    return log.long_rare_part(set.ranks, set.length, common, set.rare_at, scratch) +
           counted_.odd_sum(set.ranks, plain, common, set.rare_at, scratch);
  }

  // Add the updates that are not in the explicit weights yet; true if other features have explicit weights now.
  bool write(const SupportLog &log, const std::vector<Update> &updates) {
    bool changed = false;
    for (; written_ < updates.size(); ++written_) {
      const Update &update = updates[written_];
      const int32_t *ranks = log.vector(update.vector);
      const int length = log.vector_length(update.vector);
      plain_.add(ranks, length, update.amount);
      if (!counting()) continue;
      counted_.add(ranks, length, update.amount, static_cast<int64_t>(written_));
      if (counted_.full() || !counted_.mostly_regular()) changed = drop_counts(log, updates);
    }
    missed_savings_ = 0;
    return changed;
  }

  // Whether a walk is cheaper than the alternative of cost `other`, and walks would have saved the cost of the weights.
  bool walking_pays(const Visited &set, double other, const SupportLog &log, const std::vector<Update> &updates) {
    const int plain = set.below(plain_.common());
    double least = 0;
    for (int order = 1; order <= degree; ++order) least += WALK_COST * choose(plain, order);
    if (least >= other * eagerness_) return false;
    const double walk = walk_cost(set, features(), other, log);
    if (features() < most_ && ++visits_ % LOOK_EVERY == 0) note_growth(set, walk < other ? walk : other, log);
    if (walk >= other) return false;
    missed_savings_ += other - walk;
    return missed_savings_ >= walk * static_cast<double>(unwritten(updates));
  }

  bool growth_pays(const std::vector<Update> &updates) const {
    return missed_growth_ > 0 && missed_growth_ >= patience_ * growth_cost_ * static_cast<double>(updates.size());
  }

  // Lay out explicit weights of as many features as are best for a sample of examples; true if these are more.
  bool grow(const std::vector<Visited> &sample, const SupportLog &log, const std::vector<Update> &updates) {
    missed_growth_ = 0;
    const int64_t before = features(), chosen = best_features(sample, log);
    if (chosen <= before) {
      patience_ *= 4;
      return false;
    }
    if (!counting()) {
      counted_.reset(plain_.dense(), static_cast<int32_t>(most_), std::abs(updates.back().amount));
      written_ = 0;
      plain_.reset(plain_.common(), plain_.dense());
      counted_.raise(static_cast<int32_t>(chosen));
      write(log, updates);
      return true;
    }
    counted_.raise(static_cast<int32_t>(chosen));
    for (size_t i = 0; i < written_ && !counted_.full(); ++i) {
      const int32_t vector = updates[i].vector;
      counted_.extend(log.vector(vector), log.vector_length(vector), updates[i].amount, static_cast<int32_t>(before));
    }
    if (counted_.full()) drop_counts(log, updates);
    return true;
  }

  // Drop the explicit weights of the ranks from `features` on for good.
  void shrink(int64_t features) {
    forbid();
    if (counting() && features > plain_.dense()) return counted_.shrink(static_cast<int32_t>(features));
    counted_.clear();
    plain_.shrink(static_cast<int32_t>(features));
  }

  // For tests on little data: assume that walks are `faster` times as fast, and that larger counts do not fit.
  void pretend(double faster, int32_t largest_count) {
    eagerness_ = faster;
    counted_.largest = largest_count;
  }

 private:
  static constexpr int64_t CELLS_AN_OCCURRENCE = 160, MOST_CELLS = 1'500'000'000, MOST_RANKS = 60'000;
  static constexpr double WORTHWHILE = 1.05,
                          HASTE = 0.25;      // the support will grow: a layout that pays soon is made now
  static constexpr int64_t LOOK_EVERY = 16;  // visits, since the estimate itself takes time

  void forbid() {
    forbidden_ = true;
    most_ = 0;
  }

  bool counting() const { return counted_.limit() > 0; }
  int counted_end(const Visited &set) const { return set.below(counted_.limit()); }

  // The cost of a walk if the ranks below `features` have explicit weights; stops counting at `most`.
  double walk_cost(const Visited &set, int64_t features, double most, const SupportLog &log) const {
    const int plain = set.below(plain_.common()), common = std::max(plain, set.below(features));
    double cost = 0;
    for (int order = 1; order <= degree; ++order)
      cost += (WALK_COST - COUNTED_COST) * choose(plain, order) + COUNTED_COST * choose(common, order);
    cost /= eagerness_;
    if (cost >= most) return cost;
    return cost +
           POSTING_COST / eagerness_ * log.expected_postings(set.ranks + common, set.length - common, set.rare_at);
  }

  void note_growth(const Visited &set, double cost, const SupportLog &log) {
    const double walk = walk_cost(set, most_, cost, log);
    if (walk >= cost) return;
    missed_growth_ += LOOK_EVERY * (cost - walk);
    growth_cost_ = walk;
  }

  // Of limits that double the number of counts each time, the least that is nearly as good as the best.
  int64_t best_features(const std::vector<Visited> &sample, const SupportLog &log) const {
    std::vector<int64_t> limits = {most_};
    while (limits.back() > features()) limits.push_back(std::max<int64_t>(features(), limits.back() * 0.8));
    std::vector<double> costs;
    for (int64_t limit : limits) {
      double cost = 0;
      for (const Visited &set : sample) cost += walk_cost(set, limit, 1e300, log);
      costs.push_back(cost);
    }
    const double best = *std::min_element(costs.begin(), costs.end());
    for (size_t i = limits.size(); i-- > 0;)
      if (costs[i] <= WORTHWHILE * best) return limits[i];
    return features();
  }

  // Stop using counts: one does not fit into its two bytes, or steps have many sizes. More features get doubles
  // instead, as long as these take no more memory than the counts did.
  bool drop_counts(const SupportLog &log, const std::vector<Update> &updates) {
    const bool full = counted_.full();
    int64_t dense = plain_.dense();
    const int64_t cells = choose(counted_.limit(), degree) / 4;
    while (dense < counted_.limit() && choose(dense + 1, degree) <= cells && (!full || dense < 2 * plain_.dense()))
      ++dense;
    if (!full || dense == plain_.dense()) forbid();
    counted_.clear();
    plain_.reset(static_cast<int32_t>(dense), static_cast<int32_t>(dense));
    for (size_t i = 0; i <= written_ && i < updates.size(); ++i)
      plain_.add(log.vector(updates[i].vector), log.vector_length(updates[i].vector), updates[i].amount);
    return true;
  }

  double eagerness_ = 1;
  ExplicitWeights<degree> plain_;
  CountedWeights<degree> counted_;
  int64_t most_ = 0;        // features that may have counts
  bool forbidden_ = false;  // counts were tried and do not fit
  int64_t visits_ = 0;
  size_t written_ = 0;         // updates that are in the weights
  double missed_savings_ = 0;  // time that walks would have saved since then, in the unit of the costs
  double missed_growth_ = 0;   // time that more features would have saved since the last estimate
  double growth_cost_ = 0;     // of writing one update into so many
  double patience_ = HASTE;    // growth must save this many times its cost
};

}  // namespace kakari
