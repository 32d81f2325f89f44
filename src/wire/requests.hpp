#pragma once

#include <mpi.h>

#include <span>
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

// Of the requests: those that have been started and are not complete.
[[nodiscard]] int count_pending(std::span<const MPI_Request> requests);

// Asks MPI to cancel receives that are under way.
void cancel(std::span<MPI_Request> receives);

// Gives MPI a short while to complete what cannot be cancelled, which other ranks may be at just now; true when all are
// complete.
bool complete_in_time(std::span<MPI_Request> requests);

}  // namespace rondo::internal
