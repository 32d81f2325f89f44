#include "wire/late_messages.hpp"

#include <chrono>
#include <thread>

#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

constexpr std::chrono::milliseconds grace{100};

}  // namespace

void cancel_pending(std::span<MPI_Request> receives) noexcept {
  for (MPI_Request &receive : receives) {
    if (receive != MPI_REQUEST_NULL && is_pending(receive)) MPI_Cancel(&receive);
  }
}

bool complete_in_time(std::span<MPI_Request> requests) noexcept {
  const auto end = std::chrono::steady_clock::now() + grace;
  for (int done = 0;; std::this_thread::yield()) {
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    if (done != 0) return true;
    if (std::chrono::steady_clock::now() > end) return false;
  }
}

int count_pending(std::span<const MPI_Request> requests) noexcept {
  int pending = 0;
  for (const MPI_Request request : requests) pending += is_pending(request) ? 1 : 0;
  return pending;
}

}  // namespace rondo::internal
