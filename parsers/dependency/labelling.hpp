// The relation of each word to its head, in a tree that is found: from the root down and from left to right, so that a
// word sees the relations of its head and of the modifiers of its head before it; one row of weights for each
// conjunction (kernels/hashed/rows.hpp).
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
    int32_t before = 0;               // the modifier of its head before it, on either side
  };

  void reset(const int32_t *heads, int32_t length) {
    around.assign(length + 1, Around{});
    order.clear();
    if (modifiers_.size() <= static_cast<size_t>(length)) modifiers_.resize(length + 1);
    for (int32_t m = 0; m <= length; ++m) modifiers_[m].clear();
    for (int32_t m = 1; m <= length; ++m) modifiers_[heads[m - 1]].push_back(m);
    for (int32_t h = 0; h <= length; ++h) {
      const std::vector<int32_t> &own = modifiers_[h];
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
        around[own[k]].before = k > 0 ? own[k - 1] : 0;
        around[own[k]].nearer = right ? before : after;
        around[own[k]].farther = right ? after : before;
      }
    }
    order.push_back(0);
    for (size_t k = 0; k < order.size(); ++k)
      order.insert(order.end(), modifiers_[order[k]].begin(), modifiers_[order[k]].end());
    order.erase(order.begin());
  }

  // The modifiers of a word, from left to right.
  const std::vector<int32_t> &modifiers(int32_t word) const { return modifiers_[word]; }

  std::vector<Around> around;
  std::vector<int32_t> order;  // heads come before their modifiers; words that lead to no root are not in it

 private:
  std::vector<std::vector<int32_t>> modifiers_;
};

// What was decided before a word: the relation of its head, of the modifier before it, and those of all before it, as
// bits of a hash.
struct LabelHistory {
  uint64_t above, before, taken;
};

constexpr int MOST_MODIFIERS = 12;  // of a word that conjunctions have

inline int label_conjunctions(const TokenView &s, const int32_t *heads, const TreeShape &shape, int32_t m,
                              const LabelHistory &history, uint64_t *out) {
  const int32_t h = heads[m - 1];
  const TreeShape::Around &own = shape.around[m];
  const auto token = [&](int32_t at) -> const Token & { return at == 0 ? no_token() : s.at(at); };
  const Token &H = s.at(h), &M = s.at(m), &Hp = s.at(h - 1), &Hn = s.at(h + 1), &Mp = s.at(m - 1), &Mn = s.at(m + 1);
  const Token &F = token(own.first), &L = token(own.last), &N = token(own.nearer), &R = token(own.farther);
  const Token &G = h == 0 ? no_token() : s.at(heads[h - 1]);
  const uint64_t side = h < m, far = distance_bin(h, m) << 1 | side;
  const uint64_t lefts = std::min(own.lefts, 3), rights = std::min(own.rights, 3);
  const uint64_t above = history.above;
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
  add(260, history.before, H.tag, M.tag, side);
  add(261, history.before, H.lemma, M.coarse, side);
  add(262, history.before, M.lemma, side);
  add(263, history.before, above, H.coarse, M.coarse, side);
  add(264, history.taken, H.coarse, M.tag, side);
  add(265, history.taken, H.lemma, M.coarse, side);
  add(266, M.tag, Mp.tag, Mp.lemma, H.coarse, side);
  add(267, M.form, H.coarse, M.tag, Hp.tag);
  int room = MOST_MODIFIERS;
  for (int32_t c : shape.modifiers(m)) {
    if (room-- == 0) break;
    const Token &C = s.at(c);
    const uint64_t place = c < m;
    add(270, M.tag, C.lemma, side, place);
    add(271, M.coarse, C.tag, side, place);
    add(272, H.coarse, M.coarse, C.lemma, side, place);
    add(273, H.lemma, M.coarse, C.lemma, side, place);
    add(274, H.tag, M.tag, C.tag, side, place);
    add(275, above, M.coarse, C.lemma, side);
  }
  for (int j = 0; j < M.count; ++j) {
    add(250, M.features[j], side);
    add(251, H.tag, M.features[j], side);
    add(252, H.lemma, M.coarse, M.features[j], side);
    for (int i = 0; i < H.count; ++i) add(253, H.features[i], M.features[j], H.coarse, M.coarse, side);
  }
  for (int i = 0; i < H.count; ++i) add(254, H.features[i], M.tag, side);
  return std::min(add.count, MOST_CLASSES);  // a learner scores so many at once
}

