// The support of a template kernel machine as parts with summed coefficients: sums over it of kernel values.
//
// Rows of properties are interned by table, so that equal heads (or modifiers, edges) of many support parts are compared
// with those of a query once: for each property value an inverted index lists the rows that have it; one walk over the
// lists of a query's values counts the matches of all rows. The sum over parts then takes a few table look-ups and
// multiplications each. Additions are also kept as a log, so that a sum that was computed before needs only what was
// added since; few additions are compared directly, many by the index. All of these give the same integers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/templates/numbering.hpp"
#include "kernels/templates/parts.hpp"

namespace kakari {

// Interned rows of one table, with the inverted index.
class RowIndex {
 public:
  explicit RowIndex(int32_t width) : width_(width) {}

  int32_t size() const { return size_; }
  int32_t width() const { return width_; }
  const int32_t *row(int32_t number) const { return values_.data() + static_cast<int64_t>(number) * width_; }
  const std::vector<int32_t> &values() const { return values_; }

  int32_t add(const int32_t *row) {
    uint64_t hash = 0x9FB21C651E98DF25u;
    for (int32_t c = 0; c < width_; ++c) hash = join(hash, static_cast<uint32_t>(row[c]));
    // A hash only proposes: rows that share one are chained and compared.
    const int32_t chain = chains_.add(hash);
    if (chain == static_cast<int32_t>(last_.size())) last_.push_back(-1);
    for (int32_t at = last_[chain]; at >= 0; at = before_[at])
      if (std::equal(row, row + width_, this->row(at))) return at;
    before_.push_back(last_[chain]);
    last_[chain] = size_;
    values_.insert(values_.end(), row, row + width_);
    for (int32_t c = 0; c < width_; ++c) {
      if (row[c] < 0) continue;
      const int32_t value = properties_.add(key(c, row[c]));
      if (value == static_cast<int32_t>(lists_.size())) lists_.emplace_back();
      lists_[value].push_back(size_);
    }
    return size_++;
  }

  // How many properties each interned row shares with this one.
  void count(const int32_t *row, std::vector<uint16_t> &to) const {
    to.assign(size_, 0);
    for (int32_t c = 0; c < width_; ++c) {
      if (row[c] < 0) continue;
      const int32_t value = properties_.find(key(c, row[c]));
      if (value < 0) continue;
      for (const int32_t found : lists_[value]) ++to[found];
    }
  }

 private:
  static uint64_t key(int32_t column, int32_t value) {
    return static_cast<uint64_t>(column) << 32 | static_cast<uint32_t>(value);
  }

  int32_t width_, size_ = 0;
  std::vector<int32_t> values_, last_, before_;
  Numbering chains_, properties_;
  std::vector<std::vector<int32_t>> lists_;
};

// Matches of the rows of one query, or of the parts of one list, counted once a row.
class MatchCounts {
 public:
  void begin(size_t tables) {
    known_.resize(tables);
    for (auto &rows : known_) rows.clear();
    used_ = 0;
  }

  const std::vector<uint16_t> &of(const RowIndex &index, size_t table, const PropertyTable &from, int32_t row) {
    for (const auto &[number, place] : known_[table])
      if (number == row) return counts_[place];
    if (used_ == counts_.size()) counts_.emplace_back();
    index.count(from.row(row), counts_[used_]);
    known_[table].push_back({row, used_});
    return counts_[used_++];
  }

 private:
  std::vector<std::vector<std::pair<int32_t, size_t>>> known_;
  std::vector<std::vector<uint16_t>> counts_;
  size_t used_ = 0;
};

class PartSupport {
 public:
  static constexpr int64_t FEW = 512;  // additions that are compared directly

  PartSupport(const std::vector<TemplateKind> &kinds, const std::vector<int32_t> &widths) : kinds_(kinds) {
    for (const int32_t width : widths) tables_.emplace_back(width);
    for (const TemplateKind &kind : kinds) by_kind_.emplace_back(kind.slots.size());
  }

  int64_t size() const {
    int64_t found = 0;
    for (const OfKind &one : by_kind_) found += static_cast<int64_t>(one.amounts.size());
    return found;
  }
  // The number of additions so far.
  int64_t additions(int32_t kind) const { return static_cast<int64_t>(by_kind_[kind].log.size()); }

  // Add an amount to a part's coefficient; `weighted` is summed beside it.
  void add(const PartArrays &from, int64_t part, int64_t amount, int64_t weighted) {
    const int32_t kind = from.kind_of[part];
    OfKind &to = by_kind_[kind];
    uint64_t node = 0;
    int32_t number = 0;
    std::vector<int32_t> rows(to.width);
    for (size_t s = 0; s < to.width; ++s) {
      rows[s] = tables_[kinds_[kind].slots[s].table].add(from.row(part, static_cast<int32_t>(s)));
      number = to.prefixes[s].add(node << 32 | static_cast<uint32_t>(rows[s]));
      node = static_cast<uint64_t>(number);
    }
    if (number == static_cast<int32_t>(to.amounts.size())) {
      to.rows.insert(to.rows.end(), rows.begin(), rows.end());
      to.amounts.push_back(0);
      to.weighted.push_back(0);
    }
    to.amounts[number] += amount;
    to.weighted[number] += weighted;
    to.log.push_back({number, amount});
  }

