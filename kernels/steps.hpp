// How far an online learner moves: the perceptron's step and the three passive-aggressive ones.
#pragma once

#include <algorithm>

namespace kakari {

enum Rule { PERCEPTRON = 0, PA = 1, PA1 = 2, PA2 = 3 };

struct StepOptions {
    int rule = PA1;
    bool kernel_step = true;  // divide the loss by k(x, x), else by |x|
    double cost = 1;
};

// The amount to add, not negative, for an example of `length` features and its `margin`, which should be one.
// `directions` is how many weight vectors move: one of a binary model, two of a multi-class one.
template <int degree>
inline double step_amount(const StepOptions& options, double margin, int length, double weight, int directions) {
    if (options.rule == PERCEPTRON) return margin <= 0 ? weight : 0;
    const double loss = 1 - margin;
    if (loss <= 0 || weight == 0) return 0;
    double norm = std::max(length, 1);
    if (options.kernel_step) {
        norm = 1;
        for (int i = 0; i < degree; ++i) norm *= 1.0 + length;
    }
    norm *= directions;
    switch (options.rule) {
        case PA: return loss / norm;
        case PA1: return std::min(options.cost * weight, loss / norm);
        default: return loss / (norm + 1 / (2 * options.cost * weight));
    }
}

}  // namespace kakari
