// Sums of weights that are formed later: the lines of a few hundred conjunctions are fetched before the first is read.
//
// A part of a tree has some five to eighty conjunctions. If each part's sum waits for its own lines, the memory's latency
// is paid for every part; here it is paid for every LIMIT conjunctions, which fit into the first cache.
#pragma once

#include <cstdint>
#include <vector>

namespace kakari {

// `Weights` has `ask(hash)`, which prefetches, and `amount(hash)`. `most` is how many conjunctions a sum has at most.
template <class Weights>
class PendingScores {
 public:
  PendingScores(const Weights &weights, int most) : weights_(weights), hashes_(LIMIT + most) {}
  PendingScores(const PendingScores &) = delete;
  PendingScores &operator=(const PendingScores &) = delete;

  // Where the conjunctions of the next sum are written.
  uint64_t *room() { return hashes_.data() + used_; }

  // The sum of that many conjunctions will be added to `to`, which must stay where it is until `finish`.
  void add(int count, int64_t *to) {
    for (int i = 0; i < count; ++i) weights_.ask(hashes_[used_ + i]);
    used_ += count;
    sums_.push_back({used_, to});
    if (used_ >= LIMIT) finish();
  }

  void finish() {
    int at = 0;
    for (const Sum &one : sums_) {
      int64_t sum = 0;
      for (; at < one.end; ++at) sum += weights_.amount(hashes_[at]);
      *one.to += sum;
    }
    sums_.clear();
    used_ = 0;
  }

 private:
  static constexpr int LIMIT = 256;
  struct Sum {
    int end;
    int64_t *to;
  };

  const Weights &weights_;
  std::vector<uint64_t> hashes_;
  std::vector<Sum> sums_;
  int used_ = 0;
};

}  // namespace kakari
