// Support vectors in the order in which they came, and the kernel sums over any recent run of them.
//
// An entry is one update of a support vector. Entries are only ever appended, so the posting list of a feature is
// chronological and "what came since entry t" is its tail.
// Features in the first `bitmapped` ranks, which occur in a large share of all entries, have a bitmap instead
// of a list. Costs for a set x and a run of n entries:
//   replay     n / 512 passes of the carry-save adders over x's bitmaps, and a few integer operations an entry;
//   rare_part  the support vectors that share a rare feature with x, each read once;
//   inverted   all postings of x's features; naive: all features of all support vectors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "kernels/hardware/bits.hpp"
#include "kernels/replay/bitmaps.hpp"
#include "kernels/replay/entries.hpp"
#include "kernels/replay/kernel_sum.hpp"
#include "kernels/replay/regular_steps.hpp"
#include "kernels/replay/scratch.hpp"
#include "kernels/replay/signature.hpp"

namespace kakari {

class SupportLog {
 public:
  // `degree` of the kernel; `bitmapped` first ranks in bitmaps, the others in posting lists.
  void reset(int degree, int32_t bitmapped) {
    degree_ = degree;
    bitmaps_.reset(bitmapped);
    coefficients_.clear();
    steps_.clear();
    vector_of_.clear();
    postings_.clear();
    newest_.clear();
    posting_bytes_ = 0;
    vector_offsets_.assign(1, 0);
    vector_ranks_.clear();
    entries_.clear();
    powers_.clear();
    reserve_powers(63);
    small_powers_ = Powers(degree);
  }

  int64_t size() const { return static_cast<int64_t>(coefficients_.size()); }
  int32_t bitmapped() const { return bitmaps_.rows(); }
  int32_t vectors() const { return static_cast<int32_t>(vector_offsets_.size()) - 1; }
  const std::vector<int64_t> &vector_offsets() const { return vector_offsets_; }
  const std::vector<int32_t> &vector_ranks() const { return vector_ranks_; }
  const std::vector<int32_t> &entry_vectors() const { return vector_of_; }
  const std::vector<double> &entry_coefficients() const { return coefficients_; }
  const int32_t *vector(int32_t number) const { return vector_ranks_.data() + vector_offsets_[number]; }
  int vector_length(int32_t number) const {
    return static_cast<int>(vector_offsets_[number + 1] - vector_offsets_[number]);
  }

  // (1 + shared)^degree
  double kernel(int64_t shared) const { return powers_[shared]; }

  int32_t add_vector(const int32_t *ranks, int length) {
    vector_ranks_.insert(vector_ranks_.end(), ranks, ranks + length);
    vector_offsets_.push_back(static_cast<int64_t>(vector_ranks_.size()));
    reserve_powers(length);
    return vectors() - 1;
  }

  // Append an entry for the vector.
  void append(int32_t vector_number, double coefficient) {
    const int64_t entry = size();
    if (entry == INT32_MAX) throw std::length_error("more than 2^31 - 2 updates");
    const int32_t *ranks = vector(vector_number);
    const int length = vector_length(vector_number);
    if (length && ranks[length - 1] >= bitmaps_.rows() + static_cast<int64_t>(postings_.size()))
      make_lists(ranks[length - 1] - bitmaps_.rows() + 1);
    bitmaps_.make_room(entry + 1);
    for (int i = 0; i < length; ++i) {
      if (ranks[i] < bitmaps_.rows()) {
        bitmaps_.set(ranks[i], entry);
        continue;
      }
      std::vector<int32_t> &list = postings_[ranks[i] - bitmaps_.rows()];
      posting_bytes_ -= list.capacity() * sizeof(int32_t);
      list.push_back(static_cast<int32_t>(entry));
      posting_bytes_ += list.capacity() * sizeof(int32_t);
      newest_[ranks[i] - bitmaps_.rows()] = static_cast<int32_t>(entry);
    }
    const int within = count_below(Signature::RANKS, ranks, length);
    entries_.emplace_back(ranks, length, within, vector_offsets_[vector_number], coefficient);
    coefficients_.push_back(coefficient);
    steps_.append(coefficients_);
    vector_of_.push_back(vector_number);
  }

  // Change the coefficient of an entry in place. Only for logs that are not replayed: remembered sums would be wrong.
  void change(int64_t entry, double amount) {
    coefficients_[entry] += amount;
    entries_[entry].coefficient = coefficients_[entry];
  }

