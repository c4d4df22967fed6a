// The online learner: visit examples one by one, compute a margin, update where it is too small.
//
// What makes it fast is memory between visits (method slicing with reuse): each example keeps its last margin,
// the rare part of it, and how many updates there were at the time. At the next visit the margin is either
// replayed (add the kernel with each update since, good when they are few) or walked (explicit weights of the
// common features, plus the rare part, replayed along the tails of the rare features' posting lists). Which
// is cheaper is estimated from counts alone, so the choice, and with it each rounding, is the same in every run.
// The other methods compute each margin afresh, over support vectors whose repeated updates are summed.
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include "bounds.hpp"
#include "conjunctions.hpp"
#include "feature_index.hpp"
#include "methods.hpp"
#include "support_log.hpp"

namespace kakari {

enum Rule { PERCEPTRON = 0, PA = 1, PA1 = 2, PA2 = 3 };

struct LearnerOptions {
    int rule = PA1;
    int method = SLICING;
    bool reuse = true;
    bool kernel_step = true;   // divide the loss by k(x, x), else by |x|
    double cost = 1;
    int64_t common = -1;       // features with explicit conjunctions, -1 to choose
    int64_t memory_limit = 0;  // in bytes, 0 for none
    bool shuffle = false;
    uint64_t seed = 0;
};

// What is remembered of an example (of the first one, where several have the same features).
struct Remembered {
    double margin = 0, rare = 0;
    int32_t margin_at = 0, rare_at = 0;  // valid for the updates before these
    int32_t vector = -1;                 // its number among the support vectors
};

struct Update {
    int32_t vector;
    double amount;
    int64_t visit;  // when, counted from one
};

// The order in which a pass visits its examples: Fisher and Yates' shuffle, drawn from SplitMix64.
inline void visiting_order(int64_t examples, uint64_t seed, uint64_t pass, int64_t* order) {
    uint64_t state = seed * 0xD1342543DE82EF95u + pass;
    std::iota(order, order + examples, int64_t{0});
    for (int64_t i = examples - 1; i > 0; --i) {
        uint64_t draw = state += 0x9E3779B97F4A7C15u;
        draw = (draw ^ draw >> 30) * 0xBF58476D1CE4E5B9u;
        draw = (draw ^ draw >> 27) * 0x94D049BB133111EBu;
        draw ^= draw >> 31;
        std::swap(order[i], order[draw % static_cast<uint64_t>(i + 1)]);
    }
}

class LearnerBase {
public:
    virtual ~LearnerBase() = default;

    // Take the examples of a run; their features join the ranking. `first` names for each row the first
    // row with the same features; `weights` may be null.
    void begin(const int64_t* offsets, const int32_t* ids, int64_t rows, const int64_t* first,
               const int8_t* labels, const double* weights) {
        std::vector<int64_t> counts;
        index.rank(ids, offsets[rows], ranks_, counts);
        offsets_.assign(offsets, offsets + rows + 1);
        sort_rows(offsets, rows, ranks_, index.size());
        first_.assign(first, first + rows);
        labels_.assign(labels, labels + rows);
        weights_.assign(weights, weights ? weights + rows : weights);
        remembered.assign(rows, Remembered());
        if (!laid_out_) lay_out(counts, rows);
        position = 0;
        start_pass();
        note_memory();
    }

    // Release the examples; the model stays.
    void end() {
        examples_before += rows();
        offsets_ = {}, first_ = {}, order_ = {};
        ranks_ = {}, labels_ = {}, weights_ = {}, remembered = {};
    }

    // Visit up to `examples` examples of this pass, for about `seconds`; give how many were visited.
    int64_t run(int64_t examples, double seconds) {
        using clock = std::chrono::steady_clock;
        const auto deadline = clock::now() + std::chrono::duration_cast<clock::duration>(
                                                 std::chrono::duration<double>(seconds));
        int64_t done = 0;
        while (done < examples && position < rows()) {
            visit(options.shuffle ? order_[position] : position);
            ++position;
            ++done;
            if (done % 32 == 0 && clock::now() >= deadline) break;
        }
        return done;
    }

    void finish_pass() {
        ++passes;
        position = 0;
        mistakes_in_pass = 0;
        start_pass();
    }

    // Draw this pass's order anew (also after `position` and `passes` were restored).
    void start_pass() {
        if (!options.shuffle) return;
        order_.resize(rows());
        visiting_order(rows(), options.seed, passes, order_.data());
    }

    int64_t rows() const { return static_cast<int64_t>(labels_.size()); }
    int64_t common() const { return common_; }
    int64_t dense() const { return dense_; }
    int64_t bitmapped() const { return log.bitmapped(); }
    bool laid_out() const { return laid_out_; }
    bool running() const { return !offsets_.empty(); }

