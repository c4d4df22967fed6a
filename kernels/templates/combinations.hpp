// The linear view of a template kernel machine: one weight for each combination of properties.
//
// A slot that counts (m + optional)^degree counts terms: none (if optional), one property, or (degree 2) two of them, with
// the multiplicities of the expansion: m^2 = m + 2 C(m, 2), (1 + m)^2 = 1 + 3 m + 2 C(m, 2). A combination is a term of each
// slot. Combinations are held as a trie of exact 64-bit keys (node, term): the terms of all slots but the last lead to
// a row, in which the terms of the last slot have their weights. A part is scored by the rows of its prefixes, whose
// number is the product of the terms of all slots but the last; a prefix without a node ends the walk.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "kernels/hardware/secrets.hpp"
#include "kernels/templates/parts.hpp"
#include "kernels/templates/support_parts.hpp"

namespace kakari {

// Numbers of terms: 0 is the empty one; others are one property of a table or two of them.
class Terms {
 public:
  struct Term {
    int32_t number;
    int64_t times;
  };
  static constexpr int32_t NONE = 0;

  Terms() { names_.push_back({-1, -1}); }

  // The terms of one slot; new ones are numbered if `grow`, else left out.
  template <bool grow>
  void list(const TemplateSlot &slot, int32_t table, const int32_t *row, int32_t width, std::vector<Term> &to) {
    collect<grow>(*this, slot, table, row, width, to);
  }
  void find(const TemplateSlot &slot, int32_t table, const int32_t *row, int32_t width, std::vector<Term> &to) const {
    collect<false>(*this, slot, table, row, width, to);
  }

  int32_t size() const { return static_cast<int32_t>(names_.size()); }
  // A term's properties as keys (table, column, value) in 64 bits; the second is all ones if there is only one.
  const std::pair<uint64_t, uint64_t> &name(int32_t number) const { return names_[number]; }

  int32_t add_single(uint64_t key) {
    const int32_t number = singles_.add(key);
    if (number == static_cast<int32_t>(single_terms_.size())) {
      single_terms_.push_back(size());
      names_.push_back({key, ~uint64_t{0}});
    }
    return single_terms_[number];
  }
  int32_t add_pair(int32_t one, int32_t other) {
    const int32_t number = pairs_.add(static_cast<uint64_t>(one) << 32 | static_cast<uint32_t>(other));
    if (number == static_cast<int32_t>(pair_terms_.size())) {
      pair_terms_.push_back(size());
      names_.push_back({names_[one].first, names_[other].first});
    }
    return pair_terms_[number];
  }

  static uint64_t key(int32_t table, int32_t column, int32_t value) {
    return static_cast<uint64_t>(table) << 48 | static_cast<uint64_t>(column) << 32 | static_cast<uint32_t>(value);
  }

  int32_t find_single(uint64_t key) const {
    const int32_t number = singles_.find(key);
    return number < 0 ? -1 : single_terms_[number];
  }
  int32_t find_pair(int32_t one, int32_t other) const {
    const int32_t number = pairs_.find(static_cast<uint64_t>(one) << 32 | static_cast<uint32_t>(other));
    return number < 0 ? -1 : pair_terms_[number];
  }

 private:
  template <bool grow, class Self>
  static void collect(Self &self, const TemplateSlot &slot, int32_t table, const int32_t *row, int32_t width,
                      std::vector<Term> &to) {
    to.clear();
    if (slot.optional) to.push_back({NONE, 1});
    const size_t first = to.size();
    for (int32_t c = 0; c < width; ++c) {
      if (row[c] < 0) continue;
      int32_t number;
      if constexpr (grow)
        number = self.add_single(key(table, c, row[c]));
      else
        number = self.find_single(key(table, c, row[c]));
      if (number >= 0) to.push_back({number, slot.degree == 2 && slot.optional ? 3 : 1});
    }
    if (slot.degree == 1) return;
    const size_t last = to.size();
    for (size_t i = first; i < last; ++i)
      for (size_t j = i + 1; j < last; ++j) {
        int32_t number;
        if constexpr (grow)
          number = self.add_pair(to[i].number, to[j].number);
        else
          number = self.find_pair(to[i].number, to[j].number);
        if (number >= 0) to.push_back({number, 2});
      }
  }

  Numbering singles_, pairs_;
  std::vector<int32_t> single_terms_, pair_terms_;
  std::vector<std::pair<uint64_t, uint64_t>> names_;
};

// Rows of (term of the last slot, weight), by node, each a small table with open addressing; a full row moves to the end
// with twice the room. Of a row with few entries all are read; in a row with many, terms are looked up.
class WeightRows {
 public:
  struct Entry {
    int32_t term = -1, low = 0, high = 0;  // 12 bytes: the weight in two halves
    int64_t weight() const { return static_cast<int64_t>(high) << 32 | static_cast<uint32_t>(low); }
    void set(int64_t weight) {
      low = static_cast<int32_t>(static_cast<uint32_t>(weight));
      high = static_cast<int32_t>(weight >> 32);
    }
  };
  struct Row {
    int64_t start = 0;
    int32_t used = 0, room = 0;
  };

