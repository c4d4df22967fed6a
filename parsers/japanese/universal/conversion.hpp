// From bunsetsu and their heads to a tree over words.
//
// By UD's standard some bunsetsu are one (`に|ついて`, `10月|31日`) and some are two; the boundaries are decided
// again, and heads follow. In each bunsetsu the head of one word, its content word, is another bunsetsu's content word;
// it is the head of all others, except in fixed expressions, whose head is their first word. One pass over the
// sentence, linear: of the siblings of an arc, at most eight are looked at.
#pragma once

#include <cstdint>
#include <vector>

#include "parsers/japanese/universal/features.hpp"
#include "parsers/sequences/weight_lines.hpp"

namespace kakari::universal {

// The weights of the four questions; they do not change.
struct Tables {
  const PairLines *boundary = nullptr;
  const SparseLines *part = nullptr, *relation = nullptr, *arc = nullptr;
};

// Numbers of labels that the conversion itself must know.
struct Labels {
  int32_t parts = 0, relations = 0, arcs = 0;
  int32_t content = 0, fixed = 0;  // among the relations within a bunsetsu
  int32_t root = 0;                // among the relations between bunsetsu
};

struct Tree {
  std::vector<int32_t> heads;      // of each word; -1 is the root
  std::vector<uint8_t> parts;      // parts of speech
  std::vector<uint8_t> relations;  // within a bunsetsu, or, for its content word, between bunsetsu
  std::vector<int32_t> contents;   // the content word of each bunsetsu
};

// The hashes of one question.
class Question {
 public:
  template <class Extract>
  explicit Question(Extract extract) {
    Conjunctions add(hashes_);
    extract(add);
    count_ = add.count;
  }

  template <class Lines>
  void ask(const Lines &lines) const {
    for (int i = 0; i < count_; ++i) lines.ask(hashes_[i]);
  }

  template <class Lines>
  void score(const Lines &lines, int16_t *scores) const {
    std::fill(scores, scores + MOST_CLASSES, int16_t{0});
    lines.score(hashes_, 1, count_, Wanted{}, scores);
  }

 private:
  uint64_t hashes_[MOST_CONJUNCTIONS];
  int count_ = 0;
};

// The best class except for one that is left out.
inline int32_t best_of(const int16_t *scores, int32_t classes, int32_t without = -1) {
  int32_t best = -1;
  for (int32_t i = 0; i < classes; ++i)
    if (i != without && (best < 0 || scores[i] > scores[best])) best = i;
  return best;
}

// Cut a sentence into bunsetsu that begin where `opens` says, and give them the heads that follow.
inline void cut_again(Sentence &sentence, const std::vector<uint8_t> &opens) {
  const Sentence &old = sentence;
  std::vector<int32_t> starts, place(old.words.size());
  for (int32_t i = 0; i < old.size(); ++i) {
    if (i == 0 || opens[i]) starts.push_back(i);
    place[i] = static_cast<int32_t>(starts.size()) - 1;
  }
  const int32_t count = static_cast<int32_t>(starts.size());
  starts.push_back(old.size());
  std::vector<int32_t> first_content(old.heads.size());
  for (int32_t k = 0; k < old.count(); ++k) {
    first_content[k] = old.starts[k];
    for (int32_t i = old.starts[k]; i < old.starts[k + 1]; ++i)
      if (!old.words[i].is_function()) {
        first_content[k] = i;
        break;
      }
  }
  std::vector<int32_t> heads(count);
  for (int32_t k = 0; k < count; ++k) {
    const int32_t last = starts[k + 1] - 1, within = old.bunsetsu[last];
    heads[k] = k + 1 < count ? k + 1 : -1;
    if (last + 1 != old.starts[within + 1]) continue;  // cut in two: the first part leans on the second
    int32_t head = old.heads[within];
    while (head >= 0 && place[first_content[head]] <= k) head = old.heads[head];
    if (head >= 0) heads[k] = place[first_content[head]];
  }
  sentence.starts = std::move(starts);
  sentence.heads = std::move(heads);
  sentence.bunsetsu = std::move(place);
}

inline void find_boundaries(const Sentence &sentence, const PairLines &lines, std::vector<uint8_t> &opens) {
  int16_t scores[MOST_CLASSES];
  opens.assign(sentence.words.size(), 1);
  for (int32_t i = 1; i < sentence.size(); ++i) {
    const Question question([&](Conjunctions &add) { boundary_features(sentence, i, add); });
    question.ask(lines);
    question.score(lines, scores);
    opens[i] = scores[1] > scores[0];
  }
}

inline void lean_on_contents(const Sentence &sentence, const Labels &labels, Tree &tree) {
  for (int32_t k = 0; k < sentence.count(); ++k) {
    const int32_t begin = sentence.starts[k], end = sentence.starts[k + 1], content = tree.contents[k];
    for (int32_t i = begin; i < end; ++i) {
      tree.heads[i] = content;
      if (i == content || tree.relations[i] != labels.fixed) continue;
      int32_t first = i - 1;
      while (first > begin && first != content && tree.relations[first] == labels.fixed) --first;
      if (first >= begin) tree.heads[i] = first;
    }
    const int32_t head = sentence.heads[k];
    tree.heads[content] = head < 0 ? -1 : tree.contents[head];
  }
}

// The sentence is cut by UD's standard on the way.
inline void convert(Sentence &sentence, const Tables &tables, const Labels &labels, Tree &tree) {
  std::vector<uint8_t> opens;
  find_boundaries(sentence, *tables.boundary, opens);
  cut_again(sentence, opens);
  const size_t size = sentence.words.size();
  tree.heads.assign(size, -1);
  tree.parts.assign(size, 0);
  tree.relations.assign(size, 0);
  tree.contents.assign(sentence.heads.size(), 0);
  int16_t scores[MOST_CLASSES];
  for (int32_t k = 0; k < sentence.count(); ++k) {
    int32_t best = INT32_MIN;
    for (int32_t i = sentence.starts[k]; i < sentence.starts[k + 1]; ++i) {
      const Question question([&](Conjunctions &add) { word_features(sentence, i, add); });
      question.ask(*tables.part);
      question.ask(*tables.relation);
      question.score(*tables.part, scores);
      tree.parts[i] = static_cast<uint8_t>(best_of(scores, labels.parts));
      question.score(*tables.relation, scores);
      const int32_t other = best_of(scores, labels.relations, labels.content);
      tree.relations[i] = static_cast<uint8_t>(other);
      const int32_t margin = int32_t{scores[labels.content]} - scores[other];
      if (margin > best) {
        best = margin;
        tree.contents[k] = i;
      }
    }
  }
  lean_on_contents(sentence, labels, tree);
  for (int32_t k = 0; k < sentence.count(); ++k) {
    int32_t relation = labels.root;
    if (sentence.heads[k] >= 0) {
      const Question question([&](Conjunctions &add) { arc_features(sentence, k, tree.contents, add); });
      question.ask(*tables.arc);
      question.score(*tables.arc, scores);
      relation = best_of(scores, labels.arcs, labels.root);
    }
    tree.relations[tree.contents[k]] = static_cast<uint8_t>(relation);
  }
}

}  // namespace kakari::universal
