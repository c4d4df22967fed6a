// Labels of a sentence's tokens, one after another: greedily, or with a beam of hypotheses.
//
// A scorer is told the features that do not depend on decisions once a token, the others once a hypothesis. Linear
// weights add up, so that the first part is summed once; a polynomial kernel sees both parts together, by one frozen
// machine a class, or a pair of classes that vote. Scratch memory belongs to the search, which is one thread's.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/frozen/classifier.hpp"
#include "parsers/sequences/features.hpp"

namespace kakari {

// The labels that each token may have: `which[token]` chooses a list of them, or all where it is negative.
struct Choices {
  const int32_t *which = nullptr;
  const int32_t *starts = nullptr;
  const uint8_t *labels = nullptr;
};

template <class Weights>
class LinearScorer {
 public:
  LinearScorer(const Weights &weights, int32_t labels) : weights_(weights), labels_(labels) {}

  void begin(const uint64_t *features, int count) {
    std::fill_n(fixed_, labels_, 0);
    weights_.score(features, count, fixed_);
  }

  void score(const uint64_t *features, int count, double *scores) {
    std::copy_n(fixed_, labels_, sums_);
    weights_.score(features, count, sums_);
    for (int32_t label = 0; label < labels_; ++label) scores[label] = sums_[label];
  }

 private:
  const Weights &weights_;
  int32_t labels_;
  int32_t fixed_[MOST_CLASSES] = {}, sums_[MOST_CLASSES] = {};
};

class KernelScorer {
 public:
  KernelScorer(const std::vector<const FrozenClassifier *> &machines, int32_t labels, bool pairs)
      : machines_(machines), scratch_(machines.size()), labels_(labels), pairs_(pairs) {}

  void begin(const uint64_t *features, int count) {
    for (int i = 0; i < count; ++i) ids_[i] = id_of(features[i]);
    fixed_ = count;
  }

  void score(const uint64_t *features, int count, double *scores) {
    for (int i = 0; i < count; ++i) ids_[fixed_ + i] = id_of(features[i]);
    length_ = fixed_ + count;
    if (labels_ == 2) {
      scores[1] = margin(0);
      scores[0] = -scores[1];
    } else if (pairs_) {
      vote(scores);
    } else {
      for (int32_t label = 0; label < labels_; ++label) scores[label] = margin(label);
    }
  }

 private:
  double margin(size_t machine) { return machines_[machine]->margin(ids_, length_, scratch_[machine]); }

  // Equal votes are told apart by the sum of the margins, squeezed so that it never outweighs a vote.
  void vote(double *scores) {
    double sums[MOST_CLASSES] = {};
    std::fill_n(scores, labels_, 0.0);
    size_t machine = 0;
    for (int32_t first = 0; first < labels_; ++first)
      for (int32_t second = first + 1; second < labels_; ++second) {
        const double found = margin(machine++);
        scores[found > 0 ? first : second] += 1;
        sums[first] += found;
        sums[second] -= found;
      }
    for (int32_t label = 0; label < labels_; ++label) scores[label] += sums[label] / (3 * (std::fabs(sums[label]) + 1));
  }

  const std::vector<const FrozenClassifier *> &machines_;
  std::vector<FrozenScratch> scratch_;
  int32_t labels_;
  bool pairs_;
  int32_t ids_[MOST_TEMPLATES] = {};
  int64_t fixed_ = 0, length_ = 0;
};

struct Hypothesis {
  double score;
  int32_t label, from;
};

template <class Scorer>
class LabelSearch {
 public:
  LabelSearch(Scorer &scorer, const Templates &templates, int32_t labels, int32_t width, bool backwards)
      : scorer_(scorer), templates_(templates), labels_(labels), width_(width), backwards_(backwards) {}

  void run(const Tokens &tokens, const Choices &choices, uint8_t *found) {
    if (width_ == 1) return run_greedily(tokens, choices, found);
    search(tokens, choices, nullptr);
    write_path(tokens.length, tokens.length, found);
  }

