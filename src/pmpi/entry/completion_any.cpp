// MPI_Waitany and MPI_Testany, on arrays that may hold our requests among the program's.

#include "pmpi/pass/blocked.hpp"
#include "pmpi/pass/next_definition.hpp"
#include "pmpi/requests/poll.hpp"
#include "pmpi/requests/raise.hpp"
#include "pmpi/requests/request_array.hpp"
#include "rondo/rondo.h"

namespace rondo::internal::pmpi {

namespace {

constinit const Next next_test_any{"MPI_Testany", PMPI_Testany};

// What one look at the array has found. An index of MPI_UNDEFINED with `found`: nothing in it is active.
struct Look {
  bool found = false;
  int index = MPI_UNDEFINED;
  int code = MPI_SUCCESS;
};

Look look(RequestArray &array, MPI_Request *requests, MPI_Status *status) {
  for (const auto &[index, mine] : array.ours()) {
    if (mine->complete()) return {true, index, mine->retire(&requests[index], status)};
  }
  int done = 1;
  int index = MPI_UNDEFINED;
  int code = MPI_SUCCESS;
  if (array.own_count() > 0) code = next_test_any(array.own_count(), array.own(), &index, &done, status);
  if (code != MPI_SUCCESS || (done != 0 && index != MPI_UNDEFINED)) {
    return {true, index == MPI_UNDEFINED ? index : array.put_back(index), code};
  }
  if (!array.ours().empty() || done == 0) return {};
  set_empty(status);
  return {true};
}

int test_any(int count, MPI_Request *requests, int *index, int *flag, MPI_Status *status) {
  drive_running();
  return or_raise(MPI_COMM_NULL, [&] {
    RequestArray array(count, requests);
    const Look seen = look(array, requests, status);
    *flag = seen.found ? 1 : 0;
    *index = seen.index;
    return seen.code;
  });
}

int wait_any(int count, MPI_Request *requests, int *index, MPI_Status *status) {
  return or_raise(MPI_COMM_NULL, [&] {
    RequestArray array(count, requests);
    for (Poll poll;; poll.pause()) {
      const Look seen = look(array, requests, status);
      if (!seen.found) continue;
      *index = seen.index;
      return seen.code;
    }
  });
}

}  // namespace

}  // namespace rondo::internal::pmpi

RONDO_API int MPI_Waitany(int count, MPI_Request requests[], int *index, MPI_Status *status) {
  static constinit const rondo::internal::pmpi::Next next{"MPI_Waitany", PMPI_Waitany};
  const bool polls = rondo::internal::any_running() || rondo::internal::pmpi::any_of_ours(count, requests);
  if (polls && count >= 0 && requests != nullptr)
    return rondo::internal::pmpi::wait_any(count, requests, index, status);
  const rondo::internal::pmpi::Blocked blocked;
  return next(count, requests, index, status);
}

RONDO_API int MPI_Testany(int count, MPI_Request requests[], int *index, int *flag, MPI_Status *status) {
  static constinit const rondo::internal::pmpi::Next next{"MPI_Testany", PMPI_Testany};
  if (!rondo::internal::pmpi::any_of_ours(count, requests)) {
    rondo::internal::drive_running();
    return next(count, requests, index, flag, status);
  }
  return rondo::internal::pmpi::test_any(count, requests, index, flag, status);
}
