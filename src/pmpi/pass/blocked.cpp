#include "pmpi/pass/blocked.hpp"

#include <mpi.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>

#include "wire/signals_blocked.hpp"

namespace rondo::internal::pmpi {

namespace {

// The thread looks once in a millisecond whether a call is blocked, so that a short call costs nothing but a count.
// After a hundred looks that have found none it sleeps.
constexpr std::chrono::milliseconds between_looks{1};
constexpr int looks_before_sleep = 100;

// How long the thread sleeps between driving what runs and driving it again.
constexpr std::chrono::microseconds nap{50};

class Helper {
 public:
  void enter() {
    blocked_.fetch_add(1);
    wake_if_needed();
  }
  void leave() { blocked_.fetch_sub(1); }

  void wake_if_needed() {
    if (needed() && !awake_.load()) wake();
  }

  void end() {
    const std::lock_guard lock(mutex_);
    if (!thread_) return;
    ends_ = true;
    awake_ = true;
    awake_.notify_one();
    thread_->join();
    thread_.reset();
  }

 private:
  // A thread counts itself as blocked before it looks whether anything runs. A start counts itself as running before it
  // looks whether anybody is blocked. So at least one of the two sees the other.
  [[nodiscard]] bool needed() const { return blocked_.load() > 0 && any_running(); }

  // Starts the thread if there is none, and wakes it. Where the system gives no thread, calls are not helped.
  void wake() {
    const std::lock_guard lock(mutex_);
    try {
      if (!thread_ && !ends_) {
        int level = MPI_THREAD_SINGLE;
        PMPI_Query_thread(&level);
        const SignalsBlocked blocked;
        several_threads = true;
        thread_.emplace([this, level] { run(level == MPI_THREAD_MULTIPLE); });
      }
    } catch (const std::bad_alloc &) {
      return;  // the next call may have more
    } catch (const std::system_error &) {
      ends_ = true;
    }
    awake_ = true;
    awake_.notify_one();
  }

  void run(bool may_call_mpi) {
    pthread_setname_np(pthread_self(), "rondo helper");
    while (!ends_) {
      awake_.wait(false);
      watch(may_call_mpi);
      awake_ = false;
      if (needed() || ends_) awake_ = true;  // who came in between has found it awake
    }
  }

  void watch(bool may_call_mpi) {
    bool was_blocked = false;
    for (int quiet = 0; quiet < looks_before_sleep && !ends_; ++quiet) {
      std::this_thread::sleep_for(between_looks);
      const bool is_blocked = needed();
      if (is_blocked) quiet = 0;
      if (is_blocked && was_blocked) help(may_call_mpi);
      was_blocked = is_blocked;
    }
  }

  void help(bool may_call_mpi) const {
    while (needed() && !ends_) {
      drive_running(may_call_mpi);
      std::this_thread::sleep_for(nap);
    }
  }

  std::atomic<int> blocked_{0};
  std::atomic<bool> awake_{false};
  std::atomic<bool> ends_{false};
  std::mutex mutex_;  // of the thread's beginning and end
  std::optional<std::thread> thread_;
};

// Never destroyed: a program that ends without MPI_Finalize ends while the thread runs.
Helper &helper() {
  alignas(Helper) static std::byte room[sizeof(Helper)];
  static auto *const one = new (room) Helper;
  return *one;
}

}  // namespace

constinit std::atomic<bool> calls_at_once{false};
constinit std::atomic<bool> all_help_by_mpi{false};

void Blocked::enter() {
  drive_running();
  helper().enter();
}

void Blocked::leave() {
  helper().leave();
}

void help_blocked() {
  if (calls_at_once.load(std::memory_order_relaxed)) helper().wake_if_needed();
}

void end_helper() {
  helper().end();
}

}  // namespace rondo::internal::pmpi
