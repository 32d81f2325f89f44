#include "plan/progress.hpp"

#include <algorithm>
#include <mutex>
#include <utility>
#include <vector>

namespace rondo {

namespace {

// The plans of several steps of this process. The list changes at init and free only; a start touches the count.
struct Listed {
  std::mutex mutex;
  std::vector<Driven *> plans;
  std::atomic<int> running{0};
};

Listed &listed() {
  static Listed list;
  return list;
}

}  // namespace

Driven::Driven(bool several_steps) : several_steps_(several_steps) {
  if (!several_steps_) return;
  const std::lock_guard lock(listed().mutex);
  listed().plans.push_back(this);
}

Driven::~Driven() {
  if (!several_steps_) return;
  const std::lock_guard lock(listed().mutex);
  std::erase(listed().plans, this);
}

void Driven::begin_running() {
  if (!several_steps_) return;
  running_.store(true, std::memory_order_relaxed);
  listed().running.fetch_add(1, std::memory_order_relaxed);
}

void Driven::end_running() {
  if (!several_steps_) return;
  running_.store(false, std::memory_order_relaxed);
  listed().running.fetch_sub(1, std::memory_order_relaxed);
}

bool Driven::others_run() const {
  const int self = running_.load(std::memory_order_relaxed) ? 1 : 0;
  return listed().running.load(std::memory_order_relaxed) > self;
}

void Driven::drive_others() const {
  const std::unique_lock lock(listed().mutex, std::try_to_lock);
  if (!lock) return;  // another thread drives them, or one plans
  for (Driven *plan : listed().plans) {
    if (plan != this && plan->running_.load(std::memory_order_relaxed)) plan->drive();
  }
}

void Driven::drive() {
  if (held_.test_and_set(std::memory_order_acquire)) return;
  try {
    if (running_.load(std::memory_order_relaxed)) advance();
  } catch (Error &error) {
    fault_ = std::move(error);
    end_running();
  }
  held_.clear(std::memory_order_release);
}

void Driven::throw_stored_fault() {
  if (fault_) throw std::exchange(fault_, std::nullopt).value();
}

}  // namespace rondo
