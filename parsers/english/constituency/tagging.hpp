// A tagger from left to right with a beam: hashed conjunctions of a window of words, and of the two tags before.
//
// What does not depend on earlier tags is scored once a word, into a row of scores; each hypothesis adds the
// conjunctions with its own last two tags. A hypothesis is (score, tag, where it came from), 16 bytes, all of them in
// one array, `width` for each word. A word costs about 55 + 17 x width lookups.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "parsers/english/words/words.hpp"

namespace kakari {

struct TaggerHypothesis {
  int64_t score;
  int32_t tag, from;
};

template <class Weights>
class TaggerBeam {
 public:
  static constexpr int MOST_FEATURES = 96;

  TaggerBeam(const Weights &weights, int32_t tags, int32_t width) : weights_(weights), tags_(tags), width_(width) {}

  // While learning, what a wrong tag gains: gold tags must win by as much.
  void set_cost(int32_t cost) { cost_ = cost; }

  // Tag a sentence; the tags of the best hypothesis.
  void run(const Word *words, int32_t length, uint8_t *result) {
    search(words, length, nullptr);
    path(length - 1, 0, result);
  }

  // Tag a sentence with all hypotheses in the end that are behind the best one by no more than `doubt`, the best first.
  void finals(const Word *words, int32_t length, int64_t doubt, std::vector<uint8_t> &tags,
              std::vector<int64_t> &scores) {
    const int32_t alive = search(words, length, nullptr);
    const TaggerHypothesis *last = &beam_[static_cast<size_t>(length - 1) * width_];
    for (int32_t k = 0; k < alive && last[0].score - last[k].score <= doubt; ++k) {
      tags.resize(tags.size() + length);
      path(length - 1, k, tags.data() + tags.size() - length);
      scores.push_back(last[k].score);
    }
  }

  // Find where the best hypothesis beats the gold tags by most; give the words up to there, 0 if it nowhere does.
  int32_t violation(const Word *words, int32_t length, const uint8_t *gold, uint8_t *found) {
    search(words, length, gold);
    int32_t worst = 0;
    int64_t most = -1;
    for (int32_t i = 0; i < length; ++i) {
      const int64_t lead = beam_[static_cast<size_t>(i) * width_].score - gold_scores_[i];
      if (lead <= most) continue;
      if (lead == 0) {  // it may be the gold tags themselves
        path(i, 0, found);
        if (std::equal(found, found + i + 1, gold)) continue;
      }
      most = lead;
      worst = i + 1;
    }
    if (worst > 0) path(worst - 1, 0, found);
    return worst;
  }

  int window(const Word *words, int32_t length, int32_t i, uint64_t *out) const {
    static const Word outside;
    const auto at = [&](int32_t k) -> const Word & { return k < 0 || k >= length ? outside : words[k]; };
    const Word &w = at(i), &p1 = at(i - 1), &p2 = at(i - 2), &n1 = at(i + 1), &n2 = at(i + 2);
    const uint64_t first = i == 0, style = style_;
    Conjunctions add(out);
    add(0);
    add(1, w.form);
    add(2, w.lower);
    add(3, p1.lower);
    add(4, n1.lower);
    add(5, p2.lower);
    add(6, n2.lower);
    add(7, p1.lower, w.lower);
    add(8, w.lower, n1.lower);
    add(9, p1.lower, n1.lower);
    add(10, p2.lower, p1.lower);
    add(11, n1.lower, n2.lower);
    for (int k = 0; k < PREFIXES; ++k)
      if (w.prefix[k]) add(12 + k, w.prefix[k]);
    for (int k = 0; k < SUFFIXES; ++k)
      if (w.suffix[k]) add(16 + k, w.suffix[k]);
    add(22, w.shape);
    add(23, w.shape, first, style);
    add(24, w.shape, w.suffix[2]);
    add(25, p1.shape, w.shape);
    add(26, w.shape, n1.shape);
    add(27, p1.shape, w.shape, n1.shape);
    add(28, n1.suffix[2]);
    add(29, p1.suffix[2]);
    add(30, w.suffix[2], n1.lower);
    add(31, w.suffix[2], p1.lower);
    add(32, w.suffix[1], n1.suffix[1]);
    add(33, w.suffix[2], w.prefix[1], first);
    add(34, w.kind);
    add(35, n1.kind);
    add(36, w.kind, n1.kind);
    add(37, w.lower, n1.kind);
    add(38, n1.kind, n2.kind);
    add(39, w.kind, n1.kind, n2.kind);
    add(40, w.lower, n1.kind, n2.kind);
    add(41, w.flags, w.kind);
    add(42, w.flags, first, style, w.suffix[2]);
    add(48, w.kind, n1.lower);
    add(49, w.kind, p1.lower);
    add(50, w.lower, last_);
    add(51, w.shape, w.kind, first);
    add(52, w.flags, w.kind, style);
    add(53, p1.lower, w.lower, n1.lower);
    add(54, p1.shape, w.shape, style);
    add(55, w.shape, n1.shape, style, w.kind);
    add(56, p1.lower, w.suffix[2], n1.kind);
    return add.count;
  }

