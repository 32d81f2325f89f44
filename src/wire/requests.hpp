#pragma once

#include <mpi.h>

#include <vector>

namespace rondo::internal {

// Persistent requests that are freed with this, unless MPI has been finalized before.
class OwnedRequests {
 public:
  OwnedRequests() = default;
  OwnedRequests(OwnedRequests &&) noexcept = default;
  OwnedRequests &operator=(OwnedRequests &&) = delete;
  ~OwnedRequests();

  [[nodiscard]] std::vector<MPI_Request> &list() { return requests_; }
  [[nodiscard]] const std::vector<MPI_Request> &list() const { return requests_; }

 private:
  std::vector<MPI_Request> requests_;
};

}  // namespace rondo::internal
