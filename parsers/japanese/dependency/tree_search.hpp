// Whole trees, scored by linear weights of hashed conjunctions: each bunsetsu chooses its head, from the right end of
// the sentence to the left.
//
// When a bunsetsu chooses, the structure to the right of it is known. Its candidates are its neighbour, the
// neighbour's head, that one's head and so on: no other choice would be without crossing arcs, and every tree is one
// sequence of choices. A choice has conjunctions of the pair alone and others of what stands around it: the head's
// head, the dependents that the head has already, the candidates that were passed over. A tree's score is their sum.
//
// Learning is the structured perceptron's with a beam: where the best hypothesis, with a bonus for each wrong choice,
// beats the right choices by most, its conjunctions lose and the right ones gain. A sentence of n bunsetsu costs
// about beam x n x (candidates, about 3) sums of some 180 weights.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "parsers/japanese/dependency/tree_features.hpp"

namespace kakari {

// The arcs of a tree whose right part is known; -1 where there is nothing.
struct PartialTree {
  std::vector<int32_t> heads, newest_child, next_child;
  int64_t score = 0;

  void start(int32_t count) {
    heads.assign(count, -1);
    newest_child.assign(count, -1);
    next_child.assign(count, -1);
    score = 0;
    if (count > 1) attach(count - 2, count - 1);  // there is no other choice
  }

  void attach(int32_t dependent, int32_t head) {
    heads[dependent] = head;
    next_child[dependent] = newest_child[head];
    newest_child[head] = dependent;
  }
};

template <class Weights>
class HeadChooser {
 public:
  explicit HeadChooser(const Weights &weights) : weights_(weights) {}

  // The score of a tree without crossing arcs.
  int64_t score(const ShownSentence &sentence, const int32_t *heads) {
    int64_t total = 0;
    follow(sentence, heads, 0,
           [&](const Choice &choice, const PartialTree &tree) { total += sum(choice, tree, sentence); });
    return total;
  }

  // The best hypotheses for the whole sentence, the best first; `bonus` is what each choice but the gold one gets.
  // If the best one is ever ahead of the gold one, `found` and `right` become these two where it was ahead by most.
  bool search(const ShownSentence &sentence, int32_t width, const int32_t *gold, int32_t bonus,
              std::vector<PartialTree> &beam, PartialTree &found, PartialTree &right) {
    const int32_t count = sentence.size();
    PartialTree correct;
    correct.start(count);
    beam.assign(1, correct);
    bool violated = false;
    int64_t most = -1;
    for (int32_t dependent = count - 3; dependent >= 0; --dependent) {
      step(sentence, dependent, width, gold, bonus, beam);
      if (gold == nullptr) continue;
      const Choice choice = choice_of(correct, dependent, gold[dependent]);
      if (choice.head < 0) return false;  // crossing arcs cannot be learned
      correct.score += sum(choice, correct, sentence);
      correct.attach(dependent, choice.head);
      const int64_t ahead = beam[0].score - correct.score;
      if (ahead > most && beam[0].heads != correct.heads) {
        most = ahead;
        found = beam[0];
        right = correct;
        violated = true;
      }
    }
    return violated;
  }

  // Call `use` with each choice of a tree that is known from bunsetsu `first` on, and the tree so far.
  template <class Use>
  static void follow(const ShownSentence &sentence, const int32_t *heads, int32_t first, Use use) {
    PartialTree tree;
    tree.start(sentence.size());
    for (int32_t dependent = sentence.size() - 3; dependent >= first; --dependent) {
      const Choice choice = choice_of(tree, dependent, heads[dependent]);
      if (choice.head < 0) return;
      use(choice, tree);
      tree.attach(dependent, choice.head);
    }
  }

 private:
  struct Branch {
    int64_t score;
    int32_t hypothesis, head;
  };

  // Where a head stands among the candidates; -1 if it is none.
  static Choice choice_of(const PartialTree &tree, int32_t dependent, int32_t head) {
    Choice choice{dependent, dependent + 1, -1, 0};
    while (choice.head >= 0 && choice.head != head) choice.pass(tree.heads.data());
    return choice;
  }

