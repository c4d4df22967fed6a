// A large array of zeros that takes memory only where it is touched: for tables laid out far larger than they are used.
//
// On Linux in pages of 2 MB (huge_pages.hpp says why), and what is forgotten goes back to the system.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "kernels/hardware/huge_pages.hpp"
#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#endif

namespace kakari {

// The machine's memory in bytes; a guess of 4 GB where the system does not tell.
inline int64_t physical_memory() {
#if defined(_SC_PHYS_PAGES) && defined(_SC_PAGESIZE)
  const int64_t pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  if (pages > 0 && size > 0) return pages * size;
#endif
  return int64_t{4} << 30;
}

template <class T>
class LazyPages {
 public:
  // Set the size; all cells become zero.
  void reserve(int64_t count) {
    cells_.reset();
    count_ = 0;
    if (count <= 0) return;
    cells_.reset(static_cast<T *>(std::calloc(static_cast<size_t>(count), sizeof(T))));
    if (!cells_) throw std::bad_alloc();
    count_ = count;
#ifdef KAKARI_HUGE_PAGES
    Pages whole(cells_.get(), count, HugePages<T>::PAGE);
    if (whole.bytes > 0) madvise(whole.begin, whole.bytes, MADV_HUGEPAGE);  // advice, which may be refused
#endif
  }

  // Zeros again from `first` on.
  void forget(int64_t first) {
    if (first >= count_) return;
#ifdef KAKARI_HUGE_PAGES
    constexpr size_t PAGE = 4096;
    Pages whole(cells_.get() + first, count_ - first, PAGE);
    if (whole.bytes > 0 && madvise(whole.begin, whole.bytes, MADV_DONTNEED) == 0) {
      char *begin = reinterpret_cast<char *>(cells_.get() + first),
           *end = reinterpret_cast<char *>(cells_.get() + count_);
      std::memset(begin, 0, whole.begin - begin);
      std::memset(whole.begin + whole.bytes, 0, end - (whole.begin + whole.bytes));
      return;
    }
#endif
    std::memset(static_cast<void *>(cells_.get() + first), 0, (count_ - first) * sizeof(T));
  }

  int64_t size() const { return count_; }
  T *data() { return cells_.get(); }
  const T *data() const { return cells_.get(); }

 private:
  // The whole pages within some cells.
  struct Pages {
    Pages(T *cells, int64_t count, size_t page) {
      const uintptr_t first = reinterpret_cast<uintptr_t>(cells), last = first + count * sizeof(T);
      const uintptr_t up = (first + page - 1) / page * page, down = last / page * page;
      begin = reinterpret_cast<char *>(up);
      bytes = down > up ? down - up : 0;
    }
    char *begin;
    size_t bytes;
  };

  struct Release {
    void operator()(T *cells) const { std::free(cells); }
  };

  std::unique_ptr<T, Release> cells_;
  int64_t count_ = 0;
};

}  // namespace kakari
