#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "wire/patience.hpp"

namespace rondo::internal {

class Driven;

// The thread of this process that drives plans made with rondo_progress=thread while their callers do something else.
// There is one from the first such init to the last such free, or to MPI_Finalize. While no plan is left to it, it
// sleeps and uses no core.
class ProgressThread {
 public:
  static ProgressThread &of_process();
  ProgressThread(const ProgressThread &) = delete;
  ProgressThread &operator=(const ProgressThread &) = delete;

  // At init; the thread waits as the least patient of its plans would. Throws Error (no_memory) where there can be no
  // thread.
  void add(Driven &plan, const Patience &patience);
  // At free.
  void remove(Driven &plan);

  // At a start: one plan more that nobody else drives. Wakes the thread if it was the first.
  void leave_one() {
    if (left_.fetch_add(1) == 0) left_.notify_one();
  }
  // When such a plan is complete, or its caller drives it again.
  void take_one() { left_.fetch_sub(1); }

 private:
  ProgressThread();

  void begin();
  void end();
  void run();
  bool drive_all();
  Patience patience();

  std::mutex beginning_and_ending_;
  std::optional<std::thread> thread_;

  std::mutex mutex_;  // of what follows; also held while a plan is driven, so that it is not freed meanwhile
  std::vector<Driven *> plans_;
  Patience patience_;

  std::atomic<int> left_{0};
  std::atomic<bool> ends_{false};
};

}  // namespace rondo::internal
