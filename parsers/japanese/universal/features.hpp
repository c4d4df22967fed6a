// What the converter to Universal Dependencies looks at, as hashed conjunctions.
//
// A word is a handful of hashes of its strings (not ids, so that the weights outlive the parser's vocabulary); a
// sentence is its words, its bunsetsu and their heads. Four questions are asked: does a bunsetsu begin here by
// UD's standard, which part of speech is this, how does this word lean on its bunsetsu's content word, and how
// does a content word lean on another. Each has its templates, about 50 conjunctions a question.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/hashed/rows.hpp"

namespace kakari::universal {

// As in `Kind` of parsers/japanese/words/morphemes.pxd.
constexpr int32_t COMMA = 2, MARK = 16, PARTICLE = 32, AUXILIARY = 64, PREDICATE = 512 | 1024;
constexpr int32_t FUNCTION = MARK | PARTICLE | AUXILIARY;
constexpr int MOST_CONJUNCTIONS = 160;
constexpr int MOST_SIBLINGS = 8;

struct Word {
  uint64_t surface = 1, base = 1, pos = 1, subpos = 1, fine = 1;
  uint64_t type = 1, form = 1, exact_form = 1;  // of conjugation; `form` without its subdivision
  int32_t kinds = 0;

  bool is_function() const { return kinds & FUNCTION; }
};

struct Sentence {
  std::vector<Word> words;
  std::vector<int32_t> starts;    // the first word of each bunsetsu; last, the number of words
  std::vector<int32_t> heads;     // of each bunsetsu; -1 is the root
  std::vector<int32_t> bunsetsu;  // of each word

  int32_t size() const { return static_cast<int32_t>(words.size()); }
  int32_t count() const { return static_cast<int32_t>(heads.size()); }

  void number_words() {
    bunsetsu.assign(words.size(), 0);
    for (int32_t k = 0; k < count(); ++k) std::fill(bunsetsu.begin() + starts[k], bunsetsu.begin() + starts[k + 1], k);
  }

  const Word &word(int32_t place, int32_t begin, int32_t end) const {
    static const Word outside;
    return begin <= place && place < end ? words[place] : outside;
  }
};

inline void boundary_features(const Sentence &sentence, int32_t place, Conjunctions &add) {
  const int32_t own = sentence.bunsetsu[place];
  const uint64_t opens = sentence.starts[own] == place;
  const uint64_t leans = opens && own > 0 ? 1 + (sentence.heads[own - 1] == own) : 0;
  const auto at = [&](int32_t by) -> const Word & { return sentence.word(place + by, 0, sentence.size()); };
  const auto same = [&](int32_t by) -> uint64_t {
    const int32_t other = place + by;
    return other < 0 || other >= sentence.size() ? 2 : sentence.bunsetsu[other] == own;
  };
  add(1, opens, leans);
  for (int32_t by = -2; by <= 2; ++by) {
    const uint64_t name = 10 * (by + 4);
    add(name, opens, at(by).fine);
    add(name + 1, opens, at(by).base);
    add(name + 2, opens, at(by).pos, leans);
  }
  const auto windows = [&](uint64_t name, auto part) {
    add(name, opens, part(at(-1)), part(at(0)));
    add(name + 1, opens, part(at(0)), part(at(1)));
    add(name + 2, opens, part(at(-2)), part(at(-1)), part(at(0)));
    add(name + 3, opens, part(at(-1)), part(at(0)), part(at(1)));
    add(name + 4, opens, part(at(0)), part(at(1)), part(at(2)));
  };
  windows(100, [](const Word &word) { return word.fine; });
  windows(110, [](const Word &word) { return word.base; });
  windows(120, [](const Word &word) { return word.subpos; });
  add(130, opens, at(-1).base, at(0).fine);
  add(131, opens, at(-1).fine, at(0).base);
  add(132, opens, at(-1).form, at(0).base);
  add(133, opens, at(-1).pos, at(-1).form, at(0).fine);
  add(134, opens, at(-1).base, at(0).base, at(1).form);
  add(135, opens, same(-2), same(-1), same(1), same(2));
  add(136, opens, at(0).surface, at(-1).surface);
  add(137, opens, leans, at(-1).fine, at(0).fine);
}

inline void word_features(const Sentence &sentence, int32_t place, Conjunctions &add) {
  const int32_t own = sentence.bunsetsu[place], begin = sentence.starts[own], end = sentence.starts[own + 1];
  const Word &word = sentence.words[place];
  const auto at = [&](int32_t by) -> const Word & { return sentence.word(place + by, begin, end); };
  const auto contents = [&](int32_t from, int32_t to) {
    uint64_t found = 0;
    for (int32_t i = from; i < to && found < 2; ++i) found += !sentence.words[i].is_function();
    return found;
  };
  const uint64_t around = 3 * contents(begin, place) + contents(place + 1, end);
  const uint64_t edges = 2 * (place == begin) + (place + 1 == end);
  add(1, 0);
  add(2, word.fine);
  add(3, word.base, word.pos);
  add(4, word.surface);
  add(5, word.fine, word.type);
  add(6, word.fine, word.form);
  add(7, word.base, word.exact_form);
  add(8, word.pos, edges, around);
  add(9, word.fine, around);
  add(10, word.base, around);
  add(11, word.base, edges);
  for (int32_t by : {-2, -1, 1, 2}) {
    const uint64_t name = 20 + 10 * (by + 2);
    add(name, at(by).fine);
    add(name + 1, at(by).base, at(by).pos);
    add(name + 2, at(by).fine, word.fine);
    add(name + 3, at(by).base, word.base);
    add(name + 4, at(by).fine, word.base);
    add(name + 5, at(by).base, word.fine);
    add(name + 6, at(by).form, word.base);
    add(name + 7, at(by).form, word.fine);
  }
  add(70, at(-1).fine, word.fine, at(1).fine);
  add(71, at(-1).base, word.base, at(1).base);
  add(72, at(-2).fine, at(-1).fine, word.fine);
  add(73, at(-2).base, at(-1).base, word.base);
  add(74, word.fine, at(1).fine, at(2).fine);
  add(75, word.base, at(1).base, at(2).base);
  add(76, at(-2).pos, at(-1).base, word.base);
  add(77, at(3).subpos, word.fine);
  add(78, at(-3).subpos, word.fine);
  add(79, at(-3).base, at(-2).base, at(-1).base, word.base);
  if (place + 1 == end) {
    const Word &next = sentence.word(end, 0, sentence.size());
    add(80, next.subpos, word.base);
    add(81, next.subpos, word.fine);
  }
  if (place == begin) {
    const Word &before = sentence.word(begin - 1, 0, sentence.size());
    add(82, before.base, word.base);
    add(83, before.subpos, word.fine);
  }
}

// A bunsetsu as an arc sees it: its content word and the function words behind it.
struct Ending {
  Ending(const Sentence &sentence, int32_t number, int32_t content) : word(sentence.words[content]) {
    const Word *before = nullptr;
    int found = 0;
    for (int32_t i = content + 1; i < sentence.starts[number + 1]; ++i) {
      const Word &next = sentence.words[i];
      comma |= (next.kinds & COMMA) != 0;
      if (next.kinds & MARK) continue;
      if (found < 5) bases = join(bases, next.base);
      if (found < 4) parts = join(parts, next.subpos);
      if (found++ == 0) first = next.base;
      before_last = before ? before->base : 1;
      before = &next;
      predicate |= (next.kinds & AUXILIARY) != 0;
      if (next.kinds & PARTICLE) {
        particles = join(particle, next.base);
        particle = next.base;
      }
    }
    predicate |= (word.kinds & PREDICATE) != 0;
    bare = found == 0;
    last = before ? before : &word;
  }