  // Finds where the best hypothesis beats the gold labels by most and writes its labels up to there. Returns how many
  // steps these are, 0 if it never does.
  int32_t violation(const Tokens &tokens, const uint8_t *gold, uint8_t *found) {
    search(tokens, Choices(), gold);
    int32_t steps = 0;
    double most = -1;
    for (int32_t step = 0; step < tokens.length; ++step) {
      const double lead = beam_[static_cast<size_t>(step) * width_].score - gold_scores_[step];
      if (lead <= most || (lead == 0 && is_path(tokens.length, step + 1, gold))) continue;
      most = lead;
      steps = step + 1;
    }
    write_path(tokens.length, steps, found);
    return steps;
  }

  int32_t place(int32_t length, int32_t step) const { return backwards_ ? length - 1 - step : step; }

 private:
  void run_greedily(const Tokens &tokens, const Choices &choices, uint8_t *found) {
    uint64_t features[MOST_TEMPLATES];
    double scores[MOST_CLASSES];
    for (int32_t step = 0; step < tokens.length; ++step) {
      const int32_t at = place(tokens.length, step);
      scorer_.begin(features, fixed_features(templates_, tokens, at, features));
      const auto decision = [&](int32_t steps) -> uint64_t {
        return steps > step ? 0 : found[place(tokens.length, step - steps)] + uint64_t{1};
      };
      scorer_.score(features, decided_features(templates_, tokens, at, decision, features), scores);
      found[at] = static_cast<uint8_t>(best_of(scores, choices, at));
    }
  }

  int32_t best_of(const double *scores, const Choices &choices, int32_t at) const {
    if (choices.which == nullptr || choices.which[at] < 0)
      return static_cast<int32_t>(std::max_element(scores, scores + labels_) - scores);
    const int32_t list = choices.which[at];
    int32_t best = choices.labels[choices.starts[list]];
    for (int32_t i = choices.starts[list] + 1; i < choices.starts[list + 1]; ++i)
      if (scores[choices.labels[i]] > scores[best]) best = choices.labels[i];
    return best;
  }

  void search(const Tokens &tokens, const Choices &choices, const uint8_t *gold) {
    uint64_t features[MOST_TEMPLATES];
    double scores[MOST_CLASSES];
    beam_.resize(static_cast<size_t>(tokens.length) * width_);
    gold_scores_.assign(tokens.length, 0);
    int32_t alive = 1;
    double gold_score = 0;
    for (int32_t step = 0; step < tokens.length; ++step) {
      const int32_t at = place(tokens.length, step);
      scorer_.begin(features, fixed_features(templates_, tokens, at, features));
      branches_.clear();
      for (int32_t k = 0; k < alive; ++k) {
        const auto decision = [&](int32_t steps) { return decided(step, k, steps); };
        scorer_.score(features, decided_features(templates_, tokens, at, decision, features), scores);
        branch(scores, choices, at, k, step > 0 ? beam_[static_cast<size_t>(step - 1) * width_ + k].score : 0);
      }
      if (gold != nullptr) {
        const auto decision = [&](int32_t steps) -> uint64_t {
          return steps > step ? 0 : gold[place(tokens.length, step - steps)] + uint64_t{1};
        };
        scorer_.score(features, decided_features(templates_, tokens, at, decision, features), scores);
        gold_scores_[step] = gold_score += scores[gold[at]];
      }
      alive = std::min<int32_t>(width_, static_cast<int32_t>(branches_.size()));
      std::partial_sort(branches_.begin(), branches_.begin() + alive, branches_.end(),
                        [](const Hypothesis &a, const Hypothesis &b) {
                          if (a.score != b.score) return a.score > b.score;
                          return a.from != b.from ? a.from < b.from : a.label < b.label;
                        });
      std::copy_n(branches_.begin(), alive, beam_.begin() + static_cast<size_t>(step) * width_);
    }
  }

  void branch(const double *scores, const Choices &choices, int32_t at, int32_t from, double so_far) {
    if (choices.which == nullptr || choices.which[at] < 0) {
      for (int32_t label = 0; label < labels_; ++label) branches_.push_back({so_far + scores[label], label, from});
      return;
    }
    const int32_t list = choices.which[at];
    for (int32_t i = choices.starts[list]; i < choices.starts[list + 1]; ++i)
      branches_.push_back({so_far + scores[choices.labels[i]], choices.labels[i], from});
  }

