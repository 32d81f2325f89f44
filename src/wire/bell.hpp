#pragma once

// Sleeping until another process has something to say, by a futex in shared memory.

#include <atomic>
#include <chrono>
#include <cstdint>

namespace rondo::internal {

// A rank that changes something for which others may wait rings their bell afterwards. Ringing is one load while nobody
// sleeps. That load may be done before the change is visible, and then misses a rank that falls asleep at that moment.
// So every sleep has a time limit: without it, each ring would need a memory fence.
class Bell {
 public:
  void ring() {
    if (sleepers_.load(std::memory_order_relaxed) != 0) wake();
  }

  // Sleeps until the bell rings, or the time is over. Does not sleep if ready(), which is called once, says true.
  template <class Ready>
  void sleep(std::chrono::microseconds time, Ready &&ready) {
    const Sleeper sleeper(sleepers_);
    const std::uint32_t seen = rings_.load(std::memory_order_seq_cst);
    if (!ready()) sleep_unless_rung(seen, time);
  }

 private:
  // Adds one to the number of sleepers for as long as it lives, also when ready() throws.
  class Sleeper {
   public:
    explicit Sleeper(std::atomic<std::uint32_t> &count) : count_(count) {
      count_.fetch_add(1, std::memory_order_seq_cst);
    }
    ~Sleeper() { count_.fetch_sub(1, std::memory_order_relaxed); }
    Sleeper(const Sleeper &) = delete;
    Sleeper &operator=(const Sleeper &) = delete;

   private:
    std::atomic<std::uint32_t> &count_;
  };

  void wake();
  void sleep_unless_rung(std::uint32_t seen, std::chrono::microseconds time);

  std::atomic<std::uint32_t> rings_{0};
  std::atomic<std::uint32_t> sleepers_{0};
};

static_assert(std::atomic<std::uint32_t>::is_always_lock_free && sizeof(Bell) == 8);

}  // namespace rondo::internal
