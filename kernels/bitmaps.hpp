// In which updates does a frequent feature occur: one bit an update, one row a feature.
//
// To intersect a set with a run of updates, the rows of its features are added up column by column. A tree of
// carry-save adders does this for 256 updates at once: eight rows in, one carry out, about five operations on
// a whole lane for each row. The sums come out as six bit planes and are spread to one byte an update.
#pragma once

#include <cstdint>
#include <cstring>
#include <vector>

namespace kakari {

class UpdateBitmaps {
public:
    static constexpr int BLOCK = 256;       // updates counted at once
    static constexpr int ROWS_AT_ONCE = 56;  // what six planes can count, in groups of eight

    void reset(int32_t rows) {
        rows_ = rows;
        words_ = BLOCK / 64;
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
        bits_[row * words_ + update / 64] |= uint64_t{1} << update % 64;
    }

    // Call visit(update) for each update from `from` on in which the feature occurs.
    template <class Visitor>
    void each(int32_t row, int64_t from, int64_t end, Visitor visit) const {
        const uint64_t* words = row_of(row);
        for (int64_t word = from / 64; word * 64 < end; ++word) {
            uint64_t left = words[word];
            if (word == from / 64) left &= ~uint64_t{0} << from % 64;
            for (; left; left &= left - 1) visit(word * 64 + __builtin_ctzll(left));
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
            count_rows(pointers, groups, first, end, counts);
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

    static inline __attribute__((always_inline)) void add_carry(Lane& sum, Lane a, Lane b, Lane& carry) {
        const Lane either = sum ^ a;
        carry = (sum & a) | (either & b);
        sum = either ^ b;
    }

    static inline __attribute__((always_inline)) Lane load(const uint64_t* words) {
        Lane lane;
        std::memcpy(&lane, words, sizeof lane);
        return lane;
    }

    template <class Count>
    static inline __attribute__((always_inline)) void count_rows(const uint64_t* const* rows, int groups,
                                                                 int64_t first, int64_t end, Count* counts) {
        for (int64_t block = first; block < end; block += BLOCK) {
            Lane planes[6] = {};
            const int64_t word = block / 64;
            for (int group = 0; group < groups; ++group) add_eight(rows + group * 8, word, planes);
            uint8_t shared[BLOCK];
            columns_of(planes, shared);
            Count* out = counts + (block - first);
            for (int i = 0; i < BLOCK; ++i) out[i] += shared[i];
        }
    }

    // Turn bit planes into one byte an update: interleave the planes' bytes, so that eight bytes are an
    // eight by eight matrix of bits, and transpose each matrix by three exchanges of blocks.
    static inline __attribute__((always_inline)) void columns_of(const Lane* planes, uint8_t* shared) {
        constexpr int BYTES = BLOCK / 8;
        uint8_t bytes[8][BYTES] = {};
        std::memcpy(bytes, planes, 6 * BYTES);
        for (int i = 0; i < BYTES; ++i)
            for (int plane = 0; plane < 8; ++plane) shared[i * 8 + plane] = bytes[plane][i];
        uint64_t matrices[BYTES];
        std::memcpy(matrices, shared, BLOCK);
        for (int i = 0; i < BYTES; ++i) {
            uint64_t bits = matrices[i], moved;
            moved = (bits ^ bits >> 7) & 0x00AA00AA00AA00AA;
            bits ^= moved ^ moved << 7;
            moved = (bits ^ bits >> 14) & 0x0000CCCC0000CCCC;
            bits ^= moved ^ moved << 14;
            moved = (bits ^ bits >> 28) & 0x00000000F0F0F0F0;
            matrices[i] = bits ^ moved ^ moved << 28;
        }
        std::memcpy(shared, matrices, BLOCK);
    }

    static inline __attribute__((always_inline)) void add_eight(const uint64_t* const* rows, int64_t word,
                                                                Lane* planes) {
        Lane two[4], four[2], eight;
        for (int i = 0; i < 4; ++i)
            add_carry(planes[0], load(rows[2 * i] + word), load(rows[2 * i + 1] + word), two[i]);
        for (int i = 0; i < 2; ++i) add_carry(planes[1], two[2 * i], two[2 * i + 1], four[i]);
        add_carry(planes[2], four[0], four[1], eight);
        for (int i = 3; i < 6; ++i) {
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