  // Sum over the entries from `from` on of coefficient * kernel.
  double replay(const int32_t *ranks, int length, int64_t from, Scratch &scratch) const {
    if (length <= ROWS_AT_ONCE && steps_.mostly_regular()) return replay_regular(ranks, length, from, scratch);
    double sum = 0;
    count_shared(ranks, length, from, scratch, [&](const auto *counts, int64_t first) {
      sum = kernel_sum(degree_, coefficients_.data() + from, counts + (from - first), size() - from);
    });
    return sum;
  }

  // Call visit(entry, coefficient * kernel) for the entries from `from` on.
  template <class Visitor>
  void each_since(const int32_t *ranks, int length, int64_t from, Scratch &scratch, Visitor visit) const {
    count_shared(ranks, length, from, scratch, [&](const auto *counts, int64_t first) {
      for (int64_t entry = from; entry < size(); ++entry)
        visit(entry, coefficients_[entry] * powers_[counts[entry - first]]);
    });
  }

  // Call use(counts, first): how many features each entry from `from` on shares with x; counts begin with the
  // entry `first`, which may be earlier.
  template <class User>
  void count_shared(const int32_t *ranks, int length, int64_t from, Scratch &scratch, User use) const {
    const int64_t first = from / BLOCK * BLOCK, blocks = (size() - first + BLOCK - 1) / BLOCK;
    const auto count = [&](auto *counts) {
      const int dense = count_below(bitmaps_.rows(), ranks, length);
      bitmaps_.add_counts(ranks, dense, first, counts);
      for (int i = dense; i < length; ++i)
        each_posting(ranks[i], from, [&](int64_t entry) { ++counts[entry - first]; });
      use(counts, first);
    };
    if (length < 256) {
      scratch.counts.assign(blocks, Scratch::Counts{});
      count(scratch.counts[0].of_block);
    } else {
      scratch.wide_counts.assign(blocks * BLOCK, 0);
      count(scratch.wide_counts.data());
    }
  }

  // Sum over the entries from `from` on of coefficient * (kernel with x - kernel with x's common ranks).
  double rare_part(const int32_t *ranks, int length, int common, int64_t from, Scratch &scratch) const {
    double sum = 0;
    each_rare(ranks, length, common, from, scratch, [&](int64_t, double amount) { sum += amount; });
    return sum;
  }
  double long_rare_part(const int32_t *ranks, int length, int common, int64_t from, Scratch &scratch) const {
    if (common == length || from == size()) return 0;
    if (ranks[common] < Signature::RANKS) return rare_part(ranks, length, common, from, scratch);
    double sum = 0;
    each_rare_by_marks(ranks, length, common, from, scratch, [&](int64_t, double amount) { sum += amount; });
    return sum;
  }

  // Call visit(entry, its part of that sum) for those entries that share a rare feature with x.
  template <class Visitor>
  void each_rare(const int32_t *ranks, int length, int common, int64_t from, Scratch &scratch, Visitor visit) const {
    if (common == length || from == size()) return;
    begin_query(scratch);
    for (int i = common; i < length; ++i) {
      each_posting(ranks[i], from, [&](int64_t entry) {
        Scratch::Seen &seen = scratch.seen[entry];
        if (seen.query == scratch.query) {
          ++seen.rare;
          return;
        }
        seen = {scratch.query, 1};
        scratch.met.push_back(static_cast<int32_t>(entry));
        prefetch(&entries_[entry]);
      });
    }
    if (scratch.met.empty()) return;
    const Signature signature(ranks, common);
    const int within = count_below(Signature::RANKS, ranks, common);
    mark(ranks + within, common - within, scratch);
    for (int32_t number : scratch.met) {
      const Entry &entry = entries_[number];
      int64_t shared = entry.signature.shared_with(signature);
      if (within < common) shared += marks_beyond(entry, scratch);
      visit(number, entry.coefficient * (powers_[shared + scratch.seen[number].rare] - powers_[shared]));
    }
    unmark(ranks + within, common - within, scratch);
  }

  // Start loading the rare features' postings from `from` on, where there are any: first what tells where they
  // end, and once that is there, their end itself.
  void expect_lists(const int32_t *ranks, int length, int64_t from) const {
    each_newer(ranks, length, from, [](const std::vector<int32_t> &list) { prefetch(&list); });
  }
  void expect_postings(const int32_t *ranks, int length, int64_t from) const {
    each_newer(ranks, length, from, [](const std::vector<int32_t> &list) { prefetch(list.data() + list.size()); });
  }