  int64_t sum(const Choice &choice, const PartialTree &tree, const ShownSentence &sentence) {
    return pair_sum(choice, sentence) + context_sum(choice, tree, sentence);
  }

  int64_t pair_sum(const Choice &choice, const ShownSentence &sentence) {
    uint64_t hashes[MOST_CHOICE_HASHES];
    return weight_of(hashes, pair_hashes(sentence, choice.dependent, choice.head, hashes));
  }

  int64_t context_sum(const Choice &choice, const PartialTree &tree, const ShownSentence &sentence) {
    uint64_t hashes[MOST_CHOICE_HASHES];
    const Arcs arcs{tree.heads.data(), tree.newest_child.data(), tree.next_child.data()};
    return weight_of(hashes, context_hashes(sentence, choice, arcs, hashes));
  }

  int64_t weight_of(const uint64_t *hashes, int count) {
    int32_t scores[MOST_CLASSES];
    scores[0] = 0;  // there is one class
    weights_.score(hashes, count, scores);
    return scores[0];
  }

  void step(const ShownSentence &sentence, int32_t dependent, int32_t width, const int32_t *gold, int32_t bonus,
            std::vector<PartialTree> &beam) {
    branches_.clear();
    pair_sums_.assign(sentence.size(), UNKNOWN);  // the hypotheses share most pairs
    for (int32_t index = 0; index < static_cast<int32_t>(beam.size()); ++index)
      for (Choice choice{dependent, dependent + 1, -1, 0}; choice.head >= 0; choice.pass(beam[index].heads.data())) {
        int64_t &pair = pair_sums_[choice.head];
        if (pair == UNKNOWN) pair = pair_sum(choice, sentence);
        int64_t score = beam[index].score + pair + context_sum(choice, beam[index], sentence);
        if (gold != nullptr && choice.head != gold[dependent]) score += bonus;
        branches_.push_back({score, index, choice.head});
      }
    std::stable_sort(branches_.begin(), branches_.end(),
                     [](const Branch &a, const Branch &b) { return a.score > b.score; });
    if (static_cast<int32_t>(branches_.size()) > width) branches_.resize(width);
    std::vector<PartialTree> next;
    for (const Branch &branch : branches_) {
      next.push_back(beam[branch.hypothesis]);
      next.back().score = branch.score;
      next.back().attach(dependent, branch.head);
    }
    beam.swap(next);
  }

  static constexpr int64_t UNKNOWN = INT64_MIN;

  const Weights &weights_;
  std::vector<int64_t> pair_sums_;  // of the bunsetsu that chooses, by candidate
  std::vector<Branch> branches_;
};

// One example of structured perceptron learning; says whether it changed anything.
inline bool learn_choices(RowLearner &weights, HeadChooser<RowLearner> &chooser, const ShownSentence &sentence,
                          const int32_t *gold, int32_t width, int32_t bonus, int64_t now) {
  std::vector<PartialTree> beam;
  PartialTree found, right;
  if (sentence.size() < 3 || !chooser.search(sentence, width, gold, bonus, beam, found, right)) return false;
  const auto update = [&](const PartialTree &tree, const PartialTree &other, int32_t amount) {
    HeadChooser<RowLearner>::follow(
        sentence, tree.heads.data(), 0, [&](const Choice &choice, const PartialTree &known) {
          uint64_t hashes[MOST_CHOICE_HASHES];
          int count = pair_hashes(sentence, choice.dependent, choice.head, hashes);
          if (choice.head != other.heads[choice.dependent]) weights.update(hashes, count, 0, amount, now);
          const Arcs arcs{known.heads.data(), known.newest_child.data(), known.next_child.data()};
          count = context_hashes(sentence, choice, arcs, hashes);
          weights.update(hashes, count, 0, amount, now);
        });
  };
  update(right, found, 1);
  update(found, right, -1);
  return true;
}

}  // namespace kakari
