// Parts of structures, and the template kernel between two of them.
//
// A part is of one kind and has slots; what fills a slot is a row of a table of properties, one value a column, -1
// where a property is absent. Rows are shared: the word that is the head of one part and the modifier of another is one
// row. With m the number of columns in which two rows have the same value, a slot counts (m + optional)^degree, and
//   k(p, p') = the product of that over the slots, if both are of the same kind; else 0.
// All numbers are integers, so that sums do not depend on their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kakari {

struct TemplateSlot {
  int32_t table = 0;
  int32_t degree = 1;  // 1 or 2
  bool optional = false;

  int64_t count(int64_t matches) const {
    const int64_t base = matches + optional;
    return degree == 1 ? base : base * base;
  }
};

struct TemplateKind {
  std::vector<TemplateSlot> slots;
};

// A table of properties, row by row; the values are borrowed.
struct PropertyTable {
  const int32_t *values = nullptr;
  int64_t rows = 0;
  int32_t width = 0;

  const int32_t *row(int64_t i) const { return values + i * width; }
};

inline int32_t matches(const int32_t *one, const int32_t *other, int32_t width) {
  int32_t found = 0;
  for (int32_t c = 0; c < width; ++c) found += one[c] == other[c] && one[c] >= 0;
  return found;
}

// Parts over tables: the kind of each, and the row of each slot, `most` numbers a part.
struct PartArrays {
  std::vector<TemplateKind> kinds;
  std::vector<PropertyTable> tables;
  const uint8_t *kind_of = nullptr;
  const int32_t *slots = nullptr;
  int64_t count = 0;
  int32_t most = 0;

  const int32_t *row(int64_t part, int32_t slot) const {
    return tables[kinds[kind_of[part]].slots[slot].table].row(slots[part * most + slot]);
  }

  int64_t kernel(int64_t part, const PartArrays &others, int64_t other) const {
    if (kind_of[part] != others.kind_of[other]) return 0;
    const TemplateKind &kind = kinds[kind_of[part]];
    int64_t product = 1;
    for (std::size_t s = 0; s < kind.slots.size() && product != 0; ++s) {
      const int32_t slot = static_cast<int32_t>(s), width = tables[kind.slots[s].table].width;
      product *= kind.slots[s].count(matches(row(part, slot), others.row(other, slot), width));
    }
    return product;
  }
};

}  // namespace kakari
