// A tagger from left to right with a beam: hashed conjunctions of a window of words, and of the two tags before.
//
// What does not depend on earlier tags is scored once a word, into a row of scores; the conjunctions with the last tag
// are added once for each last tag in the beam, those with the last two once for each pair. A hypothesis is (score, tag,
// where it came from), 16 bytes, all of them in one array, `width` for each word. A word costs about 55 lookups, and 10
// and 7 more for each last tag and pair.
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

  // What looks at the tags before: at the last one, at the one before it, and at both. Hypotheses of a beam mostly have
  // the same ones, and share what is seen of them.
  int history(const Word *words, int32_t length, int32_t i, uint64_t t1, uint64_t t2, uint64_t *out) const {
    const int count = last_tag(words, length, i, t1, out);
    return count + both_tags(words, length, i, t1, t2, out + count);
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
      open(words, length, i);
      best_.clear();
      for (int32_t k = 0; k < alive; ++k) {
        const uint64_t t1 = tag_at(i - 1, k), t2 = i > 1 ? tag_at(i - 2, before(i, k).from) : OUTSIDE;
        const int32_t *scores = row_of(words, length, i, t1, t2);
        const int64_t so_far = i > 0 ? before(i, k).score : 0;
        for (int32_t tag = 0; tag < tags_; ++tag)
          keep({so_far + scores[tag] + (gold == nullptr || tag == gold[i] ? 0 : cost_), tag, k});
      }
      if (gold != nullptr) {
        const uint64_t t1 = i > 0 ? gold[i - 1] : OUTSIDE, t2 = i > 1 ? gold[i - 2] : OUTSIDE;
        gold_scores_[i] = gold_score += row_of(words, length, i, t1, t2)[gold[i]];
      }
      alive = static_cast<int32_t>(best_.size());
      std::copy_n(best_.begin(), alive, beam_.begin() + static_cast<size_t>(i) * width_);
    }
    return alive;
  }

  // Put a hypothesis among the best ones, behind those with the same score, which were met before it.
  void keep(const TaggerHypothesis &one) {
    if (best_.size() == static_cast<size_t>(width_)) {
      if (one.score <= best_.back().score) return;
      best_.pop_back();
    }
    size_t at = best_.size();
    best_.push_back(one);
    for (; at > 0 && best_[at - 1].score < one.score; --at) best_[at] = best_[at - 1];
    best_[at] = one;
  }

  static constexpr uint64_t OUTSIDE = 255, ANY = 256;

  struct Row {
    uint64_t last = ANY, second = ANY;  // tags
    int32_t scores[MOST_CLASSES] = {};
  };

  int last_tag(const Word *words, int32_t length, int32_t i, uint64_t t1, uint64_t *out) const {
    const Word &w = words[i], &n1 = i + 1 < length ? words[i + 1] : nothing();
    Conjunctions add(out);
    add(60, t1);
    add(62, t1, w.lower);
    add(64, t1, w.suffix[2], w.shape);
    add(65, t1, w.kind);
    add(67, t1, n1.lower);
    add(68, t1, w.kind, n1.kind);
    add(69, t1, w.lower, n1.kind);
    add(73, t1, w.shape);
    add(76, t1, n1.kind, w.suffix[2]);
    add(77, t1, w.shape, style_, w.kind);
    return add.count;
  }

  int both_tags(const Word *words, int32_t length, int32_t i, uint64_t t1, uint64_t t2, uint64_t *out) const {
    const Word &w = words[i], &n1 = i + 1 < length ? words[i + 1] : nothing();
    const Word &p1 = i > 0 ? words[i - 1] : nothing();
    Conjunctions add(out);
    add(61, t1, t2);
    add(63, t1, t2, w.lower);
    add(66, t1, t2, w.kind);
    add(70, t2, w.lower);
    add(72, t1, t2, p1.lower, w.kind);
    add(74, t1, t2, w.suffix[2]);
    add(75, t1, t2, n1.kind);
    return add.count;
  }

  static const Word &nothing() {
    static const Word outside;
    return outside;
  }

  // Begin a word: score what does not depend on tags.
  void open(const Word *words, int32_t length, int32_t i) {
    uint64_t hashes[MOST_FEATURES];
    rows_.resize(1);
    rows_[0] = Row();
    weights_.score(hashes, window(words, length, i, hashes), rows_[0].scores);
  }

  // The scores of all tags of the word that was begun after these two; they stay until the next call.
  const int32_t *row_of(const Word *words, int32_t length, int32_t i, uint64_t t1, uint64_t t2) {
    size_t last = 0;
    for (size_t at = 1; at < rows_.size(); ++at) {
      if (rows_[at].last != t1) continue;
      if (rows_[at].second == t2) return rows_[at].scores;
      if (rows_[at].second == ANY) last = at;
    }
    uint64_t hashes[MOST_FEATURES];
    if (last == 0) {
      last = rows_.size();
      rows_.push_back(rows_[0]);
      rows_[last].last = t1;
      weights_.score(hashes, last_tag(words, length, i, t1, hashes), rows_[last].scores);
    }
    rows_.push_back(rows_[last]);
    rows_.back().second = t2;
    weights_.score(hashes, both_tags(words, length, i, t1, t2, hashes), rows_.back().scores);
    return rows_.back().scores;
  }

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
  std::vector<TaggerHypothesis> beam_, best_;
  std::vector<Row> rows_;  // of one word: without tags before it, then with those that were met
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
