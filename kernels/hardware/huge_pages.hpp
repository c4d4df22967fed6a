// Memory for large tables that are read at random: on Linux in pages of 2 MB, so that an access costs no walk
// through the page tables. Elsewhere, and for small tables, ordinary memory.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace kakari {

template <class T>
struct HugePages {
  using value_type = T;
  static constexpr std::size_t PAGE = std::size_t{1} << 21;

  HugePages() = default;
  template <class U>
  HugePages(const HugePages<U> &) {}

  T *allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T), whole_pages = (bytes + PAGE - 1) / PAGE * PAGE;
    const bool large = bytes >= PAGE;
    void *memory = large ? std::aligned_alloc(PAGE, whole_pages) : std::malloc(bytes);
    if (memory == nullptr) throw std::bad_alloc();
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (large) madvise(memory, whole_pages, MADV_HUGEPAGE);  // advice, which may be refused
#endif
    return static_cast<T *>(memory);
  }

  void deallocate(T *memory, std::size_t) { std::free(memory); }

  friend bool operator==(const HugePages &, const HugePages &) { return true; }
  friend bool operator!=(const HugePages &, const HugePages &) { return false; }
};

}  // namespace kakari