  int history(const Word *words, int32_t length, int32_t i, uint64_t t1, uint64_t t2, uint64_t *out) const {
    static const Word outside;
    const Word &w = words[i], &n1 = i + 1 < length ? words[i + 1] : outside;
    const Word &p1 = i > 0 ? words[i - 1] : outside;
    Conjunctions add(out);
    add(60, t1);
    add(61, t1, t2);
    add(62, t1, w.lower);
    add(63, t1, t2, w.lower);
    add(64, t1, w.suffix[2], w.shape);
    add(65, t1, w.kind);
    add(66, t1, t2, w.kind);
    add(67, t1, n1.lower);
    add(68, t1, w.kind, n1.kind);
    add(69, t1, w.lower, n1.kind);
    add(70, t2, w.lower);
    add(72, t1, t2, p1.lower, w.kind);
    add(73, t1, w.shape);
    add(74, t1, t2, w.suffix[2]);
    add(75, t1, t2, n1.kind);
    add(76, t1, n1.kind, w.suffix[2]);
    add(77, t1, w.shape, style_, w.kind);
    return add.count;
  }

  void begin(const Word *words, int32_t length) {
    int32_t letters = 0, titles = 0, small = 0;
    for (int32_t i = 0; i < length; ++i) {
      letters += (words[i].flags & (HAS_LOWER | HAS_UPPER)) != 0;
      titles += i > 0 && (words[i].flags & TITLE);
      small += (words[i].flags & HAS_LOWER) != 0;
    }
    // How the sentence uses capital letters: everywhere, in most words, in some, in none but the first, in none.
    const bool begins = length > 0 && (words[0].flags & TITLE);
    style_ = small == 0 ? 4 : 2 * titles > letters ? 3 : titles > 0 ? 2 : begins ? 1 : 0;
    last_ = length > 0 ? words[length - 1].form : 0;
  }

