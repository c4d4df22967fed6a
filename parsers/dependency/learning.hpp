// Passive-aggressive learning of trees (MIRA with the best tree only): the found tree, searched with a cost of 1 for each
// wrong head, must lose to the gold tree by its cost; weights change along the difference of their conjunctions, as far
// as that takes, and by no more than `most`.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/hashed/scalars.hpp"
#include "parsers/dependency/search.hpp"

namespace kakari {

constexpr int64_t COST = int64_t{1} << SCALAR_BITS;

// Conjunctions of the gold tree (+1) and the found one (-1).
class Difference {
 public:
  void clear() {
    gold.clear();
    found.clear();
  }

  // Subtract what both have; the squared length of the rest.
  int64_t reduce() {
    std::sort(gold.begin(), gold.end());
    std::sort(found.begin(), found.end());
    changes.clear();
    int64_t length = 0;
    size_t i = 0, j = 0;
    while (i < gold.size() || j < found.size()) {
      const uint64_t hash = j == found.size() || (i < gold.size() && gold[i] <= found[j]) ? gold[i] : found[j];
      int32_t times = 0;
      for (; i < gold.size() && gold[i] == hash; ++i) ++times;
      for (; j < found.size() && found[j] == hash; ++j) --times;
      if (times == 0) continue;
      changes.push_back({hash, times});
      length += static_cast<int64_t>(times) * times;
    }
    return length;
  }

  void apply(ScalarLearner &weights, int64_t lead, int64_t length, double most, int64_t now) const {
    if (length == 0) return;
    const double whole = static_cast<double>(lead) / static_cast<double>(length);
    const double step = std::min(whole, std::ldexp(most, SCALAR_BITS));
    for (const auto &[hash, times] : changes) weights.add(hash, static_cast<int32_t>(std::lround(step * times)), now);
  }

  std::vector<uint64_t> gold, found;
  std::vector<std::pair<uint64_t, int32_t>> changes;
};

// Collects the conjunctions of a tree's parts.
struct PartCollector {
  const PartTemplates &templates;
  std::vector<uint64_t> &to;
  uint64_t hashes[MOST_CONJUNCTIONS];

  void keep(int count) { to.insert(to.end(), hashes, hashes + count); }
  void arc(int32_t a) { keep(templates.arc(a, hashes)); }
  void parent(int32_t a, int32_t g) { keep(templates.parent(a, g, hashes)); }
  void pair(size_t k, int32_t i, int32_t j) { keep(templates.pair(k, i, j, hashes)); }
  void grand(size_t k, int32_t i, int32_t j, int32_t g) { keep(templates.grand(k, i, j, g, hashes)); }
  void triple(size_t k, int32_t t, int32_t i, int32_t j) { keep(templates.triple(k, t, i, j, hashes)); }
};

// The conjunctions of a tree whose candidates are all arcs there are.
inline void tree_conjunctions(const TokenView &tokens, const int32_t *heads, int32_t order, std::vector<uint64_t> &to) {
  std::vector<std::pair<int32_t, int32_t>> all;
  for (int32_t m = 1; m <= tokens.length(); ++m)
    for (int32_t h = 0; h <= tokens.length(); ++h)
      if (h != m) all.push_back({m, h});
  Candidates candidates;
  candidates.reset(tokens.length(), all);
  const PartTemplates templates(tokens, candidates, order);
  visit_parts(candidates, heads, PartCollector{templates, to, {}});
}

// One example for the light weights: each word chooses its head, with a probability that grows with the score
// (log-linear), and the weights follow the gradient of the log-likelihood; how many words preferred another head.
//
// Not trees but words are learned from: what counts is that the gold head is among the few that are kept.
inline int32_t learn_arcs(const TokenView &tokens, const int32_t *gold, double rate, int64_t now,
                          ScalarLearner &weights, ArcScores &arcs) {
  constexpr double LEAST = 0.01;  // a gradient that is smaller is left out
  const int32_t n = tokens.length();
  score_arcs(tokens, weights, arcs);
  int32_t wrong = 0;
  uint64_t hashes[MOST_CONJUNCTIONS];
  for (int32_t m = 1; m <= n; ++m) {
    int64_t most = IMPOSSIBLE;
    for (int32_t h = 0; h <= n; ++h)
      if (h != m) most = std::max(most, arcs.at(h, m));
    wrong += arcs.at(gold[m - 1], m) < most;
    const auto weight = [&](int32_t h) {
      return std::exp(std::ldexp(static_cast<double>(arcs.at(h, m) - most), -SCALAR_BITS));
    };
    double sum = 0;
    for (int32_t h = 0; h <= n; ++h)
      if (h != m) sum += weight(h);
    for (int32_t h = 0; h <= n; ++h) {
      if (h == m) continue;
      const double gradient = (h == gold[m - 1]) - weight(h) / sum;
      if (std::fabs(gradient) < LEAST) continue;
      const int32_t amount = static_cast<int32_t>(std::lround(std::ldexp(rate * gradient, SCALAR_BITS)));
      const int count = light_arc(tokens, h, m, tokens.between(h, m), hashes);
      for (int i = 0; i < count; ++i) weights.add(hashes[i], amount, now);
    }
  }
  return wrong;
}

// One example for the weights of all parts; how many heads were wrong.
template <class Light>
int32_t learn_tree(const TokenView &tokens, const int32_t *gold, const SearchSettings &settings, const Light &light,
                   double most, int64_t now, ScalarLearner &weights, TreeSearch &search, Difference &difference) {
  const int32_t n = tokens.length();
  score_arcs(tokens, light, search.arcs);
  choose_candidates(search.arcs, settings, gold, search.candidates);
  Candidates &candidates = search.candidates;
  const PartTemplates templates(tokens, candidates, settings.order);
  score_parts(templates, weights, candidates, settings.order, settings.one_root);
  for (size_t a = 0; a < candidates.arcs.size(); ++a)
    if (candidates.arcs[a].head != gold[candidates.arcs[a].modifier - 1]) candidates.arc_scores[a] += COST;
  const FoundTree &best = search.decode(1)[0];
  int32_t wrong = 0;
  for (int32_t m = 0; m < n; ++m) wrong += best.heads[m] != gold[m];
  const int64_t lead = best.score - tree_score(candidates, gold);
  if (wrong == 0 || lead <= 0) return wrong;
  difference.clear();
  visit_parts(candidates, gold, PartCollector{templates, difference.gold, {}});
  visit_parts(candidates, best.heads.data(), PartCollector{templates, difference.found, {}});
  const int64_t length = difference.reduce();
  difference.apply(weights, lead, length, most, now);
  return wrong;
}

}  // namespace kakari
