// Labels along sentences by frozen linear weights: what `LabelSearch` finds, at the speed that many texts need.
//
// A sentence's values are laid out column by column, with what stands outside of it at both ends, so that an atom is
// one load at a fixed distance. Features without decisions are hashed for a block of tokens at once, template by
// template: the tokens' chains of multiplications overlap, and the weights' cache lines are asked for long before they
// are added up. Scores are integers. A hypothesis carries its last eight labels in one word.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "parsers/sequences/features.hpp"
#include "parsers/sequences/search.hpp"
#include "parsers/sequences/weight_lines.hpp"

namespace kakari {

// One sentence, column by column.
class Columns {
 public:
  void load(const Templates &templates, const Tokens &tokens, int32_t reach) {
    length_ = tokens.length;
    reach_ = reach;
    const int64_t stride = length_ + 2 * int64_t{reach};
    values_.resize(static_cast<size_t>(stride * templates.width));
    absent_.assign(templates.width, 0);
    for (int32_t column = 0; column < templates.width; ++column) {
      uint64_t *own = values_.data() + column * stride + reach;
      for (int32_t at = 1; at <= reach; ++at) {
        own[-at] = outside(-at);
        own[length_ + at - 1] = outside(at);
      }
      bool absent = false;
      for (int32_t at = 0; at < length_; ++at) {
        own[at] = tokens.values[static_cast<int64_t>(at) * templates.width + column];
        absent |= own[at] == ABSENT;
      }
      absent_[column] = absent;
    }
  }

  const uint64_t *column(int32_t number) const {
    return values_.data() + number * (length_ + 2 * int64_t{reach_}) + reach_;
  }
  bool has_absent(int32_t number) const { return absent_[number] != 0; }
  int32_t length() const { return length_; }

 private:
  std::vector<uint64_t> values_;
  std::vector<uint8_t> absent_;
  int32_t length_ = 0, reach_ = 0;
};

inline int32_t farthest(const Templates &templates) {
  int32_t reach = 1;
  for (int32_t atom = 0; atom < templates.starts[templates.count]; ++atom)
    reach = std::max(reach, std::abs(templates.offsets[atom]));
  return reach;
}

template <class Lines>
class LinearSearch {
 public:
  LinearSearch(const Lines &lines, const Templates &templates, int32_t labels, int32_t width, bool backwards)
      : lines_(lines),
        templates_(templates),
        labels_(labels),
        width_(width),
        backwards_(backwards),
        reach_(farthest(templates)),
        padded_((labels + 31) / 32 * 32),
        hashes_(static_cast<size_t>(std::max(templates.fixed, 1)) * BLOCK),
        decided_(static_cast<size_t>(width) * MOST_TEMPLATES),
        counts_(width) {}

  void run(const Tokens &tokens, const Choices &choices, uint8_t *found) {
    columns_.load(templates_, tokens, reach_);
    if (width_ == 1) return run_greedily(choices, found);
    search(choices);
    write_path(found);
  }

 private:
  static constexpr int32_t BLOCK = 16;
  struct Candidate {
    int64_t score;
    uint64_t history;  // the last labels, plus one, a byte each, the last one lowest
    int32_t label, from;
  };

  int32_t place(int32_t step) const { return backwards_ ? columns_.length() - 1 - step : step; }

  static Wanted wanted_at(const Choices &choices, int32_t at) {
    if (choices.which == nullptr || choices.which[at] < 0) return {};
    const int32_t list = choices.which[at];
    return {choices.labels + choices.starts[list], choices.starts[list + 1] - choices.starts[list]};
  }

  // The only label that a token may have, -1 if there are several.
  static int32_t forced(const Choices &choices, int32_t at) {
    const Wanted wanted = wanted_at(choices, at);
    return wanted.count == 1 ? wanted.labels[0] : -1;
  }