  double inverted(const int32_t *ranks, int length, Scratch &scratch) const {
    std::vector<uint32_t> &counts = scratch.wide_counts;
    counts.assign(size(), 0);
    for (int i = 0; i < length; ++i) each_posting(ranks[i], 0, [&](int64_t entry) { ++counts[entry]; });
    return kernel_sum(degree_, coefficients_.data(), counts.data(), size());
  }

  double naive(const int32_t *ranks, int length, Scratch &scratch) const {
    mark(ranks, length, scratch);
    double sum = 0;
    for (int64_t entry = 0; entry < size(); ++entry) sum += coefficients_[entry] * powers_[marks_of(entry, scratch)];
    unmark(ranks, length, scratch);
    return sum;
  }

  // About how many entries from `from` on contain one of the ranks (each rank counted by itself).
  double expected_postings(const int32_t *ranks, int length, int64_t from) const {
    double total = 0;
    for (int i = 0; i < length; ++i) {
      const int64_t list = ranks[i] - bitmaps_.rows();
      if (list < 0)
        total += size() / 8.0;
      else if (list < static_cast<int64_t>(postings_.size()))
        total += postings_[list].size();
    }
    return size() ? total * (size() - from) / size() : 0;
  }

  int64_t bytes() const {
    return bitmaps_.bytes() + steps_.bytes() + posting_bytes_ + postings_.capacity() * sizeof(postings_[0]) +
           newest_.capacity() * sizeof(int32_t) + coefficients_.capacity() * sizeof(double) +
           vector_of_.capacity() * sizeof(int32_t) + entries_.capacity() * sizeof(Entry) +
           vector_offsets_.capacity() * sizeof(int64_t) + vector_ranks_.capacity() * sizeof(int32_t);
  }

 private:
  static constexpr int AHEAD = 8;  // postings between asking for an entry and reading it

  static int count_below(int32_t limit, const int32_t *ranks, int length) {
    return static_cast<int>(std::lower_bound(ranks, ranks + length, limit) - ranks);
  }

  void reserve_powers(int length) {
    for (int shared = static_cast<int>(powers_.size()); shared <= length; ++shared) {
      double power = 1;
      for (int i = 0; i < degree_; ++i) power *= 1.0 + shared;
      powers_.push_back(power);
    }
  }

  void make_lists(int64_t count) {
    postings_.resize(count);
    newest_.resize(count, -1);
  }

  // Call visit(list) for the lists of these ranks that have entries from `from` on.
  template <class Visitor>
  void each_newer(const int32_t *ranks, int length, int64_t from, Visitor visit) const {
    const int64_t lists = static_cast<int64_t>(postings_.size());
    for (int i = length - 1; i >= 0 && ranks[i] >= bitmaps_.rows(); --i) {
      const int64_t number = ranks[i] - bitmaps_.rows();
      if (number < lists && newest_[number] >= from) visit(postings_[number]);
    }
  }

  template <bool reads_entries = false, class Visitor>
  void each_posting(int32_t rank, int64_t from, Visitor visit) const {
    if (rank < bitmaps_.rows()) return bitmaps_.each(rank, from, visit);
    const int64_t number = rank - bitmaps_.rows();
    if (number >= static_cast<int64_t>(postings_.size())) return;
    if (newest_[number] < from) return;
    const std::vector<int32_t> &list = postings_[number];
    const int32_t *end = list.data() + list.size();
    for (const int32_t *place = tail_of(list, from); place < end; ++place) {
      if (reads_entries && place + AHEAD < end) prefetch(&entries_[place[AHEAD]]);
      visit(*place);
    }
  }

  void begin_query(Scratch &scratch) const {
    if (scratch.seen.size() < coefficients_.size()) scratch.seen.resize(coefficients_.capacity(), {0, 0});
    if (++scratch.query == 0) {  // after 2^32 queries the numbers begin again
      std::fill(scratch.seen.begin(), scratch.seen.end(), Scratch::Seen{0, 0});
      scratch.query = 1;
    }
    scratch.met.clear();
  }

  void mark(const int32_t *ranks, int length, Scratch &scratch) const {
    if (length && ranks[length - 1] >= static_cast<int64_t>(scratch.marks.size()))
      scratch.marks.resize(std::max<size_t>(ranks[length - 1] + 1, scratch.marks.size() * 2), 0);
    const int32_t highest = bitmaps_.rows() + static_cast<int32_t>(postings_.size());
    if (static_cast<int32_t>(scratch.marks.size()) < highest) scratch.marks.resize(highest, 0);
    for (int i = 0; i < length; ++i) scratch.marks[ranks[i]] = 1;
  }

