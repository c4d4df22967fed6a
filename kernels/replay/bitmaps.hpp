// Bitmaps of the updates in which a frequent feature occurs: one bit an update, one row a feature, block by block.
//
// Updates come in blocks of 512 (block_sums.hpp says how a set is intersected with a block). Update 64 j + i of a block
// has bit j of byte i of a row. A block's rows lie together, so that the newest block, which every visit reads, stays
// in the cache; after them comes a row that stays empty.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/hardware/bits.hpp"
#include "kernels/replay/block_sums.hpp"

namespace kakari {

class UpdateBitmaps {
 public:
  void reset(int32_t rows) {
    rows_ = rows;
    blocks_ = 0;
    bits_.clear();
    bits_.shrink_to_fit();
  }

  int32_t rows() const { return rows_; }
  int64_t bytes() const { return bits_.capacity() * sizeof(Row); }

  // Every update needs its column, also one that has none of the features.
  void make_room(int64_t updates) {
    for (; updates > blocks_ * BLOCK; ++blocks_) bits_.resize(bits_.size() + rows_ + 1);
  }

  void set(int32_t row, int64_t update) {
    const int64_t place = update % 64 * 8 + update % BLOCK / 64;
    bits_[update / BLOCK * (rows_ + 1) + row].words[place / 64] |= uint64_t{1} << place % 64;
  }

  // Call visit(update) for each update from `from` on in which the feature occurs, in any order.
  template <class Visitor>
  void each(int32_t row, int64_t from, Visitor visit) const {
    for (int64_t block = from / BLOCK; block < blocks_; ++block) {
      const uint64_t *words = bits_[block * (rows_ + 1) + row].words;
      for (int word = 0; word < BLOCK / 64; ++word) {
        for (uint64_t left = words[word]; left; left &= left - 1) {
          const int place = word * 64 + lowest_one(left);
          const int64_t update = block * BLOCK + place % 8 * 64 + place / 8;
          if (update >= from) visit(update);
        }
      }
    }
  }

  // The blocks from that of the update `first` on, with the signs of the updates.
  Blocks blocks_from(int64_t first, const int8_t *signs) const {
    return {bits_.data() + first / BLOCK * (rows_ + 1), rows_ + 1, signs, blocks_ - first / BLOCK};
  }

  // The rows of a set, at most ROWS_AT_ONCE, in each block.
  void find_places(const int32_t *rows, int length, Places &places) const {
    places.length = length;
    places.groups = (length + 7) / 8;
    for (int i = 0; i < places.groups * 8; ++i) places.rows[i] = i < length ? rows[i] : rows_;
  }

  // Add to the count of each update from that block on the number of rows that it occurs in.
  template <class Count>
  void add_counts(const int32_t *rows, int length, int64_t first, Count *counts) const {
    alignas(64) uint8_t some[BLOCK];
    Places places;
    for (int begin = 0; begin < length; begin += ROWS_AT_ONCE) {
      find_places(rows + begin, length - begin < ROWS_AT_ONCE ? length - begin : ROWS_AT_ONCE, places);
      for (int64_t block = first / BLOCK; block < blocks_; ++block) {
        count_block(&bits_[block * (rows_ + 1)], places, some);
        Count *out = counts + (block * BLOCK - first);
        for (int i = 0; i < BLOCK; ++i) out[i] = static_cast<Count>(out[i] + some[i]);
      }
    }
  }

 private:
  int32_t rows_ = 0;
  int64_t blocks_ = 0;
  std::vector<Row> bits_;
};

}  // namespace kakari