  // Hashes the templates without decisions for some tokens, hashes_[template * BLOCK + token].
  void hash_block(const int32_t *places, int32_t count) {
    for (int32_t number = 0; number < templates_.fixed; ++number) {
      uint64_t *out = hashes_.data() + static_cast<size_t>(number) * BLOCK;
      std::fill_n(out, count, join(0x51ED270B27B4F3CFu, static_cast<uint64_t>(number)));
      bool absent = false;
      for (int32_t atom = templates_.starts[number]; atom < templates_.starts[number + 1]; ++atom) {
        const uint64_t *column = columns_.column(templates_.columns[atom]) + templates_.offsets[atom];
        for (int32_t i = 0; i < count; ++i) out[i] = join(out[i], column[places[i]]);
        absent |= columns_.has_absent(templates_.columns[atom]);
      }
      for (int32_t i = 0; i < count; ++i) {
        out[i] = mix(out[i]);
        lines_.ask(out[i]);
      }
      if (absent) leave_out(number, places, count, out);
    }
  }

  void leave_out(int32_t number, const int32_t *places, int32_t count, uint64_t *out) const {
    for (int32_t atom = templates_.starts[number]; atom < templates_.starts[number + 1]; ++atom) {
      const uint64_t *column = columns_.column(templates_.columns[atom]) + templates_.offsets[atom];
      for (int32_t i = 0; i < count; ++i)
        if (column[places[i]] == ABSENT) out[i] = NO_FEATURE;
    }
  }

  // Hashes the templates with decisions and asks for their weights; returns how many there are.
  template <class Far>
  int hash_decided(int32_t at, uint64_t history, Far far, uint64_t *features) const {
    int count = 0;
    for (int32_t number = templates_.fixed; number < templates_.count; ++number) {
      uint64_t hash = join(0x51ED270B27B4F3CFu, static_cast<uint64_t>(number));
      bool whole = true;
      for (int32_t atom = templates_.starts[number]; atom < templates_.starts[number + 1]; ++atom) {
        const int32_t column = templates_.columns[atom], offset = templates_.offsets[atom];
        const int32_t steps = std::abs(offset);
        const uint64_t value = column != DECISION ? columns_.column(column)[at + offset]
                               : steps <= 8       ? history >> (8 * (steps - 1)) & 0xFF
                                                  : far(steps);
        whole &= value != ABSENT;
        hash = join(hash, value);
      }
      features[count] = mix(hash);
      lines_.ask(features[count]);
      count += whole;
    }
    return count;
  }

  void run_greedily(const Choices &choices, uint8_t *found) {
    int32_t places[BLOCK];
    alignas(16) int16_t scores[MOST_CLASSES];
    uint64_t features[MOST_TEMPLATES], history = 0;
    for (int32_t step = 0; step < columns_.length();) {
      const int32_t begin = step;
      int32_t count = 0;
      for (; step < columns_.length() && count < BLOCK; ++step)
        if (forced(choices, place(step)) < 0) places[count++] = place(step);
      hash_block(places, count);
      int32_t own = 0;
      for (int32_t now = begin; now < step; ++now) {
        const int32_t at = place(now);
        int32_t label = forced(choices, at);
        if (label < 0) {
          const Wanted wanted = wanted_at(choices, at);
          const auto far = [&](int32_t steps) -> uint64_t {
            return steps > now ? 0 : found[place(now - steps)] + uint64_t{1};
          };
          const int decided = hash_decided(at, history, far, features);
          std::fill_n(scores, padded_, 0);
          lines_.score(hashes_.data() + own++, BLOCK, templates_.fixed, wanted, scores);
          lines_.score(features, 1, decided, wanted, scores);
          label = best_of(scores, wanted);
        }
        found[at] = static_cast<uint8_t>(label);
        history = history << 8 | static_cast<uint64_t>(label + 1);
      }
    }
  }

  int32_t best_of(const int16_t *scores, const Wanted &wanted) const {
    if (wanted.count < 0) return static_cast<int32_t>(std::max_element(scores, scores + labels_) - scores);
    int32_t best = wanted.labels[0];
    for (int32_t i = 1; i < wanted.count; ++i)
      if (scores[wanted.labels[i]] > scores[best]) best = wanted.labels[i];
    return best;
  }

