// MPI_Waitall and MPI_Testall, on arrays that may hold our requests among the program's.

#include <numeric>
#include <vector>

#include "pmpi/blocked.hpp"
#include "pmpi/mixed.hpp"
#include "pmpi/next.hpp"
#include "pmpi/poll.hpp"
#include "pmpi/raise.hpp"
#include "rondo/rondo.h"

namespace rondo::internal::pmpi {

namespace {

constinit const Next next_test{"MPI_Test", PMPI_Test};
constinit const Next next_get_status{"MPI_Request_get_status", PMPI_Request_get_status};

// Whether the request is complete; if so it is retired, and code is what became of it. MPI_Testall of MPICH 4.0 fails
// on persistent collectives, so that each is tested alone.
bool retire_if_complete(MPI_Request *request, MPI_Status *status, int &code) {
  if (StandIn *const mine = stand_in(request)) {
    if (!mine->complete()) return false;
    code = mine->retire(request, status);
    return true;
  }
  int done = 0;
  code = next_test(request, &done, status);
  return code != MPI_SUCCESS || done != 0;
}

bool is_complete(const MPI_Request *request) {
  if (StandIn *const mine = stand_in(request)) return mine->complete();
  int done = 0;
  const int code = next_get_status(*request, &done, MPI_STATUS_IGNORE);
  return code != MPI_SUCCESS || done != 0;
}

// What the call returns for the codes of its requests; each status is told its own where one has failed.
int summary(const std::vector<int> &codes, MPI_Status *statuses) {
  bool all = true;
  for (const int code : codes) all = all && code == MPI_SUCCESS;
  if (all) return MPI_SUCCESS;
  for (std::size_t i = 0; statuses != MPI_STATUSES_IGNORE && i < codes.size(); ++i) statuses[i].MPI_ERROR = codes[i];
  return MPI_ERR_IN_STATUS;
}

// Each request is retired as soon as it is complete, so that the order in which they end does not matter.
int wait_all(int count, MPI_Request *requests, MPI_Status *statuses) {
  return or_raise(MPI_COMM_NULL, [&] {
    std::vector<int> codes(static_cast<std::size_t>(count), MPI_ERR_PENDING);
    std::vector<int> waited(codes.size());
    std::iota(waited.begin(), waited.end(), 0);
    for (Poll poll;; poll.pause()) {
      std::erase_if(waited, [&](int i) {
        int code = MPI_SUCCESS;
        const bool says_success = statuses_say_success || requests[i] != MPI_REQUEST_NULL;
        if (!retire_if_complete(&requests[i], status_at(statuses, i), code)) return false;
        if (says_success) say_success(status_at(statuses, i));
        codes[static_cast<std::size_t>(i)] = code;
        return true;
      });
      if (waited.empty()) return summary(codes, statuses);
    }
  });
}

// All or none: they are retired when it is known of each that it is complete.
int test_all(int count, MPI_Request *requests, int *flag, MPI_Status *statuses) {
  if (any_running()) drive_all();
  *flag = 1;
  for (int i = 0; i < count; ++i) *flag = is_complete(&requests[i]) && *flag != 0 ? 1 : 0;
  if (*flag == 0) return MPI_SUCCESS;
  return or_raise(MPI_COMM_NULL, [&] {
    std::vector<int> codes(static_cast<std::size_t>(count), MPI_SUCCESS);
    for (int i = 0; i < count; ++i) {
      retire_if_complete(&requests[i], status_at(statuses, i), codes[static_cast<std::size_t>(i)]);
      if (statuses_say_success) say_success(status_at(statuses, i));
    }
    return summary(codes, statuses);
  });
}

}  // namespace

}  // namespace rondo::internal::pmpi

RONDO_API int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  static constinit const rondo::internal::pmpi::Next next{"MPI_Waitall", PMPI_Waitall};
  const bool polls = rondo::internal::pmpi::any_running() || rondo::internal::pmpi::any_of_ours(count, requests);
  if (polls && count >= 0 && requests != nullptr) return rondo::internal::pmpi::wait_all(count, requests, statuses);
  const rondo::internal::pmpi::Blocked blocked;
  return next(count, requests, statuses);
}

RONDO_API int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
  static constinit const rondo::internal::pmpi::Next next{"MPI_Testall", PMPI_Testall};
  if (!rondo::internal::pmpi::any_of_ours(count, requests)) {
    if (rondo::internal::pmpi::any_running()) rondo::internal::pmpi::drive_all();
    return next(count, requests, flag, statuses);
  }
  return rondo::internal::pmpi::test_all(count, requests, flag, statuses);
}