  const Word &word;
  const Word *last = nullptr;
  uint64_t bases = 7, parts = 7, first = 1, before_last = 1;
  uint64_t particle = 1, particles = 1;  // the last one, and the last two
  bool comma = false, predicate = false, bare = false;
};

inline void arc_features(const Sentence &sentence, int32_t number, const std::vector<int32_t> &contents,
                         Conjunctions &add) {
  const Ending own(sentence, number, contents[number]);
  add(1, 0);
  add(2, own.bases);
  add(3, own.word.fine);
  add(4, own.word.fine, own.bases);
  add(5, own.word.pos, own.bases);
  add(6, own.word.subpos, own.parts);
  add(7, own.word.base);
  add(8, own.word.base, own.bases);
  add(9, own.last->base, own.last->form);
  add(10, own.last->pos, own.last->exact_form);
  add(11, own.particles);
  add(12, own.particle, own.word.pos);
  add(13, own.comma, own.bases);
  add(14, own.first, own.word.subpos);
  add(15, own.before_last, own.last->base);
  const int32_t head = sentence.heads[number];
  if (head < 0) {
    add(16, 0);
    return;
  }
  const Ending other(sentence, head, contents[head]);
  const uint64_t distance = std::min(4, head - number);
  const uint64_t shown[] = {own.bases,     own.particles, join(own.word.subpos, own.bases),
                            own.word.fine, own.word.base, join(join(own.last->pos, own.last->form), own.bare)};
  for (uint64_t i = 0; i < 6; ++i) {
    const uint64_t name = 20 + 10 * i;
    add(name, shown[i], other.word.fine);
    add(name + 1, shown[i], other.word.pos, other.predicate);
    add(name + 2, shown[i], other.word.base);
    add(name + 3, shown[i], distance);
    add(name + 4, shown[i], other.last->base);
    add(name + 5, shown[i], own.comma, other.predicate);
    add(name + 6, shown[i], other.particle);
    add(name + 7, shown[i], other.bases);
  }
  add(80, other.word.fine);
  add(81, distance);
  int siblings = 0;
  for (int32_t k = 0; k < head && siblings < MOST_SIBLINGS; ++k)
    if (k != number && sentence.heads[k] == head) {
      add(82, Ending(sentence, k, contents[k]).particle, own.particle);
      ++siblings;
    }
}

}  // namespace kakari::universal
