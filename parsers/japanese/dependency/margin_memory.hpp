// Margins of the questions that were asked about one sentence, so that none is computed twice.
//
// The analyses of a beam differ in few arcs: most of their questions are about the same two bunsetsu in the same
// surroundings. A question is known by its two bunsetsu and the feature ids that depend on more than these; all of them
// are compared, a hash only proposes. A margin is a function of the ids: what is remembered has the bits of what would
// be computed. A look-up costs some 30 ns, a margin twenty times as much.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/hardware/secrets.hpp"

namespace kakari {

class MarginMemory {
 public:
  MarginMemory() : slots_(FIRST_SLOTS, FREE) {}

  // Begin another sentence.
  void clear() {
    if (questions_.size() > MOST_KEPT) {
      slots_.assign(FIRST_SLOTS, FREE);
    } else {
      for (const Question &question : questions_) slots_[question.slot] = FREE;
    }
    questions_.clear();
    ids_.clear();
  }

  // Returns the number of a question, and whether its margin is there already; a new one waits for `set`.
  int32_t find(int32_t dependent, int32_t head, const int32_t *ids, int64_t count, bool &known) {
    const uint64_t hash = hash_of(dependent, head, ids, count);
    uint64_t slot = hash & (slots_.size() - 1);
    for (; slots_[slot] != FREE; slot = (slot + 1) & (slots_.size() - 1))
      if (is_same(questions_[slots_[slot]], hash, dependent, head, ids, count)) {
        known = true;
        return slots_[slot];
      }
    known = false;
    const int32_t number = static_cast<int32_t>(questions_.size());
    questions_.push_back({hash, static_cast<int64_t>(ids_.size()), count, slot, 0.0, dependent, head});
    ids_.insert(ids_.end(), ids, ids + count);
    slots_[slot] = number;
    if (2 * questions_.size() > slots_.size()) grow();
    return number;
  }

  double margin(int32_t number) const { return questions_[number].margin; }
  void set(int32_t number, double margin) { questions_[number].margin = margin; }

 private:
  struct Question {
    uint64_t hash;
    int64_t start, count;  // of its ids
    uint64_t slot;
    double margin;
    int32_t dependent, head;
  };

  uint64_t hash_of(int32_t dependent, int32_t head, const int32_t *ids, int64_t count) const {
    uint64_t one = secret_.join(secret_.begin(count), pair_of(dependent, head)), other = one;
    int64_t i = 0;
    for (; i + 4 <= count; i += 4) {  // two chains, so that one does not wait for the other
      one = secret_.join(one, pair_of(ids[i], ids[i + 1]));
      other = secret_.join(other, pair_of(ids[i + 2], ids[i + 3]));
    }
    for (; i < count; ++i) one = secret_.join(one, static_cast<uint32_t>(ids[i]));
    return secret_.join(one, other);
  }

  static uint64_t pair_of(int32_t first, int32_t second) {
    return static_cast<uint64_t>(static_cast<uint32_t>(first)) << 32 | static_cast<uint32_t>(second);
  }

  bool is_same(const Question &question, uint64_t hash, int32_t dependent, int32_t head, const int32_t *ids,
               int64_t count) const {
    return question.hash == hash && question.dependent == dependent && question.head == head &&
           question.count == count && std::equal(ids, ids + count, ids_.begin() + question.start);
  }

  void grow() {
    slots_.assign(2 * slots_.size(), FREE);
    for (int32_t number = 0; number < static_cast<int32_t>(questions_.size()); ++number) {
      uint64_t slot = questions_[number].hash & (slots_.size() - 1);
      while (slots_[slot] != FREE) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = number;
      questions_[number].slot = slot;
    }
  }

  static constexpr int32_t FREE = -1;
  static constexpr size_t FIRST_SLOTS = 256, MOST_KEPT = 1 << 14;

  SecretHash secret_;
  std::vector<int32_t> slots_;  // numbers of questions, a power of two
  std::vector<Question> questions_;
  std::vector<int32_t> ids_;  // of all questions
};

}  // namespace kakari