  void add(int32_t node, int32_t term, int64_t amount) {
    if (node >= static_cast<int32_t>(rows_.size())) rows_.resize(std::max<size_t>(node + 1, 3 * rows_.size() / 2));
    Row &row = rows_[node];
    if (4 * (row.used + 1) > 3 * row.room) grow(row);
    Entry &entry = entries_[place_of(row, term)];
    if (entry.term < 0) {
      entry.term = term;
      ++row.used;
    }
    entry.set(entry.weight() + amount);
  }

  void ask(int32_t node) const {
    if (node < static_cast<int32_t>(rows_.size())) prefetch(&rows_[node]);
  }
  // The sum of the weights of some terms of a node, which are also marked in `wanted`.
  int64_t sum(int32_t node, const std::vector<Terms::Term> &terms, const std::vector<uint8_t> &wanted) const {
    if (node >= static_cast<int32_t>(rows_.size())) return 0;
    const Row &row = rows_[node];
    int64_t found = 0;
    if (row.room <= static_cast<int32_t>(terms.size())) {
      for (int64_t k = row.start; k < row.start + row.room; ++k)
        if (entries_[k].term >= 0 && wanted[entries_[k].term]) found += entries_[k].weight();
      return found;
    }
    for (const Terms::Term &term : terms) found += entries_[place_of(row, term.number)].weight();  // 0 if it is free
    return found;
  }
  // Calls visit(term, weight) for every entry of a node, in the order of terms.
  template <class Visit>
  void each(int32_t node, Visit visit) const {
    if (node >= static_cast<int32_t>(rows_.size())) return;
    const Row &row = rows_[node];
    std::vector<std::pair<int32_t, int64_t>> found;
    for (int64_t k = row.start; k < row.start + row.room; ++k)
      if (entries_[k].term >= 0) found.push_back({entries_[k].term, entries_[k].weight()});
    std::sort(found.begin(), found.end());
    for (const auto &[term, weight] : found) visit(term, weight);
  }

 private:
  int64_t place_of(const Row &row, int32_t term) const {
    const int32_t mask = row.room - 1;
    int32_t at = static_cast<int32_t>(hash_(static_cast<uint64_t>(term))) & mask;
    while (entries_[row.start + at].term >= 0 && entries_[row.start + at].term != term) at = (at + 1) & mask;
    return row.start + at;
  }

  void grow(Row &row) {
    const Row old = row;
    row.start = static_cast<int64_t>(entries_.size());
    row.room = old.room == 0 ? 4 : 2 * old.room;
    entries_.resize(row.start + row.room);
    for (int64_t k = old.start; k < old.start + old.room; ++k)
      if (entries_[k].term >= 0) entries_[place_of(row, entries_[k].term)] = entries_[k];
  }

  SecretHash hash_;
  std::vector<Row> rows_;
  std::vector<Entry> entries_;
};

// Scratch memory of one thread.
struct CombinationScratch {
  std::vector<std::vector<Terms::Term>> terms;
  std::vector<int32_t> nodes, next;
  std::vector<int64_t> times, next_times;
  std::vector<uint8_t> wanted;          // by term of the last slot
  std::vector<const int32_t *> prefix;  // rows of the slots but the last whose nodes were found, and in a table of
  int32_t size = -1, kind = -1;         // how many nodes
  // Rows have changed, or another table is asked.
  void forget() { size = -1; }
};

template <class Weights>
class CombinationTable {
 public:
  CombinationTable() = default;
  explicit CombinationTable(const std::vector<TemplateKind> &kinds) : kinds_(kinds) {
    for (size_t kind = 0; kind < kinds.size(); ++kind) nodes_.add(kind);  // the roots
  }

  // Add an amount times the combinations of a part: `row(slot)` gives the properties of a slot, `width(slot)` their number.
  template <class Rows>
  void add(int32_t kind, const Rows &rows, int64_t amount, CombinationScratch &scratch) {
    const TemplateKind &own = kinds_[kind];
    scratch.forget();
    scratch.terms.resize(own.slots.size());
    for (size_t s = 0; s < own.slots.size(); ++s)
      terms.template list<true>(own.slots[s], own.slots[s].table, rows.row(s), rows.width(s), scratch.terms[s]);
    scratch.nodes.assign(1, kind);
    scratch.times.assign(1, amount);
    for (size_t s = 0; s + 1 < own.slots.size(); ++s) {
      scratch.next.clear();
      scratch.next_times.clear();
      for (size_t i = 0; i < scratch.nodes.size(); ++i)
        for (const Terms::Term &term : scratch.terms[s]) {
          scratch.next.push_back(nodes_.add(key(scratch.nodes[i], term.number)));
          scratch.next_times.push_back(scratch.times[i] * term.times);
        }
      scratch.nodes.swap(scratch.next);
      scratch.times.swap(scratch.next_times);
    }
    for (size_t i = 0; i < scratch.nodes.size(); ++i)
      for (const Terms::Term &term : scratch.terms.back())
        weights.add(scratch.nodes[i], term.number, scratch.times[i] * term.times);
  }

