// MPI_Waitsome and MPI_Testsome, on arrays that may hold our requests among the program's.

#include <algorithm>
#include <vector>

#include "pmpi/pass/blocked.hpp"
#include "pmpi/pass/next_definition.hpp"
#include "pmpi/requests/poll.hpp"
#include "pmpi/requests/raise.hpp"
#include "pmpi/requests/request_array.hpp"
#include "rondo/rondo.h"

namespace rondo::internal::pmpi {

namespace {

constinit const Next next_test_some{"MPI_Testsome", PMPI_Testsome};

struct Ended {
  int index;
  int code;
  MPI_Status status;
};

// One look at the array, with room for all that it may find: what has been taken from the library or from us is told.
struct Look {
  explicit Look(const RequestArray &array)
      : indices(static_cast<std::size_t>(array.own_count())), statuses(indices.size()) {
    ended.reserve(indices.size() + array.ours().size());
  }

  bool none_active = false;
  bool failed = false;
  std::vector<Ended> ended;
  std::vector<int> indices;  // of the library's call
  std::vector<MPI_Status> statuses;
};

void look_at_ours(const RequestArray &array, MPI_Request *requests, Look &seen) {
  for (const auto &[index, mine] : array.ours()) {
    if (!mine->active() || !mine->complete()) continue;
    Ended &one = seen.ended.emplace_back(Ended{index, MPI_SUCCESS, {}});
    one.code = mine->retire(&requests[index], &one.status);
    seen.failed = seen.failed || one.code != MPI_SUCCESS;
  }
}

// Returns the code of the library's call if the call itself has failed.
int look_at_own(RequestArray &array, Look &seen) {
  int count = MPI_UNDEFINED;
  int code = MPI_SUCCESS;
  if (array.own_count() > 0) {
    code = next_test_some(array.own_count(), array.own(), &count, seen.indices.data(), seen.statuses.data());
  }
  const bool in_status = code == MPI_ERR_IN_STATUS;
  if (code != MPI_SUCCESS && !in_status) return code;
  seen.none_active = count == MPI_UNDEFINED && array.ours().empty();
  for (int i = 0; i < count; ++i) {
    const MPI_Status &status = seen.statuses[i];
    const int own_code = in_status ? status.MPI_ERROR : MPI_SUCCESS;
    seen.ended.push_back({array.put_back(seen.indices[i]), own_code, status});
    seen.failed = seen.failed || own_code != MPI_SUCCESS;
  }
  return MPI_SUCCESS;
}

int tell(Look &seen, int *out_count, int *indices, MPI_Status *statuses) {
  *out_count = seen.none_active ? MPI_UNDEFINED : static_cast<int>(seen.ended.size());
  std::sort(seen.ended.begin(), seen.ended.end(), [](const Ended &a, const Ended &b) { return a.index < b.index; });
  for (std::size_t i = 0; i < seen.ended.size(); ++i) {
    indices[i] = seen.ended[i].index;
    if (statuses == MPI_STATUSES_IGNORE) continue;
    const int left = statuses[i].MPI_ERROR;
    statuses[i] = seen.ended[i].status;
    statuses[i].MPI_ERROR = seen.failed || statuses_say_success ? seen.ended[i].code : left;
  }
  return seen.failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

// The library's requests are looked at first: if that call fails, none of ours has been retired.
int look(RequestArray &array, MPI_Request *requests, Look &seen) {
  const int code = look_at_own(array, seen);
  if (code == MPI_SUCCESS) look_at_ours(array, requests, seen);
  return code;
}

int test_some(int count, MPI_Request *requests, int *out_count, int *indices, MPI_Status *statuses) {
  drive_running();
  return or_raise(MPI_COMM_NULL, [&] {
    RequestArray array(count, requests);
    Look seen(array);
    const int code = look(array, requests, seen);
    return code != MPI_SUCCESS ? code : tell(seen, out_count, indices, statuses);
  });
}

int wait_some(int count, MPI_Request *requests, int *out_count, int *indices, MPI_Status *statuses) {
  return or_raise(MPI_COMM_NULL, [&] {
    RequestArray array(count, requests);
    Look seen(array);
    for (Poll poll;; poll.pause()) {
      const int code = look(array, requests, seen);
      if (code != MPI_SUCCESS) return code;
      if (seen.none_active || !seen.ended.empty()) return tell(seen, out_count, indices, statuses);
    }
  });
}

}  // namespace

}  // namespace rondo::internal::pmpi

RONDO_API int MPI_Waitsome(int incount, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]) {
  static constinit const rondo::internal::pmpi::Next next{"MPI_Waitsome", PMPI_Waitsome};
  const bool polls = rondo::internal::any_running() || rondo::internal::pmpi::any_of_ours(incount, requests);
  if (polls && incount >= 0 && requests != nullptr) {
    return rondo::internal::pmpi::wait_some(incount, requests, outcount, indices, statuses);
  }
  const rondo::internal::pmpi::Blocked blocked;
  return next(incount, requests, outcount, indices, statuses);
}

RONDO_API int MPI_Testsome(int incount, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[]) {
  static constinit const rondo::internal::pmpi::Next next{"MPI_Testsome", PMPI_Testsome};
  if (!rondo::internal::pmpi::any_of_ours(incount, requests)) {
    rondo::internal::drive_running();
    return next(incount, requests, outcount, indices, statuses);
  }
  return rondo::internal::pmpi::test_some(incount, requests, outcount, indices, statuses);
}
