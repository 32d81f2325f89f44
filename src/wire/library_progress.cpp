#include "wire/library_progress.hpp"

#include <mpi.h>

#include <atomic>
#include <mutex>

#include "wire/channel.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

// A request that never completes. Asking MPI for the status of such a request makes the library move its messages.
std::atomic<MPI_Request> endless{MPI_REQUEST_NULL};

extern "C" int rondo_endless_query(void *, MPI_Status *status) {
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(status, 0);
  return MPI_SUCCESS;
}
extern "C" int rondo_endless_free(void *) {
  return MPI_SUCCESS;
}
extern "C" int rondo_endless_cancel(void *, int) {
  return MPI_SUCCESS;
}

void close_library_progress() {
  MPI_Request request = endless.exchange(MPI_REQUEST_NULL);
  if (request == MPI_REQUEST_NULL) return;
  MPI_Grequest_complete(request);
  MPI_Request_free(&request);
}

}  // namespace

void open_library_progress() {
  static std::once_flag once;
  std::call_once(once, [] {
    MPI_Request request = MPI_REQUEST_NULL;
    check_mpi(MPI_Grequest_start(rondo_endless_query, rondo_endless_free, rondo_endless_cancel, nullptr, &request),
              "MPI_Grequest_start");
    endless = request;
    at_finalize(close_library_progress);
  });
}

void let_library_move() noexcept {
  const MPI_Request request = endless.load(std::memory_order_acquire);
  if (request == MPI_REQUEST_NULL) return;
  int complete = 0;
  MPI_Request_get_status(request, &complete, MPI_STATUS_IGNORE);
}

}  // namespace rondo::internal
