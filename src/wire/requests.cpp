#include "wire/requests.hpp"

#include <chrono>
#include <thread>

#include "wire/mpi_call.hpp"

namespace rondo::internal {

OwnedRequests::~OwnedRequests() {
  if (requests_.empty() || !mpi_is_up()) return;
  for (MPI_Request &request : requests_) {
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  }
}

int count_pending(std::span<const MPI_Request> requests) {
  int pending = 0;
  for (const MPI_Request request : requests) pending += is_pending(request) ? 1 : 0;
  return pending;
}

// An inactive or complete request may not be cancelled.
void cancel(std::span<MPI_Request> receives) {
  for (MPI_Request &receive : receives) {
    if (is_pending(receive)) MPI_Cancel(&receive);
  }
}

bool complete_in_time(std::span<MPI_Request> requests) {
  constexpr std::chrono::milliseconds grace{100};
  const auto end = std::chrono::steady_clock::now() + grace;
  for (int done = 0;; std::this_thread::yield()) {
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    if (done != 0) return true;
    if (std::chrono::steady_clock::now() > end) return false;
  }
}

}  // namespace rondo::internal
