// The part of a margin that rare features bring: by the kernel over support vectors, or by a trie of weights.
#pragma once
#include "frozen_arrays.hpp"

namespace kakari {

// ---- by kernel ----

template <class Alpha, class Index>
__attribute__((always_inline)) inline double kernel_part_inline(const FrozenArrays& model, int64_t tail,
                                                                FrozenScratch& scratch) {
    const Index* row = static_cast<const Index*>(model.postings) + model.posting_starts[tail];
    const Index* end = static_cast<const Index*>(model.postings) + model.posting_starts[tail + 1];
    const Alpha* alphas = static_cast<const Alpha*>(model.alphas);
    const uint64_t* mask = scratch.mask.data();
    const double* growth = scratch.growth.data();
    uint16_t* matches = scratch.matches.data();
    double sum = 0;
    for (; row < end; ++row) {
        int seen = matches[*row];
        if (seen == 0) {
            const uint64_t* own = model.masks + int64_t(*row) * model.words;
            for (int word = 0; word < model.words; ++word) seen += __builtin_popcountll(own[word] & mask[word]);
            ++seen;
            scratch.met.push_back(int32_t(*row));
        }
        matches[*row] = uint16_t(seen + 1);
        sum += double(alphas[*row]) * growth[seen - 1];
    }
    return sum;
}

template <class Alpha, class Index>
double kernel_part_portable(const FrozenArrays& model, int64_t tail, FrozenScratch& scratch) {
    return kernel_part_inline<Alpha, Index>(model, tail, scratch);
}

#if defined(__x86_64__) && defined(__GNUC__)
template <class Alpha, class Index>
__attribute__((target("popcnt"))) double kernel_part_popcnt(const FrozenArrays& model, int64_t tail,
                                                            FrozenScratch& scratch) {
    return kernel_part_inline<Alpha, Index>(model, tail, scratch);
}
#endif

// The machine's own instruction counts bits ten times faster than the portable code.
template <class Alpha, class Index>
auto choose_kernel_part() {
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("popcnt")) return &kernel_part_popcnt<Alpha, Index>;
#endif
    return &kernel_part_portable<Alpha, Index>;
}

// ---- by trie ----

template <class Weight>
struct Accumulator {
    using type = int64_t;
};
template <>
struct Accumulator<float> {
    using type = double;
};
template <>
struct Accumulator<double> {
    using type = double;
};

// Sums the weights of the labels that are present, and reports their places to `visit`. The first loop has
// no branch to mispredict: most labels are absent.
template <class Weight, class Index, class Visit>
inline typename Accumulator<Weight>::type sum_present(const Index* labels, const Weight* weights, uint32_t begin,
                                                      uint32_t end, const uint8_t* present, Visit visit) {
    typename Accumulator<Weight>::type sum = 0;
    uint32_t hits[64];
    while (begin < end) {
        const uint32_t stop = end - begin < 64 ? end : begin + 64;
        int found = 0;
        for (; begin < stop; ++begin) {
            hits[found] = begin;
            found += present[labels[begin]];
        }
        for (int i = 0; i < found; ++i) {
            sum += weights[hits[i]];
            visit(hits[i]);
        }
    }
    return sum;
}

template <class Weight, class Index>
void trie_children(const FrozenArrays& model, int level, int64_t node, const uint8_t* present,
                   typename Accumulator<Weight>::type* sums) {
    const auto ignore = [](uint32_t) {};
    const uint32_t* leaves = model.leaf_starts[level];
    sums[level + 1] += sum_present(static_cast<const Index*>(model.leaf_labels[level + 1]),
                                   static_cast<const Weight*>(model.leaf_weights[level + 1]), leaves[node],
                                   leaves[node + 1], present, ignore);
    if (level + 2 >= model.degree) return;
    const uint32_t* inner = model.inner_starts[level];
    sums[level + 1] += sum_present(
        static_cast<const Index*>(model.inner_labels[level + 1]),
        static_cast<const Weight*>(model.inner_weights[level + 1]), inner[node], inner[node + 1], present,
        [&](uint32_t child) { trie_children<Weight, Index>(model, level + 1, child, present, sums); });
}

template <class Weight, class First, class Index>
double trie_part(const FrozenArrays& model, int64_t tail, FrozenScratch& scratch) {
    typename Accumulator<Weight>::type sums[frozen_degrees] = {};
    if (model.degree > 1) trie_children<Weight, Index>(model, 0, tail, scratch.present.data(), sums);
    double part = double(static_cast<const First*>(model.leaf_weights[0])[tail]);
    for (int level = 1; level < model.degree; ++level) part += model.scale[level] * double(sums[level]);
    return part;
}

}  // namespace kakari
