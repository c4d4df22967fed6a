// What the constituency parser's decisions look at: a state of the stack, and its conjunctions.
//
// A state is one `Step`, which says what the topmost item of the stack is and points to the step that left the item
// below it there, to the steps that made its parts, and to the step before: nothing is ever copied. The queue begins
// where the topmost item ends.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "english_words.hpp"

namespace kakari {

class ActionSet {
public:
    void set(int action) { words_[action >> 6] |= uint64_t{1} << (action & 63); }
    void reset(int action) { words_[action >> 6] &= ~(uint64_t{1} << (action & 63)); }
    bool many() const {  // more than one
        int count = 0;
        for (uint64_t word : words_) count += (word != 0) + ((word & (word - 1)) != 0);
        return count > 1;
    }

    template <class Use>
    void each(Use use) const {
        for (int i = 0; i < 4; ++i)
            for (uint64_t word = words_[i]; word != 0; word &= word - 1) use(64 * i + __builtin_ctzll(word));
    }

private:
    uint64_t words_[MOST_CLASSES / 64] = {};
};

enum ActionKind : uint8_t { SHIFT, HEAD_LEFT, HEAD_RIGHT, UNARY };

// Symbols are numbers: tags first, then labels, then starred labels. Action 0 shifts, action 1 is no unary node.
struct Grammar {
    struct Action {
        ActionKind kind;
        uint8_t symbol;              // what the topmost item is afterwards
        std::vector<uint8_t> chain;  // the labels of a unary chain, from the top
    };
    std::vector<Action> actions;
    std::vector<uint8_t> plain;       // of each symbol, without its star
    ActionSet joins;                  // all actions that join two items
    std::vector<ActionSet> seen;      // joins by the symbols of both items: left * symbols + right
    std::vector<ActionSet> seen_tops; // unary actions by the symbol below

    bool starred(int symbol) const { return plain[symbol] != symbol; }
    size_t symbols() const { return plain.size(); }
};

struct Step {
    const Step *previous = nullptr, *below = nullptr, *left = nullptr, *right = nullptr;
    int64_t score = 0;
    int32_t begin = 0, end = 0, head = -1, depth = 0;
    uint8_t symbol = 255, inner = 255;  // with and without the unary chain
    uint8_t action = 0, chain = 1;
    uint8_t phase = 0;  // of a starred item: 1 may still take parts on the right, 2 only on the left
    bool forced = false;  // there was no choice, so nothing was scored
};

struct ParserSentence {
    const Word* words;
    const uint8_t* tags;  // as symbols
    int32_t length;
};

// What conjunctions are made of: an item of the stack or a word of the queue.
struct Item {
    uint64_t label = 254, tag = 254, word = 0, suffix = 0;
    uint64_t first_tag = 254, first = 0, last_tag = 254, last = 0, size = 0, inner = 254;
    const Step *left = nullptr, *right = nullptr;
};

class ParserFeatures {
public:
    static constexpr int MOST = 128;

    explicit ParserFeatures(const ParserSentence& sentence) : sentence_(sentence) {}

