#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "pmpi/requests/proxy_request.hpp"

namespace rondo::internal::pmpi {

// The requests of a communicator's calls that do not wait and go by links, when these are over: the next calls have
// them again, with their operations and the memory of these, since making a request takes as long as a short call.
class UsedRequests {
 public:
  UsedRequests() { requests_.reserve(most); }  // throws std::bad_alloc
  ~UsedRequests() = default;
  UsedRequests(const UsedRequests &) = delete;
  UsedRequests &operator=(const UsedRequests &) = delete;

  // Those of calls whose requests are used once: never any.
  static const std::shared_ptr<UsedRequests> &none();

  // The one that was used last; null where there is none.
  std::unique_ptr<ProxyRequest> take();
  // Takes a request over, if it is to be used again; says whether it is.
  bool keep(ProxyRequest &request);
  // Whether it is here.
  [[nodiscard]] bool has(const ProxyRequest &request);
  // Its communicator has ended: frees what is here, and keeps nothing any more.
  void close();

 private:
  static constexpr std::size_t most = 8;

  [[nodiscard]] std::unique_lock<std::mutex> lock();

  std::mutex mutex_;
  bool open_ = true;
  std::vector<std::unique_ptr<ProxyRequest>> requests_{};
};

}  // namespace rondo::internal::pmpi
