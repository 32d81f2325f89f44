#include "plan/progress_thread.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <sys/prctl.h>

#include <algorithm>
#include <system_error>

#include "exchange/error.hpp"
#include "plan/progress.hpp"
#include "wire/channel.hpp"
#include "wire/signals_blocked.hpp"

namespace rondo::internal {

namespace {

// How long the thread sleeps when a plan that it drives has nothing to do: nobody wakes it then, as what it waits for
// may come from anywhere.
constexpr std::chrono::microseconds nap{50};

}  // namespace

// Never destroyed: a program that ends without MPI_Finalize ends while the thread runs.
ProgressThread &ProgressThread::of_process() {
  static auto *one = new ProgressThread;
  return *one;
}

ProgressThread::ProgressThread() {
  at_finalize([] {
    const std::lock_guard changing(of_process().beginning_and_ending_);
    of_process().end();
  });
}

void ProgressThread::add(Driven &plan, const Patience &patience) {
  const std::lock_guard changing(beginning_and_ending_);
  try {
    if (!thread_) begin();
  } catch (const std::system_error &error) {
    throw Error(Fault::no_memory, fmt::format("there can be no progress thread: {}", error.what()));
  }
  const std::lock_guard lock(mutex_);
  patience_ = plans_.empty() ? patience : Patience::of_both(patience_, patience);
  plans_.push_back(&plan);
}

void ProgressThread::remove(Driven &plan) {
  const std::lock_guard changing(beginning_and_ending_);
  {
    const std::lock_guard lock(mutex_);
    std::erase(plans_, &plan);
    if (!plans_.empty()) return;
  }
  end();
}

void ProgressThread::begin() {
  ends_ = false;
  const SignalsBlocked blocked;
  thread_.emplace([this] { run(); });
}

void ProgressThread::end() {
  if (!thread_) return;
  ends_ = true;
  leave_one();  // wakes it
  thread_->join();
  take_one();
  thread_.reset();
}

void ProgressThread::run() {
  pthread_setname_np(pthread_self(), "rondo progress");
  prctl(PR_SET_TIMERSLACK, 1000UL);  // nanoseconds: a nap is to be no longer than it says
  Waiting waiting(patience());
  while (!ends_) {
    if (left_ == 0) {
      left_.wait(0);
      waiting = Waiting(patience());
    } else if (drive_all()) {
      waiting = Waiting(patience());
    } else if (!waiting.pause()) {
      std::this_thread::sleep_for(nap);
    }
  }
}

Patience ProgressThread::patience() {
  const std::lock_guard lock(mutex_);
  return patience_;
}

// Whether any plan got further. The lock is let go after each, so that inits and frees come in between.
bool ProgressThread::drive_all() {
  bool moved = false;
  for (std::size_t i = 0;; ++i) {
    const std::lock_guard lock(mutex_);
    if (i >= plans_.size()) return moved;
    moved = plans_[i]->drive() || moved;
  }
}

}  // namespace rondo::internal