  // The sum of the weights of a part's combinations.
  template <class Rows>
  int64_t sum(int32_t kind, const Rows &rows, CombinationScratch &scratch) const {
    const TemplateKind &own = kinds_[kind];
    find_nodes(kind, rows, scratch);
    const size_t last = own.slots.size() - 1;
    terms.find(own.slots[last], own.slots[last].table, rows.row(last), rows.width(last), scratch.terms[last]);
    for (const int32_t node : scratch.nodes) weights.ask(node);
    if (static_cast<int32_t>(scratch.wanted.size()) < terms.size()) scratch.wanted.resize(terms.size());
    for (const Terms::Term &term : scratch.terms.back()) scratch.wanted[term.number] = 1;
    int64_t found = 0;
    for (const int32_t node : scratch.nodes) found += weights.sum(node, scratch.terms.back(), scratch.wanted);
    for (const Terms::Term &term : scratch.terms.back()) scratch.wanted[term.number] = 0;
    return found;
  }

  // Find the nodes of a part's prefixes, unless they are those of the part before: parts of one list often differ in
  // the last slot only.
  template <class Rows>
  void find_nodes(int32_t kind, const Rows &rows, CombinationScratch &scratch) const {
    const TemplateKind &own = kinds_[kind];
    const size_t last = own.slots.size() - 1;
    bool same = scratch.size == nodes_.size() && scratch.prefix.size() == last + 1 && last > 0;
    for (size_t s = 0; s < last && same; ++s) same = scratch.prefix[s] == rows.row(s);
    if (same && scratch.kind == kind) return;
    scratch.terms.resize(own.slots.size());
    scratch.prefix.resize(last + 1);
    for (size_t s = 0; s < last; ++s) {
      scratch.prefix[s] = rows.row(s);
      terms.find(own.slots[s], own.slots[s].table, rows.row(s), rows.width(s), scratch.terms[s]);
    }
    scratch.size = nodes_.size();
    scratch.kind = kind;
    scratch.nodes.assign(1, kind);
    for (size_t s = 0; s < last; ++s) {
      for (const int32_t node : scratch.nodes)
        for (const Terms::Term &term : scratch.terms[s]) nodes_.ask(key(node, term.number));
      scratch.next.clear();
      for (const int32_t node : scratch.nodes)
        for (const Terms::Term &term : scratch.terms[s]) {
          const int32_t found = nodes_.find(key(node, term.number));
          if (found >= 0) scratch.next.push_back(found);
        }
      scratch.nodes.swap(scratch.next);
    }
  }

  // The roots have the keys 0, 1, 2 …, other nodes a term and a parent.
  static uint64_t key(int32_t node, int32_t term) {
    return static_cast<uint64_t>(term + 1) << 32 | static_cast<uint32_t>(node);
  }
  static int32_t parent_of(uint64_t key) { return static_cast<int32_t>(static_cast<uint32_t>(key)); }
  static int32_t term_of(uint64_t key) { return static_cast<int32_t>(key >> 32) - 1; }

  const std::vector<TemplateKind> &kinds() const { return kinds_; }
  const Numbering &nodes() const { return nodes_; }
  // Restore a node; returns its number, which is the next one if it is new.
  int32_t add_node(int32_t parent, int32_t term) { return nodes_.add(key(parent, term)); }

  Terms terms;
  Weights weights;

 private:
  std::vector<TemplateKind> kinds_;
  Numbering nodes_;
};

// The rows of one part, of arrays or of the support.
struct ArrayRows {
  const PartArrays &from;
  int64_t part;
  const int32_t *row(size_t slot) const { return from.row(part, static_cast<int32_t>(slot)); }
  int32_t width(size_t slot) const { return from.tables[from.kinds[from.kind_of[part]].slots[slot].table].width; }
};

struct SupportRows {
  const PartSupport &from;
  const TemplateKind &kind;
  const int32_t *rows;
  const int32_t *row(size_t slot) const { return from.table(kind.slots[slot].table).row(rows[slot]); }
  int32_t width(size_t slot) const { return from.table(kind.slots[slot].table).width(); }
};

}  // namespace kakari