// The best relation of each word, one after the other.
template <class Weights>
class Labeller {
 public:
  static constexpr uint64_t NO_LABEL = 255;

  Labeller(const Weights &weights, int32_t labels) : weights_(weights), labels_(labels) {}

  void run(const TokenView &tokens, const int32_t *heads, uint8_t *found) {
    struct Nothing {
      bool recall(const TreeShape &, const int32_t *, int32_t, const LabelHistory &, uint8_t &) { return false; }
      void keep(const int32_t *, int32_t, uint8_t) {}
    } nothing;
    run(tokens, heads, found, nothing);
  }

  // The same with a memory of words that were labelled before: `recall` says whether it knows the relation of a word in
  // this place of a tree; if not, `keep` is told the scores of all relations and the best one.
  template <class Memory>
  void run(const TokenView &tokens, const int32_t *heads, uint8_t *found, Memory &memory) {
    shape_.reset(heads, tokens.length());
    uint64_t hashes[MOST_CONJUNCTIONS];
    for (int32_t m : shape_.order) {
      const LabelHistory before = history(heads, found, m);
      if (memory.recall(shape_, heads, m, before, found[m - 1])) continue;
      found[m - 1] = best(hashes, label_conjunctions(tokens, heads, shape_, m, before, hashes));
      memory.keep(scores_, labels_, found[m - 1]);
    }
  }

  // Learn from one tree; how many relations were wrong. The gold relation must win by as much as one update gives it;
  // what comes later sees what was found, as it will when parsing. Words whose gold relation is NO_LABEL teach nothing.
  int32_t learn(RowLearner &weights, const TokenView &tokens, const int32_t *heads, const uint8_t *gold, int64_t now) {
    shape_.reset(heads, tokens.length());
    found_.assign(tokens.length(), 0);
    uint64_t hashes[MOST_CONJUNCTIONS];
    int32_t wrong = 0;
    for (int32_t m : shape_.order) {
      const int count = label_conjunctions(tokens, heads, shape_, m, history(heads, found_.data(), m), hashes);
      const uint8_t found = found_[m - 1] = best(hashes, count);
      if (gold[m - 1] == NO_LABEL) continue;
      wrong += found != gold[m - 1];
      const uint8_t rival = strongest_rival(gold[m - 1]);
      if (scores_[gold[m - 1]] - scores_[rival] >= count) continue;
      weights.update(hashes, count, gold[m - 1], 1, now);
      weights.update(hashes, count, rival, -1, now);
    }
    return wrong;
  }

 private:
  LabelHistory history(const int32_t *heads, const uint8_t *found, int32_t m) const {
    const int32_t h = heads[m - 1], before = shape_.around[m].before;
    uint64_t taken = 0;
    for (int32_t one : shape_.modifiers(h)) {
      if (one == m) break;
      taken |= uint64_t{1} << (mix(found[one - 1] + uint64_t{1}) >> 58);
    }
    return {h == 0 ? NO_LABEL : found[h - 1], before == 0 ? NO_LABEL : found[before - 1], taken};
  }

  uint8_t best(const uint64_t *hashes, int count) {
    std::fill(scores_, scores_ + MOST_CLASSES, 0);
    weights_.score(hashes, count, scores_);
    return static_cast<uint8_t>(std::max_element(scores_, scores_ + labels_) - scores_);
  }
  // The best relation but the gold one, by the scores of the last word; the gold one if there is no other.
  uint8_t strongest_rival(uint8_t gold) const {
    int32_t rival = -1;
    for (int32_t k = 0; k < labels_; ++k)
      if (k != gold && (rival < 0 || scores_[k] > scores_[rival])) rival = k;
    return rival < 0 ? gold : static_cast<uint8_t>(rival);
  }

  const Weights &weights_;
  int32_t labels_;
  TreeShape shape_;
  std::vector<uint8_t> found_;
  int32_t scores_[MOST_CLASSES];
};

}  // namespace kakari
