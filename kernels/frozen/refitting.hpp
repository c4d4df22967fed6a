// Passive-aggressive passes over the kept conjunctions of a trie. See refitting.pyx for the account.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace kakari {

struct RefittedLevel {
  const int32_t *features;
  const int64_t *child_ends;  // none on the last level
  const uint8_t *kept;        // the others only lead to kept ones, and stay 0
  double *weights;
  double *drift;  // sum of time * update, which averaging subtracts
  double subset_weight;
};

class Refitter {
 public:
  Refitter(int degree, const RefittedLevel *given, int64_t roots, int64_t features, double constant)
      : constant(constant), degree(degree), root_of(features, -1), present(features, 0) {
    std::copy(given, given + degree, levels);
    for (int64_t node = 0; node < roots; ++node) root_of[levels[0].features[node]] = node;
  }

  // Visits the rows [begin, end); ranks of unknown features are -1.
  void visit(const int64_t *offsets, const int32_t *ranks, const int32_t *signs, int64_t begin, int64_t end,
             double cost) {
    for (int64_t row = begin; row < end; ++row, ++time) {
      const int64_t length = offsets[row + 1] - offsets[row];
      const double loss = 1 - signs[row] * margin(ranks + offsets[row], length);
      if (loss > 0) update(signs[row] * std::min(cost, loss / double(std::max<int64_t>(1, length))));
    }
  }

  // Turns the weights into their means over all visits.
  void average(const int64_t *sizes) {
    if (time == 0) return;
    for (int level = 0; level < degree; ++level)
      for (int64_t node = 0; node < sizes[level]; ++node)
        levels[level].weights[node] -= levels[level].drift[node] / double(time);
    constant -= constant_drift / double(time);
  }

  double constant;
  int64_t updates = 0;

 private:
  struct Node {
    int level;
    int64_t place;
  };

  int degree;
  RefittedLevel levels[4];
  std::vector<int64_t> root_of;
  std::vector<uint8_t> present;
  std::vector<Node> active;
  double constant_drift = 0;
  int64_t time = 0;

  double margin(const int32_t *ranks, int64_t length) {
    active.clear();
    for (int64_t i = 0; i < length; ++i)
      if (ranks[i] >= 0) present[ranks[i]] = 1;
    double sum = constant;
    for (int64_t i = 0; i < length; ++i)
      if (ranks[i] >= 0 && root_of[ranks[i]] >= 0) sum += walk(0, root_of[ranks[i]]);
    for (int64_t i = 0; i < length; ++i)
      if (ranks[i] >= 0) present[ranks[i]] = 0;
    return sum;
  }

  double walk(int level, int64_t place) {
    const RefittedLevel &own = levels[level];
    double sum = own.weights[place];
    if (own.kept[place]) active.push_back({level, place});
    if (level + 1 == degree) return sum;
    const int32_t *features = levels[level + 1].features;
    for (int64_t child = place ? own.child_ends[place - 1] : 0; child < own.child_ends[place]; ++child)
      if (present[features[child]]) sum += walk(level + 1, child);
    return sum;
  }

  void update(double step) {
    ++updates;
    constant += step;
    constant_drift += double(time) * step;
    for (const Node &node : active) {
      const RefittedLevel &own = levels[node.level];
      const double change = step * own.subset_weight;
      own.weights[node.place] += change;
      own.drift[node.place] += double(time) * change;
    }
  }
};

}  // namespace kakari