 private:
  // Gives how many hypotheses are left in the end.
  int32_t search(const Word *words, int32_t length, const uint8_t *gold) {
    begin(words, length);
    beam_.resize(static_cast<size_t>(length) * width_);
    gold_scores_.assign(length, 0);
    int32_t alive = 1;
    int64_t gold_score = 0;
    for (int32_t i = 0; i < length; ++i) {
      uint64_t hashes[MOST_FEATURES];
      int32_t fixed[MOST_CLASSES] = {}, scores[MOST_CLASSES];
      weights_.score(hashes, window(words, length, i, hashes), fixed);
      branches_.clear();
      for (int32_t k = 0; k < alive; ++k) {
        std::copy_n(fixed, tags_, scores);
        const uint64_t t1 = tag_at(i - 1, k), t2 = i > 1 ? tag_at(i - 2, before(i, k).from) : OUTSIDE;
        weights_.score(hashes, history(words, length, i, t1, t2, hashes), scores);
        const int64_t so_far = i > 0 ? before(i, k).score : 0;
        if (gold != nullptr)
          for (int32_t tag = 0; tag < tags_; ++tag) scores[tag] += tag == gold[i] ? 0 : cost_;
        for (int32_t tag = 0; tag < tags_; ++tag) branches_.push_back({so_far + scores[tag], tag, k});
      }
      if (gold != nullptr) {
        std::copy_n(fixed, tags_, scores);
        const uint64_t t1 = i > 0 ? gold[i - 1] : OUTSIDE, t2 = i > 1 ? gold[i - 2] : OUTSIDE;
        weights_.score(hashes, history(words, length, i, t1, t2, hashes), scores);
        gold_scores_[i] = gold_score += scores[gold[i]];
      }
      alive = std::min<int32_t>(width_, static_cast<int32_t>(branches_.size()));
      std::partial_sort(branches_.begin(), branches_.begin() + alive, branches_.end(),
                        [](const TaggerHypothesis &a, const TaggerHypothesis &b) {
                          if (a.score != b.score) return a.score > b.score;
                          return a.from != b.from ? a.from < b.from : a.tag < b.tag;
                        });
      std::copy_n(branches_.begin(), alive, beam_.begin() + static_cast<size_t>(i) * width_);
    }
    return alive;
  }

  static constexpr uint64_t OUTSIDE = 255;

  const TaggerHypothesis &before(int32_t i, int32_t k) const { return beam_[static_cast<size_t>(i - 1) * width_ + k]; }
  uint64_t tag_at(int32_t i, int32_t k) const {
    return i < 0 ? OUTSIDE : static_cast<uint64_t>(beam_[static_cast<size_t>(i) * width_ + k].tag);
  }

  // The tags of the hypothesis `at` over the words up to `end`.
  void path(int32_t end, int32_t at, uint8_t *found) const {
    for (int32_t i = end; i >= 0; --i) {
      const TaggerHypothesis &one = beam_[static_cast<size_t>(i) * width_ + at];
      found[i] = static_cast<uint8_t>(one.tag);
      at = one.from;
    }
  }

  const Weights &weights_;
  int32_t tags_, width_, cost_ = 0;
  uint64_t style_ = 0, last_ = 0;
  std::vector<TaggerHypothesis> beam_, branches_;
  std::vector<int64_t> gold_scores_;
};

// One example of structured perceptron learning; says whether it changed anything. The weights that change may be others than
// those that the beam searches with.
template <class Searched>
bool learn_tags(RowLearner &weights, TaggerBeam<Searched> &beam, const Word *words, int32_t length, const uint8_t *gold,
                std::vector<uint8_t> &found, int64_t now) {
  found.resize(length);
  const int32_t end = beam.violation(words, length, gold, found.data());
  uint64_t hashes[TaggerBeam<Searched>::MOST_FEATURES];
  for (int32_t i = 0; i < end; ++i) {
    const uint64_t outside = 255;
    const uint64_t g1 = i > 0 ? gold[i - 1] : outside, g2 = i > 1 ? gold[i - 2] : outside;
    const uint64_t f1 = i > 0 ? found[i - 1] : outside, f2 = i > 1 ? found[i - 2] : outside;
    if (gold[i] != found[i]) {
      const int count = beam.window(words, length, i, hashes);
      weights.update(hashes, count, gold[i], 1, now);
      weights.update(hashes, count, found[i], -1, now);
    }
    if (gold[i] != found[i] || g1 != f1 || g2 != f2) {
      weights.update(hashes, beam.history(words, length, i, g1, g2, hashes), gold[i], 1, now);
      weights.update(hashes, beam.history(words, length, i, f1, f2, hashes), found[i], -1, now);
    }
  }
  return end > 0;
}

}  // namespace kakari