  void search(const Choices &choices) {
    int32_t places[BLOCK];
    alignas(16) int16_t fixed[MOST_CLASSES], scores[MOST_CLASSES];
    beam_.resize(static_cast<size_t>(columns_.length()) * width_);
    int32_t alive = 1;
    for (int32_t step = 0; step < columns_.length(); ++step) {
      if (step % BLOCK == 0) {
        const int32_t count = std::min(BLOCK, columns_.length() - step);
        for (int32_t i = 0; i < count; ++i) places[i] = place(step + i);
        hash_block(places, count);
      }
      const int32_t at = place(step);
      Candidate *next = beam_.data() + static_cast<size_t>(step) * width_;
      const auto before = [&](int32_t k) { return step > 0 ? (next - width_)[k] : Candidate{0, 0, 0, 0}; };
      for (int32_t k = 0; k < alive; ++k) {
        const auto far = [&](int32_t steps) { return decided(step, k, steps); };
        counts_[k] =
            hash_decided(at, before(k).history, far, decided_.data() + static_cast<size_t>(k) * MOST_TEMPLATES);
      }
      const Wanted wanted = wanted_at(choices, at);
      std::fill_n(fixed, padded_, 0);
      lines_.score(hashes_.data() + step % BLOCK, BLOCK, templates_.fixed, wanted, fixed);
      int32_t kept = 0;
      for (int32_t k = 0; k < alive; ++k) {
        std::copy_n(fixed, padded_, scores);
        lines_.score(decided_.data() + static_cast<size_t>(k) * MOST_TEMPLATES, 1, counts_[k], wanted, scores);
        kept = branch(scores, wanted, before(k), k, next, kept);
      }
      alive = kept;
    }
  }

  static bool is_ahead(const Candidate &a, const Candidate &b) {
    if (a.score != b.score) return a.score > b.score;
    return a.from != b.from ? a.from < b.from : a.label < b.label;
  }

  // Puts a hypothesis's successors among the best, in order.
  int32_t branch(const int16_t *scores, const Wanted &wanted, const Candidate &before, int32_t from, Candidate *best,
                 int32_t kept) const {
    const auto add = [&](int32_t label) {
      const Candidate own{before.score + scores[label], before.history << 8 | static_cast<uint64_t>(label + 1), label,
                          from};
      if (kept == width_ && !is_ahead(own, best[kept - 1])) return;
      int32_t to = kept < width_ ? kept++ : kept - 1;
      for (; to > 0 && is_ahead(own, best[to - 1]); --to) best[to] = best[to - 1];
      best[to] = own;
    };
    if (wanted.count < 0)
      for (int32_t label = 0; label < labels_; ++label) add(label);
    else
      for (int32_t i = 0; i < wanted.count; ++i) add(wanted.labels[i]);
    return kept;
  }

  // The label, plus one, that hypothesis k of the step before this one decided so many steps ago.
  uint64_t decided(int32_t step, int32_t k, int32_t steps) const {
    if (steps > step) return 0;
    for (int32_t i = 1; i < steps; ++i) k = beam_[static_cast<size_t>(step - i) * width_ + k].from;
    return beam_[static_cast<size_t>(step - steps) * width_ + k].label + uint64_t{1};
  }

  void write_path(uint8_t *found) const {
    int32_t k = 0;
    for (int32_t step = columns_.length() - 1; step >= 0; --step) {
      const Candidate &one = beam_[static_cast<size_t>(step) * width_ + k];
      found[place(step)] = static_cast<uint8_t>(one.label);
      k = one.from;
    }
  }

  const Lines &lines_;
  const Templates &templates_;
  int32_t labels_, width_;
  bool backwards_;
  int32_t reach_, padded_;
  Columns columns_;
  std::vector<uint64_t> hashes_;
  std::vector<uint64_t> decided_;  // features with decisions of each hypothesis
  std::vector<int> counts_;
  std::vector<Candidate> beam_;
};

}  // namespace kakari