    // A number that tells the run's examples from others, to refuse to go on with the wrong ones.
    uint64_t fingerprint() const {
        uint64_t mixed = rows();
        auto mix = [&mixed](uint64_t value) {
            mixed = (mixed ^ value) * 0xBF58476D1CE4E5B9u;
            mixed ^= mixed >> 29;
        };
        for (int32_t rank : ranks_) mix(rank);
        for (int64_t offset : offsets_) mix(offset);
        for (int8_t label : labels_) mix(label);
        for (double weight : weights_) {
            uint64_t bits;
            std::memcpy(&bits, &weight, sizeof bits);
            mix(bits);
        }
        return mixed;
    }

    // Lay out an empty model as an earlier one was when it was saved; `repeat` then restores its updates.
    virtual void lay_out_as(int64_t common, int64_t dense, int64_t bitmapped) = 0;
    virtual void repeat(int32_t vector, double amount, int64_t visit) = 0;
    virtual int64_t bytes() const = 0;

    LearnerOptions options;
    FeatureIndex index;
    SupportLog log;
    std::vector<Remembered> remembered;
    std::vector<Update> updates;
    std::vector<double> coefficients;  // by support vector: the sum of its updates ...
    std::vector<double> moments;       // ... and of updates times the visit they were made at
    std::vector<int64_t> examples;     // by support vector: its example, counted over all runs
    int64_t examples_before = 0;       // in earlier runs
    int64_t position = 0, passes = 0, visits = 0, mistakes_in_pass = 0, peak_bytes = 0;

protected:
    virtual void lay_out(const std::vector<int64_t>& counts, int64_t rows) = 0;
    virtual void visit(int64_t row) = 0;

    void note_memory() { peak_bytes = std::max(peak_bytes, bytes()); }

    int64_t example_bytes() const {
        return offsets_.capacity() * 8 + first_.capacity() * 8 + order_.capacity() * 8 + ranks_.capacity() * 4 +
               labels_.capacity() + weights_.capacity() * 8 + remembered.capacity() * sizeof(Remembered);
    }

    bool laid_out_ = false;
    int64_t common_ = 0, dense_ = 0;
    std::vector<int64_t> offsets_, first_, order_;
    std::vector<int32_t> ranks_;
    std::vector<int8_t> labels_;
    std::vector<double> weights_;
};

template <int degree>
class Learner : public LearnerBase {
public:
    void lay_out_as(int64_t common, int64_t dense, int64_t bitmapped) override {
        common_ = common;
        dense_ = dense;
        laid_out_ = true;
        log.reset(degree, static_cast<int32_t>(bitmapped));
        weights.reset(static_cast<int32_t>(common), static_cast<int32_t>(dense));
    }

    void repeat(int32_t vector, double amount, int64_t visit) override { add(vector, amount, visit); }

    int64_t bytes() const override {
        return index.bytes() + log.bytes() + weights.bytes() + scratch_.bytes() + example_bytes() +
               updates.capacity() * sizeof(Update) + (coefficients.capacity() + moments.capacity() + examples.capacity()) * 8 +
               bounds_.bytes();
    }

private:
    // A feature in at least this share of the examples is cheaper to count by its bitmap.
    static constexpr double BITMAPPED_SHARE = 1.0 / 32;
    static constexpr int64_t MOST_BITMAPS = 1024;
    // Relative costs of reading one explicit weight, replaying one update, and meeting one rare posting.
    static constexpr double WALK_COST = 1.0, REPLAY_COST = 1.5, POSTING_COST = 16;

    bool remembers() const { return options.method == SLICING && options.reuse; }

    void lay_out(const std::vector<int64_t>& counts, int64_t rows) override {
        const int64_t features = index.size();
        const int64_t dense = dense_features(degree, features, ranks_.size());
        int64_t common = options.common < 0 ? dense : options.common;
        if (options.method == EXPANSION) common = options.common < 0 ? INT32_MAX : options.common;
        if (options.method <= INVERTED) common = 0;
        int64_t bitmapped = 0;
        if (remembers())
            while (bitmapped < std::min(features, MOST_BITMAPS) && counts[bitmapped] >= rows * BITMAPPED_SHARE)
                ++bitmapped;
        common = std::min<int64_t>(common, INT32_MAX);
        lay_out_as(common, std::min(dense, common), bitmapped);
        keep_to_memory_limit();
    }

    void keep_to_memory_limit() {
        note_memory();
        while (options.memory_limit > 0 && common_ > 0 && bytes() > options.memory_limit) {
            common_ = std::min<int64_t>(common_, index.size()) / 2;
            weights.shrink(static_cast<int32_t>(common_));
            dense_ = weights.dense();
            for (Remembered& memory : remembered) memory.rare = 0, memory.rare_at = 0;
        }
    }

