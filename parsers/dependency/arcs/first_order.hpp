// The best projective tree by the scores of its arcs alone (Eisner 1996): O(n^3) time, O(n^2) memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace kakari {

constexpr int64_t IMPOSSIBLE = std::numeric_limits<int64_t>::min() / 4;

// Scores of all arcs of a sentence: head 0 to n, modifier 1 to n.
class ArcScores {
 public:
  void reset(int32_t length) {
    length_ = length;
    scores_.assign(static_cast<size_t>(length + 1) * (length + 1), 0);
  }
  int64_t &at(int32_t head, int32_t modifier) { return scores_[static_cast<size_t>(modifier) * (length_ + 1) + head]; }
  int64_t at(int32_t head, int32_t modifier) const {
    return scores_[static_cast<size_t>(modifier) * (length_ + 1) + head];
  }
  int32_t length() const { return length_; }

 private:
  int32_t length_ = 0;
  std::vector<int64_t> scores_;
};

class Eisner {
 public:
  // heads[m - 1] becomes the head of m. With one root, the root's only modifier is chosen over trees of all the words.
  void run(const ArcScores &arcs, bool one_root, int32_t *heads) {
    const int32_t n = arcs.length(), first = one_root ? 1 : 0;
    width_ = n + 1;
    open_.assign(2 * static_cast<size_t>(width_) * width_, Cell{});
    closed_.assign(2 * static_cast<size_t>(width_) * width_, Cell{});
    for (int32_t i = first; i <= n; ++i) closed(i, i, 0).score = closed(i, i, 1).score = 0;
    for (int32_t span = 1; first + span <= n; ++span)
      for (int32_t left = first; left + span <= n; ++left) fill(arcs, left, left + span);
    if (n == 0) return;
    if (!one_root) return follow(0, n, 1, false, heads);
    int32_t best = 1;
    int64_t most = IMPOSSIBLE;
    for (int32_t m = 1; m <= n; ++m) {
      const int64_t score = arcs.at(0, m) + closed(1, m, 0).score + closed(m, n, 1).score;
      if (score > most) {
        most = score;
        best = m;
      }
    }
    heads[best - 1] = 0;
    follow(1, best, 0, false, heads);
    follow(best, n, 1, false, heads);
  }

 private:
  struct Cell {
    int64_t score = IMPOSSIBLE;
    int32_t split = -1;
  };

  // Side 1: the head is on the left; side 0: on the right.
  Cell &closed(int32_t left, int32_t right, int side) {
    return closed_[(static_cast<size_t>(left) * width_ + right) * 2 + side];
  }
  Cell &open(int32_t left, int32_t right, int side) {
    return open_[(static_cast<size_t>(left) * width_ + right) * 2 + side];
  }

  void fill(const ArcScores &arcs, int32_t left, int32_t right) {
    Cell halves;
    for (int32_t at = left; at < right; ++at)
      improve(halves, closed(left, at, 1).score + closed(at + 1, right, 0).score, at);
    open(left, right, 1) = {halves.score + arcs.at(left, right), halves.split};
    // Nothing is the root's head.
    open(left, right, 0) = {left == 0 ? IMPOSSIBLE : halves.score + arcs.at(right, left), halves.split};
    Cell leftwards, rightwards;
    for (int32_t at = left; at < right; ++at)
      improve(leftwards, closed(left, at, 0).score + open(at, right, 0).score, at);
    for (int32_t at = left + 1; at <= right; ++at)
      improve(rightwards, open(left, at, 1).score + closed(at, right, 1).score, at);
    closed(left, right, 0) = leftwards;
    closed(left, right, 1) = rightwards;
  }

  static void improve(Cell &cell, int64_t score, int32_t at) {
    if (score > cell.score) cell = {std::max(score, IMPOSSIBLE), at};
  }

  // An explicit stack: a sentence of any length.
  void follow(int32_t left, int32_t right, int side, bool is_open, int32_t *heads) {
    struct Span {
      int32_t left, right;
      int side;
      bool open;
    };
    std::vector<Span> waiting{{left, right, side, is_open}};
    while (!waiting.empty()) {
      const Span span = waiting.back();
      waiting.pop_back();
      if (span.left == span.right) continue;
      if (span.open) {
        const int32_t at = open(span.left, span.right, span.side).split;
        if (span.side == 1)
          heads[span.right - 1] = span.left;
        else
          heads[span.left - 1] = span.right;
        waiting.push_back({span.left, at, 1, false});
        waiting.push_back({at + 1, span.right, 0, false});
      } else {
        const int32_t at = closed(span.left, span.right, span.side).split;
        waiting.push_back({span.left, at, span.side, span.side == 1});
        waiting.push_back({at, span.right, span.side, span.side == 0});
      }
    }
  }

  int32_t width_ = 0;
  std::vector<Cell> open_, closed_;
};

}  // namespace kakari