  void unmark(const int32_t *ranks, int length, Scratch &scratch) const {
    for (int i = 0; i < length; ++i) scratch.marks[ranks[i]] = 0;
  }

  int64_t marks_of(int64_t entry, const Scratch &scratch) const {
    int64_t sum = 0;
    const int32_t *ranks = vector(vector_of_[entry]);
    const int length = vector_length(vector_of_[entry]);
    for (int i = 0; i < length; ++i) sum += scratch.marks[ranks[i]];
    return sum;
  }

  // The marks of the features that the signature does not hold.
  int64_t marks_beyond(const Entry &entry, const Scratch &scratch) const {
    int64_t sum = 0;
    entry.each_beyond(vector_ranks_.data(), [&](int32_t rank) {
      sum += scratch.marks[rank];
      return true;
    });
    return sum;
  }

  // The same for many entries, where no rare feature is in the signature: an entry then tells by itself which rare
  // features it shares, and counts in the list of the first of them; nothing else is read.
  template <class Visitor>
  void each_rare_by_marks(const int32_t *ranks, int length, int common, int64_t from, Scratch &scratch,
                          Visitor visit) const {
    constexpr int32_t RARE = 1 << 16;
    const Signature signature(ranks, common);
    const int within = count_below(Signature::RANKS, ranks, common);
    mark(ranks + within, length - within, scratch);
    for (int i = common; i < length; ++i) scratch.marks[ranks[i]] = RARE;
    for (int i = common; i < length; ++i) {
      each_posting<true>(ranks[i], from, [&](int64_t number) {
        const Entry &entry = entries_[number];
        int64_t sum = 0;
        bool counted_before = false;
        entry.each_beyond(vector_ranks_.data(), [&](int32_t rank) {
          counted_before = rank == ranks[i] && sum >= RARE;
          sum += scratch.marks[rank];
          return !counted_before;
        });
        if (counted_before) return;
        const int64_t shared = entry.signature.shared_with(signature) + sum % RARE;
        visit(number, entry.coefficient * (powers_[shared + sum / RARE] - powers_[shared]));
      });
    }
    unmark(ranks + within, length - within, scratch);
  }

  // What rare features add changes single terms of the sum over bitmaps.
  double replay_regular(const int32_t *ranks, int length, int64_t from, Scratch &scratch) const {
    const int64_t first = from / BLOCK * BLOCK;
    const int dense = count_below(bitmaps_.rows(), ranks, length);
    const int8_t *signs = steps_.signs() + first;
    const Blocks blocks = bitmaps_.blocks_from(first, signs);
    if (static_cast<int64_t>(scratch.counts.size()) < blocks.count) scratch.counts.resize(2 * blocks.count);
    uint8_t *counts = scratch.counts[0].of_block;
    Places places;
    bitmaps_.find_places(ranks, dense, places);
    int64_t whole = blocks_sum(blocks, places, static_cast<int>(from - first), small_powers_, counts);
    double odd = 0;
    for (int i = dense; i < length; ++i) {
      each_posting(ranks[i], from, [&](int64_t entry) {
        const int32_t *power = small_powers_.values + counts[entry - first]++;
        whole += signs[entry - first] * (power[1] - power[0]);
      });
    }
    steps_.each_odd(from, [&](int32_t entry) { odd += coefficients_[entry] * powers_[counts[entry - first]]; });
    return odd + steps_.unit() * static_cast<double>(whole);
  }

  // Where the postings from `from` on begin: the tail is mostly short, so it is looked for from the end, in steps
  // that double.
  static KAKARI_INLINE const int32_t *tail_of(const std::vector<int32_t> &list, int64_t from) {
    const int64_t length = static_cast<int64_t>(list.size());
    if (from == 0) return list.data();
    int64_t step = 1;
    while (step <= length && list[length - step] >= from) step *= 2;
    const int32_t *end = list.data() + length;
    return std::lower_bound(end - std::min(step, length), end - step / 2, from);
  }

  int degree_ = 1;
  UpdateBitmaps bitmaps_;
  std::vector<double> coefficients_;
  RegularSteps steps_;
  std::vector<int32_t> vector_of_;
  std::vector<std::vector<int32_t>> postings_;
  std::vector<int32_t> newest_;  // by list: its last entry, so that most lists need not be looked at
  int64_t posting_bytes_ = 0;
  std::vector<int64_t> vector_offsets_ = {0};
  std::vector<int32_t> vector_ranks_;
  std::vector<Entry> entries_;
  Powers small_powers_;
  std::vector<double> powers_;  // powers_[n] = (1 + n)^degree, as far as a support vector can share
};

}  // namespace kakari
