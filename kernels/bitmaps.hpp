// In which updates does a frequent feature occur: one bit an update, one row a feature.
//
// To intersect a set with a run of updates, the rows of its features are added up column by column. A tree of
// carry-save adders does this for 256 updates at once: eight rows in, one carry out, about five operations on
// a whole lane for each row. The sums come out as six bit planes and are spread to one byte an update. For that,
// update 32 j + i of a block has bit j of byte i: shifting a plane by j and masking it leaves the bits of the updates
// from 32 j on, in their order, one a byte.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

#include "processor.hpp"

namespace kakari {

class UpdateBitmaps {
public:
    static constexpr int BLOCK = 256;  // updates counted at once
    static constexpr int BLOCK_WORDS = BLOCK / 64;
    static constexpr int PLANES = 6;
    static constexpr int ROWS_AT_ONCE = 56;  // what the planes can count, in groups of eight

    void reset(int32_t rows) {
        rows_ = rows;
        words_ = BLOCK_WORDS;
        bits_.assign(static_cast<size_t>(rows_ + 1) * words_, 0);  // the last row stays empty
        bits_.shrink_to_fit();
    }

    int32_t rows() const { return rows_; }
    int64_t bytes() const { return bits_.capacity() * sizeof(uint64_t); }

    // Every update needs its column, also one that has none of the features.
    void make_room(int64_t updates) {
        while (updates > words_ * 64) grow();
    }

    void set(int32_t row, int64_t update) {
        const int64_t place = update % 32 * 8 + update % BLOCK / 32;
        bits_[row * words_ + update / BLOCK * BLOCK_WORDS + place / 64] |= uint64_t{1} << place % 64;
    }

    // Call visit(update) for each update from `from` on in which the feature occurs, in any order.
    template <class Visitor>
    void each(int32_t row, int64_t from, int64_t end, Visitor visit) const {
        const uint64_t* words = row_of(row);
        for (int64_t word = from / BLOCK * BLOCK_WORDS; word < (end + BLOCK - 1) / BLOCK * BLOCK_WORDS; ++word) {
            const int64_t block = word / BLOCK_WORDS * BLOCK;
            for (uint64_t left = words[word]; left; left &= left - 1) {
                const int64_t place = word * 64 - block + __builtin_ctzll(left);
                const int64_t update = block + place % 8 * 32 + place / 8;
                if (update >= from) visit(update);
            }
        }
    }

    // Add to counts[u - first] how many of the given rows occur in update u, for first <= u < end;
    // `first` is a multiple of BLOCK, and `counts` has room for whole blocks.
    template <class Count>
    void count(const int32_t* rows, int length, int64_t first, int64_t end, Count* counts) const {
        const uint64_t* pointers[ROWS_AT_ONCE];
        for (int begin = 0; begin < length; begin += ROWS_AT_ONCE) {
            const int wanted = length - begin < ROWS_AT_ONCE ? length - begin : ROWS_AT_ONCE;
            const int groups = (wanted + 7) / 8;
            for (int i = 0; i < groups * 8; ++i) pointers[i] = row_of(i < wanted ? rows[begin + i] : rows_);
            count_rows_here(pointers, groups, first, end, counts);
        }
    }

private:
    typedef uint64_t Lane __attribute__((vector_size(BLOCK / 8)));

    const uint64_t* row_of(int32_t row) const { return bits_.data() + row * words_; }

    void grow() {
        std::vector<uint64_t> bits(static_cast<size_t>(rows_ + 1) * words_ * 2, 0);
        for (int32_t row = 0; row < rows_; ++row)
            std::memcpy(&bits[row * words_ * 2], row_of(row), words_ * sizeof(uint64_t));
        bits_.swap(bits);
        words_ *= 2;
    }

    static KAKARI_INLINE void add_carry(Lane& sum, Lane a, Lane b, Lane& carry) {
        const Lane either = sum ^ a;
        carry = (sum & a) | (either & b);
        sum = either ^ b;
    }

    static KAKARI_INLINE Lane load(const uint64_t* words) {
        Lane lane;
        std::memcpy(&lane, words, sizeof lane);
        return lane;
    }

    // With the processor's wide registers where it has them; whole numbers, so the result is the same.
    template <class Count>
    static void count_rows_here(const uint64_t* const* rows, int groups, int64_t first, int64_t end,
                                Count* counts) {
#ifdef KAKARI_WIDE
        if (has_wide_registers()) return count_rows_wide(rows, groups, first, end, counts);
#endif
        count_rows(rows, groups, first, end, counts);
    }

#ifdef KAKARI_WIDE
    template <class Count>
    KAKARI_WIDE static void count_rows_wide(const uint64_t* const* rows, int groups, int64_t first,
                                            int64_t end, Count* counts) {
        count_rows(rows, groups, first, end, counts);
    }
#endif

    template <class Count>
    static KAKARI_INLINE void count_rows(const uint64_t* const* rows, int groups, int64_t first, int64_t end,
                                         Count* counts) {
        for (int64_t block = first; block < end; block += BLOCK) {
            Lane planes[PLANES] = {};
            const int64_t word = block / 64;
            for (int group = 0; group < groups; ++group) add_eight(rows + group * 8, word, planes);
            Count* out = counts + (block - first);
            uint8_t shared[sizeof(Lane)];
            for (int from = 0; from < BLOCK; from += sizeof shared, out += sizeof shared) {
                const Lane columns = columns_of(planes, from / static_cast<int>(sizeof shared));
                std::memcpy(shared, &columns, sizeof shared);
                for (size_t i = 0; i < sizeof shared; ++i) out[i] += shared[i];
            }
        }
    }

    // The sums in bit `bit` of each byte of the planes.
    static KAKARI_INLINE Lane columns_of(const Lane* planes, int bit) {
        Lane columns = {};
        for (int plane = 0; plane < PLANES; ++plane)
            columns |= (planes[plane] >> bit & 0x0101010101010101) << plane;
        return columns;
    }

    static KAKARI_INLINE void add_eight(const uint64_t* const* rows, int64_t word, Lane* planes) {
        Lane two[4], four[2], eight;
        for (int i = 0; i < 4; ++i)
            add_carry(planes[0], load(rows[2 * i] + word), load(rows[2 * i + 1] + word), two[i]);
        for (int i = 0; i < 2; ++i) add_carry(planes[1], two[2 * i], two[2 * i + 1], four[i]);
        add_carry(planes[2], four[0], four[1], eight);
        for (int i = 3; i < PLANES; ++i) {
            const Lane carry = planes[i] & eight;
            planes[i] ^= eight;
            eight = carry;
        }
    }

    int32_t rows_ = 0;
    int64_t words_ = 0;
    std::vector<uint64_t> bits_;
};

}  // namespace kakari
