// Memory for large tables that are read at random: on Linux in pages of 2 MB, so that an access costs no walk
// through the page tables. Elsewhere, and for small tables, ordinary memory.
#pragma once

#include <cstddef>
#include <limits>
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
    void *memory = ::operator new(bytes(count), alignment(count));
#ifdef KAKARI_HUGE_PAGES
    if (is_large(count)) madvise(memory, bytes(count), MADV_HUGEPAGE);  // advice, which may be refused
#endif
    return static_cast<T *>(memory);
  }

  void deallocate(T *memory, std::size_t count) { ::operator delete(memory, alignment(count)); }

  friend bool operator==(const HugePages &, const HugePages &) { return true; }
  friend bool operator!=(const HugePages &, const HugePages &) { return false; }

 private:
  static bool is_large(std::size_t count) { return count >= PAGE / sizeof(T); }

  // Large tables fill whole pages.
  static std::size_t bytes(std::size_t count) {
    if (count > (std::numeric_limits<std::size_t>::max() - PAGE) / sizeof(T)) throw std::bad_alloc();
    return is_large(count) ? (count * sizeof(T) + PAGE - 1) / PAGE * PAGE : count * sizeof(T);
  }

  static std::align_val_t alignment(std::size_t count) { return std::align_val_t{is_large(count) ? PAGE : alignof(T)}; }
};

}  // namespace kakari
