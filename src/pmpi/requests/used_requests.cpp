#include "pmpi/requests/used_requests.hpp"

#include <algorithm>
#include <utility>

#include "plan/progress.hpp"

namespace rondo::internal::pmpi {

// Never destroyed, as MPI_Finalize may come after main().
const std::shared_ptr<UsedRequests> &UsedRequests::none() {
  static const auto *const none = [] {
    auto closed = std::make_shared<UsedRequests>();
    closed->close();
    return new auto(std::move(closed));
  }();
  return *none;
}

// Where one thread alone uses them there is nothing to lock.
std::unique_lock<std::mutex> UsedRequests::lock() {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (several_threads.load(std::memory_order_relaxed)) lock.lock();
  return lock;
}

std::unique_ptr<ProxyRequest> UsedRequests::take() {
  const auto locked = lock();
  if (requests_.empty()) return nullptr;
  std::unique_ptr<ProxyRequest> last = std::move(requests_.back());
  requests_.pop_back();
  return last;
}

bool UsedRequests::keep(ProxyRequest &request) {
  const auto locked = lock();
  if (!open_ || requests_.size() == most) return false;
  requests_.emplace_back(&request);
  return true;
}

bool UsedRequests::has(const ProxyRequest &request) {
  const auto locked = lock();
  return std::any_of(requests_.begin(), requests_.end(), [&](const auto &kept) { return kept.get() == &request; });
}

void UsedRequests::close() {
  std::vector<std::unique_ptr<ProxyRequest>> freed;
  const auto locked = lock();
  open_ = false;
  freed.swap(requests_);
}

}  // namespace rondo::internal::pmpi
