// The relation of each word to its head, in a tree that is found: from the root down, so that a word sees its head's own
// relation; one row of weights for each conjunction (kernels/hashed/rows.hpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/hashed/rows.hpp"
#include "parsers/dependency/templates.hpp"

namespace kakari {

// Who stands where around each word of a tree; 0 where nobody does (nobody leans on a word from the root's place).
class TreeShape {
 public:
  struct Around {
    int32_t first = 0, last = 0;      // modifiers of the word, the outermost ones
    int32_t nearer = 0, farther = 0;  // modifiers of its head on the same side
    int32_t lefts = 0, rights = 0;    // how many modifiers
  };

  void reset(const int32_t *heads, int32_t length) {
    around.assign(length + 1, Around{});
    order.clear();
    std::vector<std::vector<int32_t>> modifiers(length + 1);
    for (int32_t m = 1; m <= length; ++m) modifiers[heads[m - 1]].push_back(m);
    for (int32_t h = 0; h <= length; ++h) {
      const std::vector<int32_t> &own = modifiers[h];
      Around &one = around[h];
      if (!own.empty()) {
        one.first = own.front();
        one.last = own.back();
      }
      for (size_t k = 0; k < own.size(); ++k) {
        const bool right = own[k] > h;
        ++(right ? one.rights : one.lefts);
        const int32_t before = k > 0 && (own[k - 1] > h) == right ? own[k - 1] : 0;
        const int32_t after = k + 1 < own.size() && (own[k + 1] > h) == right ? own[k + 1] : 0;
        around[own[k]].nearer = right ? before : after;
        around[own[k]].farther = right ? after : before;
      }
    }
    order.push_back(0);
    for (size_t k = 0; k < order.size(); ++k)
      order.insert(order.end(), modifiers[order[k]].begin(), modifiers[order[k]].end());
    order.erase(order.begin());
  }

