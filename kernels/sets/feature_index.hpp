// Numbers features by rank: from the most frequent of the first collection to its rarest, then the new ones
// of each later collection in the same way. Ids are found in one open-addressed table, so an id of 2^31 - 1
// costs what an id of 1 costs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "kernels/hardware/secrets.hpp"

namespace kakari {

class FeatureIndex {
 public:
  FeatureIndex() { rehash(64); }

  int32_t size() const { return static_cast<int32_t>(ids_.size()); }
  const std::vector<int32_t> &ids() const { return ids_; }

  int32_t find(int32_t id) const { return ranks_[slot(id)]; }

  // Make room for so many features in all, so that the table grows once.
  void reserve(size_t count) {
    size_t size = keys_.size();
    while (size < 2 * count + 2) size *= 2;
    ids_.reserve(count);
    if (size > keys_.size()) rehash(size);
  }

  int32_t add(int32_t id) {
    size_t place = slot(id);
    if (ranks_[place] >= 0) return ranks_[place];
    if (ids_.size() * 2 >= keys_.size()) {
      rehash(keys_.size() * 2);
      place = slot(id);
    }
    keys_[place] = id;
    ranks_[place] = size();
    ids_.push_back(id);
    return ranks_[place];
  }

  // Replace ids by ranks, unknown features joining at the end by falling frequency, equals by their id.
  // `counts` receives, for each rank, how often it occurs here.
  void rank(const int32_t *ids, int64_t length, std::vector<int32_t> &ranks, std::vector<int64_t> &counts) {
    const int32_t known = size();
    ranks.resize(length);
    counts.assign(known, 0);
    for (int64_t i = 0; i < length; ++i) {
      const int32_t rank = add(ids[i]);
      if (rank == static_cast<int32_t>(counts.size())) counts.push_back(0);
      ++counts[rank];
      ranks[i] = rank;
    }
    if (known == size()) return;
    const std::vector<int32_t> renamed = order_from(known, counts);
    for (int64_t i = 0; i < length; ++i)
      if (ranks[i] >= known) ranks[i] = renamed[ranks[i] - known];
  }

  // The largest number of slots that finding one of the features reads.
  int64_t longest_search() const {
    const size_t mask = keys_.size() - 1;
    size_t longest = 0;
    for (size_t place = 0; place <= mask; ++place)
      if (ranks_[place] >= 0)
        longest = std::max(longest, ((place - hash_(static_cast<uint32_t>(keys_[place]))) & mask) + 1);
    return static_cast<int64_t>(longest);
  }

  int64_t bytes() const { return (keys_.capacity() + ranks_.capacity() + ids_.capacity()) * sizeof(int32_t); }

 private:
  // Put the features from rank `known` on in order of frequency; return the new rank of each old one.
  std::vector<int32_t> order_from(int32_t known, std::vector<int64_t> &counts) {
    std::vector<int32_t> order(size() - known), renamed(order.size());
    std::iota(order.begin(), order.end(), known);
    std::sort(order.begin(), order.end(),
              [&](int32_t a, int32_t b) { return counts[a] != counts[b] ? counts[a] > counts[b] : ids_[a] < ids_[b]; });
    const std::vector<int32_t> old_ids(ids_);
    const std::vector<int64_t> old_counts(counts);
    for (size_t i = 0; i < order.size(); ++i) {
      const int32_t rank = known + static_cast<int32_t>(i);
      renamed[order[i] - known] = rank;
      ids_[rank] = old_ids[order[i]];
      counts[rank] = old_counts[order[i]];
      ranks_[slot(ids_[rank])] = rank;
    }
    return renamed;
  }

  size_t slot(int32_t id) const {
    const size_t mask = keys_.size() - 1;
    size_t place = hash_(static_cast<uint32_t>(id)) & mask;
    while (ranks_[place] >= 0 && keys_[place] != id) place = (place + 1) & mask;
    return place;
  }

  void rehash(size_t size) {
    keys_.assign(size, 0);
    ranks_.assign(size, -1);
    for (size_t rank = 0; rank < ids_.size(); ++rank) {
      const size_t place = slot(ids_[rank]);
      keys_[place] = ids_[rank];
      ranks_[place] = static_cast<int32_t>(rank);
    }
  }

  SecretHash hash_;
  std::vector<int32_t> keys_, ranks_, ids_;
};

// Sort each row of compressed rows by two transpositions: O(total + largest), without comparing.
inline void sort_rows(const int64_t *offsets, int64_t rows, std::vector<int32_t> &ranks, int32_t features) {
  std::vector<int64_t> start(features + 1, 0), place(offsets, offsets + rows);
  for (int32_t rank : ranks) ++start[rank + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<int32_t> row_of(ranks.size());
  std::vector<int64_t> next(start.begin(), start.end() - 1);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t i = offsets[row]; i < offsets[row + 1]; ++i) row_of[next[ranks[i]]++] = static_cast<int32_t>(row);
  for (int32_t rank = 0; rank < features; ++rank)
    for (int64_t i = start[rank]; i < start[rank + 1]; ++i) ranks[place[row_of[i]]++] = rank;
}

}  // namespace kakari