  // The sum over all support parts.
  int64_t sum(const PartArrays &from, int64_t part, MatchCounts &counts) const {
    const OfKind &own = by_kind_[from.kind_of[part]];
    const Question question(*this, from, part, counts);
    int64_t found = 0;
    for (size_t i = 0; i < own.amounts.size(); ++i) found += own.amounts[i] * question.kernel(&own.rows[i * own.width]);
    return found;
  }

  // The sum over the additions from a place in the log on.
  int64_t sum_since(const PartArrays &from, int64_t part, int64_t place, MatchCounts &counts) const {
    const int32_t kind = from.kind_of[part];
    const OfKind &own = by_kind_[kind];
    const int64_t end = static_cast<int64_t>(own.log.size());
    int64_t found = 0;
    if (end - place <= FEW) {
      for (int64_t i = place; i < end; ++i)
        found += own.log[i].amount * direct(from, part, kind, &own.rows[own.log[i].part * own.width]);
      return found;
    }
    const Question question(*this, from, part, counts);
    for (int64_t i = place; i < end; ++i)
      found += own.log[i].amount * question.kernel(&own.rows[own.log[i].part * own.width]);
    return found;
  }

  // Calls visit(kind, rows of the slots, amount, weighted) for every support part.
  template <class Visit>
  void each(Visit visit) const {
    for (size_t kind = 0; kind < by_kind_.size(); ++kind) {
      const OfKind &own = by_kind_[kind];
      for (size_t i = 0; i < own.amounts.size(); ++i)
        visit(static_cast<int32_t>(kind), &own.rows[i * own.width], own.amounts[i], own.weighted[i]);
    }
  }
  // The same in columns; rows are as wide as the widest kind, with -1 for slots that a part does not have.
  void list(std::vector<int32_t> &kinds, std::vector<int32_t> &rows, std::vector<int64_t> &amounts,
            std::vector<int64_t> &weighted) const {
    size_t most = 0;
    for (const OfKind &one : by_kind_) most = std::max(most, one.width);
    each([&](int32_t kind, const int32_t *own, int64_t amount, int64_t second) {
      kinds.push_back(kind);
      for (size_t s = 0; s < most; ++s) rows.push_back(s < by_kind_[kind].width ? own[s] : -1);
      amounts.push_back(amount);
      weighted.push_back(second);
    });
  }
  const RowIndex &table(size_t number) const { return tables_[number]; }
  size_t tables() const { return tables_.size(); }

 private:
  struct Addition {
    int64_t part, amount;
  };
  struct OfKind {
    explicit OfKind(size_t slots) : width(slots), prefixes(slots) {}
    size_t width;
    std::vector<Numbering> prefixes;  // (number of the rows before, row) to number; the last one numbers parts
    std::vector<int32_t> rows;
    std::vector<int64_t> amounts, weighted;
    std::vector<Addition> log;
  };

  // The counts of each slot of one query.
  class Question {
   public:
    Question(const PartSupport &support, const PartArrays &from, int64_t part, MatchCounts &counts) {
      for (const TemplateSlot &slot : support.kinds_[from.kind_of[part]].slots) {
        const int32_t row = from.slots[part * from.most + static_cast<int64_t>(places_.size())];
        const auto &found = counts.of(support.tables_[slot.table], slot.table, from.tables[slot.table], row);
        places_.push_back({&slot, found.data()});
      }
    }
    int64_t kernel(const int32_t *rows) const {
      int64_t product = 1;
      for (size_t s = 0; s < places_.size(); ++s) product *= places_[s].first->count(places_[s].second[rows[s]]);
      return product;
    }

   private:
    std::vector<std::pair<const TemplateSlot *, const uint16_t *>> places_;
  };

  int64_t direct(const PartArrays &from, int64_t part, int32_t kind, const int32_t *rows) const {
    int64_t product = 1;
    for (size_t s = 0; s < kinds_[kind].slots.size() && product != 0; ++s) {
      const TemplateSlot &slot = kinds_[kind].slots[s];
      const RowIndex &index = tables_[slot.table];
      product *= slot.count(matches(from.row(part, static_cast<int32_t>(s)), index.row(rows[s]), index.width()));
    }
    return product;
  }

  std::vector<TemplateKind> kinds_;
  std::vector<RowIndex> tables_;
  std::vector<OfKind> by_kind_;
};

}  // namespace kakari
