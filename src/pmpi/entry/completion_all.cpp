// MPI_Waitall and MPI_Testall, on arrays that may hold our requests among the program's.

#include <numeric>
#include <vector>

#include "pmpi/pass/blocked.hpp"
#include "pmpi/pass/next_definition.hpp"
#include "pmpi/requests/poll.hpp"
#include "pmpi/requests/raise.hpp"
#include "pmpi/requests/request_array.hpp"
#include "rondo/rondo.h"

namespace rondo::internal::pmpi {

namespace {

constinit const Next next_test{"MPI_Test", PMPI_Test};
constinit const Next next_test_all{"MPI_Testall", PMPI_Testall};

// Whether the request is complete; if so it is retired, and code is what became of it. MPI_Testall of MPICH 4.0 fails
// on persistent collectives, so that each is tested alone.
bool retire_if_complete(MPI_Request *request, MPI_Status *status, int &code) {
  if (ProxyRequest *const mine = proxy_of(request)) {
    if (!mine->complete()) return false;
    code = mine->retire(request, status);
    return true;
  }
  int done = 0;
  code = next_test(request, &done, status);
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
    std::vector<int> codes(count, MPI_ERR_PENDING);
    std::vector<int> waited(codes.size());
    std::iota(waited.begin(), waited.end(), 0);
    for (Poll poll;; poll.pause()) {
      std::erase_if(waited, [&](int i) {
        int code = MPI_SUCCESS;
        const bool says_success = statuses_say_success || requests[i] != MPI_REQUEST_NULL;
        if (!retire_if_complete(&requests[i], status_at(statuses, i), code)) return false;
        if (says_success) say_success(status_at(statuses, i));
        codes[i] = code;
        return true;
      });
      if (waited.empty()) return summary(codes, statuses);
    }
  });
}

// What MPI_Testall has said of the program's own requests: all are complete and retired, each with a code and a status,
// or none is.
struct Own {
  explicit Own(int count) : statuses(static_cast<std::size_t>(count)), codes(statuses.size(), MPI_SUCCESS) {}

  int done = 1;
  std::vector<MPI_Status> statuses;
  std::vector<int> codes;
};

// Tests all of the program's own requests by one call of the library. (To ask for each by MPI_Request_get_status first
// would not do: MPICH 4.2 then fails to recognise persistent messages.) Returns the code of the call if the call itself
// has failed.
int test_own(RequestArray &array, Own &own) {
  if (array.own_count() == 0) return MPI_SUCCESS;
  const int code = next_test_all(array.own_count(), array.own(), &own.done, own.statuses.data());
  if (code != MPI_ERR_IN_STATUS) return code;
  own.done = 1;
  for (std::size_t i = 0; i < own.codes.size(); ++i) own.codes[i] = own.statuses[i].MPI_ERROR;
  return MPI_SUCCESS;
}

// Copies a status that the library has filled in to the program's, all but MPI_ERROR, which summary() sets.
void tell(MPI_Status *status, const MPI_Status &own) {
  if (status == MPI_STATUS_IGNORE) return;
  const int left = status->MPI_ERROR;
  *status = own;
  status->MPI_ERROR = left;
}

// All or none: they are retired when it is known of each that it is complete.
int test_all(int count, MPI_Request *requests, int *flag, MPI_Status *statuses) {
  drive_running();
  *flag = 0;
  return or_raise(MPI_COMM_NULL, [&] {
    RequestArray array(count, requests);
    if (!array.ours_complete()) return MPI_SUCCESS;
    Own own(array.own_count());
    std::vector<int> codes(count, MPI_SUCCESS);
    if (const int code = test_own(array, own); code != MPI_SUCCESS || own.done == 0) return code;
    *flag = 1;
    for (int i = 0; i < array.own_count(); ++i) {
      const int index = array.put_back(i);
      tell(status_at(statuses, index), own.statuses[i]);
      codes[index] = own.codes[i];
    }
    for (int i = 0; i < count; ++i) {
      MPI_Status *const status = status_at(statuses, i);
      if (ProxyRequest *const mine = proxy_of(&requests[i])) codes[i] = mine->retire(&requests[i], status);
      if (statuses_say_success) say_success(status);
    }
    return summary(codes, statuses);
  });
}

}  // namespace

}  // namespace rondo::internal::pmpi

RONDO_API int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  static constinit const rondo::internal::pmpi::Next next{"MPI_Waitall", PMPI_Waitall};
  const bool polls = rondo::internal::any_running() || rondo::internal::pmpi::any_of_ours(count, requests);
  if (polls && count >= 0 && requests != nullptr) return rondo::internal::pmpi::wait_all(count, requests, statuses);
  const rondo::internal::pmpi::Blocked blocked;
  return next(count, requests, statuses);
}

RONDO_API int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
  const auto &next = rondo::internal::pmpi::next_test_all;
  if (!rondo::internal::pmpi::any_of_ours(count, requests)) {
    rondo::internal::drive_running();
    return next(count, requests, flag, statuses);
  }
  return rondo::internal::pmpi::test_all(count, requests, flag, statuses);
}