  // The label, plus one, that hypothesis k of the step before this one decided so many steps ago.
  uint64_t decided(int32_t step, int32_t k, int32_t steps) const {
    if (steps > step) return 0;
    for (int32_t i = 1; i < steps; ++i) k = beam_[static_cast<size_t>(step - i) * width_ + k].from;
    return beam_[static_cast<size_t>(step - steps) * width_ + k].label + uint64_t{1};
  }

  void write_path(int32_t length, int32_t steps, uint8_t *found) const {
    int32_t k = 0;
    for (int32_t step = steps - 1; step >= 0; --step) {
      const Hypothesis &one = beam_[static_cast<size_t>(step) * width_ + k];
      found[place(length, step)] = static_cast<uint8_t>(one.label);
      k = one.from;
    }
  }

  bool is_path(int32_t length, int32_t steps, const uint8_t *labels) const {
    int32_t k = 0;
    for (int32_t step = steps - 1; step >= 0; --step) {
      const Hypothesis &one = beam_[static_cast<size_t>(step) * width_ + k];
      if (one.label != labels[place(length, step)]) return false;
      k = one.from;
    }
    return true;
  }

  Scorer &scorer_;
  const Templates &templates_;
  int32_t labels_, width_;
  bool backwards_;
  std::vector<Hypothesis> beam_, branches_;
  std::vector<double> gold_scores_;
};

// Appends the features of each token as the polynomial engine numbers them, in ascending order and once each, with gold
// labels as earlier decisions.
inline void write_examples(const Templates &templates, const Tokens &tokens, const uint8_t *gold, bool backwards,
                           std::vector<int32_t> &ids, std::vector<int64_t> &offsets) {
  uint64_t features[MOST_TEMPLATES];
  for (int32_t at = 0; at < tokens.length; ++at) {
    const auto decision = [&](int32_t steps) -> uint64_t {
      const int32_t before = backwards ? at + steps : at - steps;
      return before < 0 || before >= tokens.length ? 0 : gold[before] + uint64_t{1};
    };
    int count = fixed_features(templates, tokens, at, features);
    count += decided_features(templates, tokens, at, decision, features + count);
    const size_t begin = ids.size();
    for (int i = 0; i < count; ++i) ids.push_back(id_of(features[i]));
    std::sort(ids.begin() + begin, ids.end());
    ids.erase(std::unique(ids.begin() + begin, ids.end()), ids.end());
    offsets.push_back(static_cast<int64_t>(ids.size()));
  }
}

// One sentence of structured perceptron learning; says whether it changed anything.
inline bool learn_sentence(RowLearner &weights, LabelSearch<LinearScorer<RowLearner>> &search,
                           const Templates &templates, const Tokens &tokens, const uint8_t *gold,
                           std::vector<uint8_t> &found, int64_t now) {
  found.assign(tokens.length, 0);
  const int32_t steps = search.violation(tokens, gold, found.data());
  uint64_t features[MOST_TEMPLATES], others[MOST_TEMPLATES];
  for (int32_t step = 0; step < steps; ++step) {
    const int32_t at = search.place(tokens.length, step);
    const auto label_of = [&](const uint8_t *labels, int32_t ago) -> uint64_t {
      return ago > step ? 0 : labels[search.place(tokens.length, step - ago)] + uint64_t{1};
    };
    const auto was_gold = [&](int32_t ago) { return label_of(gold, ago); };
    const auto was_found = [&](int32_t ago) { return label_of(found.data(), ago); };
    if (gold[at] != found[at]) {
      const int count = fixed_features(templates, tokens, at, features);
      weights.update(features, count, gold[at], 1, now);
      weights.update(features, count, found[at], -1, now);
    }
    const int right = decided_features(templates, tokens, at, was_gold, features);
    const int wrong = decided_features(templates, tokens, at, was_found, others);
    if (gold[at] == found[at] && right == wrong && std::equal(features, features + right, others)) continue;
    weights.update(features, right, gold[at], 1, now);
    weights.update(others, wrong, found[at], -1, now);
  }
  return steps > 0;
}

}  // namespace kakari