  std::vector<Around> around;
  std::vector<int32_t> order;  // heads come before their modifiers; words that lead to no root are not in it
};

inline int label_conjunctions(const TokenView &s, const int32_t *heads, const TreeShape &shape, int32_t m,
                              uint64_t above, uint64_t *out) {
  const int32_t h = heads[m - 1];
  const TreeShape::Around &own = shape.around[m];
  const auto token = [&](int32_t at) -> const Token & { return at == 0 ? no_token() : s.at(at); };
  const Token &H = s.at(h), &M = s.at(m), &Hp = s.at(h - 1), &Hn = s.at(h + 1), &Mp = s.at(m - 1), &Mn = s.at(m + 1);
  const Token &F = token(own.first), &L = token(own.last), &N = token(own.nearer), &R = token(own.farther);
  const Token &G = h == 0 ? no_token() : s.at(heads[h - 1]);
  const uint64_t side = h < m, far = distance_bin(h, m) << 1 | side;
  const uint64_t lefts = std::min(own.lefts, 3), rights = std::min(own.rights, 3);
  Conjunctions add(out);
  add(200, side);
  add(201, H.tag, M.tag, side);
  add(202, H.tag, M.tag, far);
  add(203, H.lemma, M.tag, side);
  add(204, H.tag, M.lemma, side);
  add(205, H.lemma, M.lemma, side);
  add(206, H.form, M.form, side);
  add(207, M.lemma, side);
  add(208, M.form, M.tag, side);
  add(209, H.lemma, M.coarse, side);
  add(210, H.coarse, M.lemma, side);
  add(211, H.coarse, M.coarse, far);
  add(212, Mp.tag, M.tag, Mn.tag, side);
  add(213, H.tag, Mp.tag, M.tag, side);
  add(214, H.tag, M.tag, Mn.tag, side);
  add(215, Hp.tag, H.tag, M.tag, side);
  add(216, H.tag, Hn.tag, M.tag, side);
  add(217, M.tag, F.tag, L.tag, side);
  add(218, M.tag, F.lemma, side);
  add(219, M.tag, L.lemma, side);
  add(220, H.tag, M.tag, F.tag, side);
  add(221, H.tag, M.tag, L.tag, side);
  add(222, H.lemma, M.tag, F.lemma, side);
  add(223, H.coarse, M.coarse, F.lemma, side);
  add(224, H.coarse, M.coarse, L.lemma, side);
  add(225, H.tag, M.tag, N.tag, side);
  add(226, H.tag, M.tag, R.tag, side);
  add(227, H.lemma, M.tag, N.tag, R.tag, side);
  add(228, H.coarse, M.lemma, N.coarse, R.coarse, side);
  add(229, G.tag, H.tag, M.tag, side);
  add(230, G.coarse, H.coarse, M.lemma, side);
  add(231, M.tag, lefts, rights, side);
  add(232, H.tag, M.tag, lefts, rights, side);
  add(233, above, H.tag, M.tag, side);
  add(234, above, M.lemma, side);
  add(235, above, H.lemma, M.tag, side);
  add(236, above, H.coarse, M.coarse, F.coarse, side);
  add(237, Mp.lemma, M.tag, side);
  add(238, M.tag, Mn.lemma, side);
  add(239, H.coarse, M.lemma, Mn.lemma, side);
  add(240, H.coarse, Mp.lemma, M.lemma, side);
  add(241, H.coarse, M.coarse, shape.around[h].lefts > 0, shape.around[h].rights > 1, side, N.coarse);
  add(242, H.lemma, N.lemma, M.tag, side);
  add(243, H.lemma, M.tag, lefts, F.tag, side);
  add(244, M.coarse, F.lemma, L.lemma);
  const uint64_t last = s.at(s.length()).form;
  add(245, last, H.coarse, M.coarse, side);
  for (int j = 0; j < M.count; ++j) {
    add(250, M.features[j], side);
    add(251, H.tag, M.features[j], side);
    add(252, H.lemma, M.coarse, M.features[j], side);
    for (int i = 0; i < H.count; ++i) add(253, H.features[i], M.features[j], H.coarse, M.coarse, side);
  }
  for (int i = 0; i < H.count; ++i) add(254, H.features[i], M.tag, side);
  return std::min(add.count, MOST_CLASSES);  // a learner scores so many at once
}

// The best relation of each word; `gold`, if given, stands in for the relations above.
template <class Weights>
class Labeller {
 public:
  static constexpr uint64_t NO_LABEL = 255;

  Labeller(const Weights &weights, int32_t labels) : weights_(weights), labels_(labels) {}

  void run(const TokenView &tokens, const int32_t *heads, uint8_t *found) {
    shape_.reset(heads, tokens.length());
    uint64_t hashes[MOST_CONJUNCTIONS];
    for (int32_t m : shape_.order) {
      const int32_t h = heads[m - 1];
      const uint64_t above = h == 0 ? NO_LABEL : found[h - 1];
      found[m - 1] = best(hashes, label_conjunctions(tokens, heads, shape_, m, above, hashes));
    }
  }

  // Learn from one tree; how many relations were wrong.
  int32_t learn(RowLearner &weights, const TokenView &tokens, const int32_t *heads, const uint8_t *gold, int64_t now) {
    shape_.reset(heads, tokens.length());
    uint64_t hashes[MOST_CONJUNCTIONS];
    int32_t wrong = 0;
    for (int32_t m : shape_.order) {
      const int32_t h = heads[m - 1];
      const uint64_t above = h == 0 ? NO_LABEL : gold[h - 1];
      const int count = label_conjunctions(tokens, heads, shape_, m, above, hashes);
      const uint8_t found = best(hashes, count);
      if (found == gold[m - 1]) continue;
      weights.update(hashes, count, gold[m - 1], 1, now);
      weights.update(hashes, count, found, -1, now);
      ++wrong;
    }
    return wrong;
  }

 private:
  uint8_t best(const uint64_t *hashes, int count) const {
    int32_t scores[MOST_CLASSES] = {};
    weights_.score(hashes, count, scores);
    return static_cast<uint8_t>(std::max_element(scores, scores + labels_) - scores);
  }

  const Weights &weights_;
  int32_t labels_;
  TreeShape shape_;
};

}  // namespace kakari