    int join(const Step& state, uint64_t* out) const {
        static const Step nothing;
        const Step* s1 = state.below ? state.below : &nothing;
        const Step* s2 = s1->below ? s1->below : &nothing;
        const Step* s3 = s2->below ? s2->below : &nothing;
        const Item a = item(state), b = item(*s1), c = item(*s2), d = item(*s3);
        const Item q0 = word(state.end), q1 = word(state.end + 1), q2 = word(state.end + 2), q3 = word(state.end + 3);
        const Item al = part(a.left), ar = part(a.right), bl = part(b.left), br = part(b.right);
        const uint64_t mark = final_mark();
        Conjunctions add(out);
        add(100, a.tag, a.label);
        add(101, a.word, a.label);
        add(102, b.tag, b.label);
        add(103, b.word, b.label);
        add(104, c.tag, c.label);
        add(105, c.word, c.label);
        add(106, d.tag, d.label);
        add(107, d.word, d.label);
        add(108, q0.word, q0.tag);
        add(109, q1.word, q1.tag);
        add(110, q2.word, q2.tag);
        add(111, q3.word, q3.tag);
        add(112, al.word, al.label, a.label);
        add(113, ar.word, ar.label, a.label);
        add(114, a.inner, a.label, b.inner, b.label);
        add(115, bl.word, bl.label, b.label);
        add(116, br.word, br.label, b.label);
        add(120, a.word, b.word);
        add(121, a.word, b.label, a.label);
        add(122, a.label, b.word, b.label);
        add(123, a.label, b.label);
        add(124, a.word, q0.word);
        add(125, a.word, q0.tag, a.label);
        add(126, a.label, q0.word);
        add(127, a.label, q0.tag);
        add(128, q0.word, q1.word);
        add(129, q0.word, q1.tag);
        add(130, q0.tag, q1.word);
        add(131, q0.tag, q1.tag);
        add(132, b.word, q0.word);
        add(133, b.word, q0.tag);
        add(134, b.label, q0.word);
        add(135, b.label, q0.tag);
        add(136, a.label, a.tag, b.label, b.tag);
        add(140, a.label, b.label, c.label);
        add(141, a.word, b.label, c.label);
        add(142, a.label, b.word, c.label);
        add(143, a.label, b.label, c.word);
        add(144, a.label, b.label, q0.tag);
        add(145, a.word, b.label, q0.tag, a.label);
        add(146, a.label, b.word, q0.tag, b.label);
        add(147, a.label, b.label, q0.word);
        add(148, a.label, b.label, c.label, q0.tag);
        add(149, a.label, q0.tag, q1.tag);
        add(150, a.label, q0.tag, q1.tag, q2.tag);
        add(151, a.label, b.label, q0.tag, q1.tag);
        add(152, a.tag, b.tag, q0.tag);
        add(153, a.label, b.label, c.label, d.label);
        add(154, a.label, b.label, a.tag, b.tag, q0.tag);
        add(155, a.word, q0.word, b.label);
        add(156, b.word, q0.word, a.label, b.label);
        add(157, c.word, a.word, a.label, b.label);
        add(158, b.word, a.word, ar.word, a.label);
        add(159, c.tag, c.label, b.tag, b.label, a.label, a.word);
        add(160, a.label, al.label, ar.label);
        add(161, b.label, bl.label, br.label);
        add(162, a.label, al.label, ar.label, b.label, q0.tag);
        add(163, a.label, b.label, br.label, br.tag, q0.tag);
        add(164, a.label, b.label, al.label, al.word);
        add(165, a.label, b.label, ar.label, ar.word);
        add(166, a.label, b.label, br.word, q0.word);
        add(170, a.label, a.first_tag, a.last_tag);
        add(171, a.label, a.first);
        add(172, a.label, a.last);
        add(173, a.label, a.first_tag, a.last_tag, q0.tag, b.last_tag);
        add(174, a.label, b.last);
        add(175, b.label, b.first);
        add(176, b.label, b.first_tag, b.last_tag);
        add(177, a.label, a.size);
        add(178, b.label, b.size);
        add(179, a.label, b.label, a.size, b.size);
        add(180, a.label, b.label, a.first);
        add(181, a.label, b.label, b.first);
        add(182, b.label, c.last_tag, c.label);
        add(183, a.label, b.label, b.last_tag, a.first_tag);
        add(184, a.label, b.label, b.last);
        add(185, a.label, b.label, mark, c.label);
        add(186, a.label, b.label, q0.tag, comma_inside(state), comma_inside(*s1));
        add(187, a.label, b.label, static_cast<uint64_t>(state.end == sentence_.length), std::min(state.depth, 4));
        add(188, a.label, a.size, q0.tag, b.label);
        add(189, a.suffix, a.label, b.label);
        add(190, b.suffix, b.label, a.label);
        add(191, a.label, b.label, q0.suffix);
        add(193, c.label, c.tag, b.label, b.word, a.label, a.tag);
        add(194, c.word, a.word, b.word);
        add(195, c.label, b.label, a.label, c.size, a.size);
        return add.count;
    }

