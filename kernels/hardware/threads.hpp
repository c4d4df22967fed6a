// Work on many independent items with std::thread. Items are handed out one by one; each is worked on by one
// thread with scratch memory of its own, so the results are the same bits for any number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace kakari {

// Calls work(item, scratch) for every item; the first exception is thrown again after all threads have ended.
template <class Scratch, class Work>
void for_each_item(int64_t items, int64_t threads, Work work) {
  std::atomic<int64_t> next{0};
  std::exception_ptr failure;
  std::mutex guard;
  const auto run = [&] {
    try {
      Scratch scratch;
      for (int64_t item = next++; item < items; item = next++) work(item, scratch);
    } catch (...) {
      const std::lock_guard<std::mutex> lock(guard);
      if (!failure) failure = std::current_exception();
      next = items;
    }
  };
  std::vector<std::thread> others;
  try {
    for (int64_t i = 1; i < std::min(threads, items); ++i) others.emplace_back(run);
  } catch (const std::system_error &) {
    // The system refuses more threads: those that run do all the work.
  }
  run();
  for (std::thread &other : others) other.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace kakari
