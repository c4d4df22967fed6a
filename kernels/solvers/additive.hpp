// Online learners that only ever add an example, once, with a coefficient: perceptrons and
// passive-aggressive.
//
// A run over n examples needs their values under the model so far and their Gram matrix; it computes a
// coefficient for each (0: no update). O(n) for each update inside the run, whatever the model's size.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace kakari {

enum class AdditiveRule { PERCEPTRON = 0, PA = 1, PA_1 = 2, PA_2 = 3, DYNAMIC_PA_1 = 4 };

struct AdditiveLearner {
  AdditiveRule rule = AdditiveRule::PERCEPTRON;
  double aggressiveness = 1.0;  // C
  int64_t budget = -1;          // updates at most (Stoptron); -1: any number
  bool by_norm = false;         // a step weighs 1 / ‖v‖ in the average instead of 1

  int64_t seen = 0, mistakes = 0, updates = 0;
  double squared_norm = 0.0;  // ‖v‖²
  double clock = 0.0;         // the average is clock · v − Σ coefficient · clock before its step

  double step(double margin, double loss, double self) const {
    if (rule == AdditiveRule::PERCEPTRON) return margin <= 0.0 ? 1.0 : 0.0;
    if (loss <= 0.0) return 0.0;
    if (rule == AdditiveRule::PA_2) return loss / (self + 0.5 / aggressiveness);
    const double exact = self > 0.0 ? loss / self : 0.0;
    return rule == AdditiveRule::PA ? exact : std::min(current_aggressiveness(), exact);
  }

  // Dynamic aggressiveness: the higher the share of mistakes so far and the longer the stream, the smaller the
  // steps.
  double current_aggressiveness() const {
    if (rule != AdditiveRule::DYNAMIC_PA_1) return aggressiveness;
    const double error = (mistakes + 1.0) / (seen + 2.0);
    return aggressiveness * (1.0 - error) / std::sqrt(1.0 + error * static_cast<double>(seen));
  }

  // values: f of each example before the run, brought up to date as it goes, so that in the end each is f at
  // its own turn. gram: n × n. coefficients: signed, 0 for no update. clocks: the average's clock before each
  // step.
  void run(int64_t count, const double *labels, const double *gram, double *values, double *coefficients,
           double *clocks, int64_t *mistake_curve, int64_t *support_curve) {
    for (int64_t t = 0; t < count; ++t) {
      const double self = gram[t * count + t], margin = labels[t] * values[t];
      clocks[t] = clock;
      coefficients[t] = 0.0;
      mistakes += margin <= 0.0;
      seen += 1;
      const double size = budget >= 0 && updates >= budget ? 0.0 : step(margin, 1.0 - margin, self);
      if (size != 0.0) {
        coefficients[t] = labels[t] * size;
        squared_norm = std::max(0.0, squared_norm + 2.0 * size * margin + size * size * self);
        updates += 1;
        for (int64_t later = t + 1; later < count; ++later) values[later] += coefficients[t] * gram[t * count + later];
      }
      clock += !by_norm ? 1.0 : squared_norm > 0.0 ? 1.0 / std::sqrt(squared_norm) : 0.0;
      mistake_curve[t] = mistakes;
      support_curve[t] = updates;
    }
  }

  // The same for numbers instead of signs: an example is added if its value is farther than ε from its target, with
  // the sign of what is missing. A mistake is such an example.
  void run_numbers(int64_t count, const double *targets, double epsilon, const double *gram, double *values,
                   double *coefficients, double *clocks) {
    for (int64_t t = 0; t < count; ++t) {
      const double missing = targets[t] - values[t], loss = std::abs(missing) - epsilon;
      clocks[t] = clock;
      coefficients[t] = 0.0;
      seen += 1;
      clock += 1.0;
      if (loss <= 0.0) continue;
      mistakes += 1;
      coefficients[t] = std::copysign(step(0.0, loss, gram[t * count + t]), missing);
      if (coefficients[t] == 0.0) continue;
      updates += 1;
      for (int64_t later = t + 1; later < count; ++later) values[later] += coefficients[t] * gram[t * count + later];
    }
  }
};

}  // namespace kakari