    int unary(const Step& state, uint64_t* out) const {
        static const Step nothing;
        const Step* s1 = state.below ? state.below : &nothing;
        const Step* s2 = s1->below ? s1->below : &nothing;
        const Item a = item(state), b = item(*s1), c = item(*s2);
        const Item q0 = word(state.end), q1 = word(state.end + 1), q2 = word(state.end + 2);
        const Item before = word(state.begin - 1), before2 = word(state.begin - 2);
        const Item al = part(a.left), ar = part(a.right);
        const uint64_t open = state.begin == 0, done = state.end == sentence_.length;
        Conjunctions add(out);
        add(200, a.label);
        add(201, a.label, a.word);
        add(202, a.label, a.tag);
        add(203, a.label, q0.tag);
        add(204, a.label, q0.word);
        add(205, a.label, b.label);
        add(206, a.label, b.word);
        add(207, a.label, b.tag, b.label);
        add(208, a.label, b.label, q0.tag);
        add(209, a.label, b.label, c.label);
        add(210, a.label, b.label, c.label, q0.tag);
        add(211, a.label, q0.tag, q1.tag);
        add(212, a.word, a.label, q0.tag);
        add(213, a.word, a.label, b.label);
        add(214, a.word, a.label, b.label, q0.tag);
        add(215, a.label, before.tag, q0.tag);
        add(216, a.label, before.word);
        add(217, a.label, before.word, q0.tag);
        add(218, a.label, a.first_tag, a.last_tag);
        add(219, a.label, a.first);
        add(220, a.label, a.last);
        add(221, a.label, al.label, ar.label);
        add(222, a.label, al.label, ar.label, b.label, q0.tag);
        add(223, a.label, a.size, open, done);
        add(224, a.label, open, done, final_mark());
        add(225, a.label, q0.tag, q1.tag, q2.tag);
        add(226, a.label, before2.tag, before.tag, q0.tag);
        add(227, a.label, q0.word, q1.tag);
        add(228, a.label, b.word, q0.tag);
        add(229, a.suffix, a.label, q0.tag);
        add(230, a.label, b.label, q0.word);
        add(231, a.label, before.word, q0.word);
        add(232, a.label, a.word, before.tag, q0.tag);
        add(234, a.label, before2.word, before.word);
        add(235, a.label, q0.word, q1.word);
        add(236, a.label, b.word, a.word);
        add(237, a.label, a.first, b.label);
        return add.count;
    }

private:
    Item word(int32_t at) const {
        Item item;
        if (at < 0 || at >= sentence_.length) return item;
        const Word& found = sentence_.words[at];
        item.tag = item.label = sentence_.tags[at];
        item.word = found.lower;
        item.suffix = found.suffix[2];
        return item;
    }

    Item item(const Step& step) const {
        if (step.depth == 0) return Item();
        Item item = word(step.head);
        item.label = step.symbol;
        item.inner = step.inner;
        item.first_tag = sentence_.tags[step.begin];
        item.first = sentence_.words[step.begin].lower;
        item.last_tag = sentence_.tags[step.end - 1];
        item.last = sentence_.words[step.end - 1].lower;
        const int32_t size = step.end - step.begin;
        item.size = size <= 4 ? size : size <= 6 ? 5 : size <= 9 ? 6 : size <= 14 ? 7 : 8;
        item.left = step.left;
        item.right = step.right;
        return item;
    }

    Item part(const Step* step) const {
        if (step == nullptr) return Item();
        Item item = word(step->head);
        item.label = step->symbol;
        return item;
    }

    uint64_t comma_inside(const Step& step) const {
        return step.depth > 0 && step.right != nullptr && step.right->end - step.right->begin == 1
                   ? sentence_.words[step.right->begin].lower
                   : 0;
    }

    uint64_t final_mark() const { return sentence_.words[sentence_.length - 1].lower; }

    ParserSentence sentence_;
};

}  // namespace kakari
