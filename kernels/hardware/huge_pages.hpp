// Memory for large tables that are read at random: on Linux in pages of 2 MB, so that an access costs no walk
// through the page tables. Elsewhere, and for small tables, ordinary memory.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#if defined(__linux__) && !defined(KAKARI_PORTABLE)
#include <sys/mman.h>
#ifdef MADV_HUGEPAGE
#define KAKARI_HUGE_PAGES
#endif
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
    static_assert(alignof(T) <= alignof(std::max_align_t), "malloc aligns no further");
    const std::size_t bytes = count * sizeof(T);
#ifdef KAKARI_HUGE_PAGES
    if (bytes >= PAGE) {
      const std::size_t whole_pages = (bytes + PAGE - 1) / PAGE * PAGE;
      void *pages = std::aligned_alloc(PAGE, whole_pages);
      if (pages == nullptr) throw std::bad_alloc();
      madvise(pages, whole_pages, MADV_HUGEPAGE);  // advice, which may be refused
      return static_cast<T *>(pages);
    }
#endif
    void *memory = std::malloc(bytes);
    if (memory == nullptr) throw std::bad_alloc();
    return static_cast<T *>(memory);
  }

  void deallocate(T *memory, std::size_t) { std::free(memory); }

  friend bool operator==(const HugePages &, const HugePages &) { return true; }
  friend bool operator!=(const HugePages &, const HugePages &) { return false; }
};

}  // namespace kakari