    void visit(int64_t row) override {
        ++visits;
        const int32_t* ranks = ranks_.data() + offsets_[row];
        const int length = static_cast<int>(offsets_[row + 1] - offsets_[row]);
        Remembered& memory = remembered[first_[row]];
        const double label = labels_[row];
        const double margin = label * margin_of(ranks, length, memory, label);
        if (margin <= 0) ++mistakes_in_pass;
        const double amount = step(margin, length, weights_.empty() ? 1.0 : weights_[row]);
        if (amount <= 0) return;
        if (memory.vector < 0) {
            memory.vector = log.add_vector(ranks, length);
            examples.push_back(examples_before + first_[row]);
        }
        add(memory.vector, label * amount, visits);
        keep_to_memory_limit();
    }

    // How far to go towards the example, whose margin is given with its label's sign.
    double step(double margin, int length, double weight) const {
        if (options.rule == PERCEPTRON) return margin <= 0 ? weight : 0;
        const double loss = 1 - margin;
        if (loss <= 0 || weight == 0) return 0;
        double norm = std::max(length, 1);
        if (options.kernel_step) {
            norm = 1;
            for (int i = 0; i < degree; ++i) norm *= 1.0 + length;
        }
        switch (options.rule) {
            case PA: return loss / norm;
            case PA1: return std::min(options.cost * weight, loss / norm);
            default: return loss / (norm + 1 / (2 * options.cost * weight));
        }
    }

    void add(int32_t vector, double amount, int64_t visit) {
        const bool repeated = vector < static_cast<int32_t>(coefficients.size());
        if (!repeated) {
            coefficients.push_back(0);
            moments.push_back(0);
        }
        coefficients[vector] += amount;
        moments[vector] += amount * static_cast<double>(visit);
        updates.push_back({vector, amount, visit});
        if (repeated && !remembers()) log.change(vector, amount);
        else log.append(vector, amount);
        if (options.method >= EXPANSION) weights.add(log.vector(vector), log.vector_length(vector), amount);
        if (options.method == SLICING && !options.reuse)
            bounds_.add(log.vector(vector), log.vector_length(vector), amount);
    }

    double margin_of(const int32_t* ranks, int length, Remembered& memory, double label) {
        switch (options.method) {
            case NAIVE: return log.naive(ranks, length, scratch_);
            case INVERTED: return log.inverted(ranks, length, scratch_);
            case SLICING:
                return options.reuse ? remembered_margin(ranks, length, memory) : bounded_margin(ranks, length, label);
            default: {
                const int common = weights.count_common(ranks, length);
                return weights.sum(ranks, length) + log.rare_part(ranks, length, common, 0, scratch_);
            }
        }
    }

    double remembered_margin(const int32_t* ranks, int length, Remembered& memory) {
        const int64_t now = log.size(), missed = now - memory.margin_at;
        if (missed == 0) return memory.margin;
        const int common = weights.count_common(ranks, length);
        if (replay_is_cheaper(ranks, length, common, missed, memory)) {
            memory.margin += log.replay(ranks, length, memory.margin_at, scratch_);
        } else {
            memory.rare += log.rare_part(ranks, length, common, memory.rare_at, scratch_);
            memory.rare_at = static_cast<int32_t>(now);
            memory.margin = weights.sum(ranks, length) + memory.rare;
        }
        memory.margin_at = static_cast<int32_t>(now);
        return memory.margin;
    }

    bool replay_is_cheaper(const int32_t* ranks, int length, int common, int64_t missed,
                           const Remembered& memory) const {
        double walk = 0;
        for (int order = 1; order <= degree; ++order) walk += WALK_COST * choose(common, order);
        const double replay = REPLAY_COST * missed;
        if (replay <= walk) return true;
        walk += POSTING_COST * log.expected_postings(ranks + common, length - common, memory.rare_at);
        return replay <= walk;
    }

    // The explicit part first; the rare part only if it could still bring the margin down to one.
    double bounded_margin(const int32_t* ranks, int length, double label) {
        const int common = weights.count_common(ranks, length);
        const double head = weights.sum(ranks, length);
        double lowest = label * head;
        for (int i = common; i < length && lowest > 1; ++i)
            lowest += label > 0 ? bounds_.lowest(ranks[i], i) : -bounds_.highest(ranks[i], i);
        if (lowest > 1 + 1e-9 * std::abs(head)) return label * lowest;
        return head + log.rare_part(ranks, length, common, 0, scratch_);
    }

    ExplicitWeights<degree> weights;
    Scratch scratch_;
    PartialBounds<degree> bounds_;
};

inline std::unique_ptr<LearnerBase> make_learner(int degree) {
    switch (degree) {
        case 1: return std::make_unique<Learner<1>>();
        case 2: return std::make_unique<Learner<2>>();
        case 3: return std::make_unique<Learner<3>>();
        default: return std::make_unique<Learner<4>>();
    }
}

}  // namespace kakari
