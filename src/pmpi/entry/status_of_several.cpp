// MPI_Request_get_status_all, _any and _some of MPI-4.1, on arrays that may hold our requests among the program's. They
// leave the requests as they are.

#include <mpi_functions.h>

#if defined(RONDO_MPI_HAS_STATUS_OF_SEVERAL)

#include <algorithm>
#include <vector>

#include "plan/progress.hpp"
#include "pmpi/pass/both_names.hpp"
#include "pmpi/requests/request_array.hpp"
#include "rondo/rondo.h"
#include "wire/status.hpp"

namespace rondo::internal::pmpi {

// MPI-4.1 has the requests const, MPICH 4.2 has not.
template <class Function>
struct SecondParameter;
template <class Result, class First, class Second, class... Others>
struct SecondParameter<Result(First, Second, Others...)> {
  using Type = Second;
};
using Requests = SecondParameter<decltype(MPI_Request_get_status_all)>::Type;

}  // namespace rondo::internal::pmpi

using rondo::internal::pmpi::Requests;

ALSO_AS_PMPI(MPI_Request_get_status_all, (int count, Requests requests, int *flag, MPI_Status statuses[]),
             (count, requests, flag, statuses))
ALSO_AS_PMPI(MPI_Request_get_status_any, (int count, Requests requests, int *index, int *flag, MPI_Status *status),
             (count, requests, index, flag, status))
ALSO_AS_PMPI(MPI_Request_get_status_some,
             (int incount, Requests requests, int *outcount, int indices[], MPI_Status statuses[]),
             (incount, requests, outcount, indices, statuses))

namespace rondo::internal::pmpi {

namespace {

constinit const Next next_all{"MPI_Request_get_status_all", &library_MPI_Request_get_status_all};
constinit const Next next_any{"MPI_Request_get_status_any", &library_MPI_Request_get_status_any};
constinit const Next next_some{"MPI_Request_get_status_some", &library_MPI_Request_get_status_some};

// No handle changes in these calls, so that what is put back is what was there.
RequestArray taken_apart(int count, Requests requests) {
  return {count, const_cast<MPI_Request *>(requests)};
}

int of_all(int count, Requests requests, int *flag, MPI_Status *statuses) {
  RequestArray array = taken_apart(count, requests);
  *flag = 0;
  if (!array.ours_complete()) return MPI_SUCCESS;
  std::vector<MPI_Status> own(array.own_count());
  int done = 1;
  if (array.own_count() > 0) {
    if (const int code = next_all(array.own_count(), array.own(), &done, own.data()); code != MPI_SUCCESS) return code;
  }
  *flag = done;
  if (done == 0 || statuses == MPI_STATUSES_IGNORE) return MPI_SUCCESS;
  for (int i = 0; i < count; ++i) set_empty(&statuses[i]);
  for (int i = 0; i < array.own_count(); ++i) statuses[array.put_back(i)] = own[i];
  return MPI_SUCCESS;
}

int of_any(int count, Requests requests, int *index, int *flag, MPI_Status *status) {
  RequestArray array = taken_apart(count, requests);
  for (const auto &[place, mine] : array.ours()) {
    if (!mine->complete()) continue;
    *index = place;
    *flag = 1;
    set_empty(status);
    return MPI_SUCCESS;
  }
  *index = MPI_UNDEFINED;
  *flag = 1;
  set_empty(status);
  if (array.own_count() > 0) {
    if (const int code = next_any(array.own_count(), array.own(), index, flag, status); code != MPI_SUCCESS)
      return code;
  }
  if (*flag != 0 && *index != MPI_UNDEFINED) {
    *index = array.put_back(*index);
  } else if (!array.ours().empty()) {
    *flag = 0;
  }
  return MPI_SUCCESS;
}

int of_some(int count, Requests requests, int *out_count, int *indices, MPI_Status *statuses) {
  struct Ended {
    int index;
    MPI_Status status;
  };
  RequestArray array = taken_apart(count, requests);
  std::vector<Ended> ended;
  for (const auto &[index, mine] : array.ours()) {
    if (!mine->complete()) continue;
    set_empty(&ended.emplace_back(Ended{index, {}}).status);
  }
  int found = MPI_UNDEFINED;
  std::vector<int> own_indices(array.own_count());
  std::vector<MPI_Status> own(own_indices.size());
  if (array.own_count() > 0) {
    const int code = next_some(array.own_count(), array.own(), &found, own_indices.data(), own.data());
    if (code != MPI_SUCCESS) return code;
  }
  const bool none_active = found == MPI_UNDEFINED && array.ours().empty();
  for (int i = 0; i < found; ++i) {
    const auto place = static_cast<std::size_t>(i);
    ended.push_back({array.put_back(own_indices[place]), own[place]});
  }
  std::sort(ended.begin(), ended.end(), [](const Ended &a, const Ended &b) { return a.index < b.index; });
  *out_count = none_active ? MPI_UNDEFINED : static_cast<int>(ended.size());
  for (std::size_t i = 0; i < ended.size(); ++i) {
    indices[i] = ended[i].index;
    if (statuses != MPI_STATUSES_IGNORE) statuses[i] = ended[i].status;
  }
  return MPI_SUCCESS;
}

}  // namespace

}  // namespace rondo::internal::pmpi

using rondo::internal::drive_running;
using rondo::internal::pmpi::any_of_ours;

RONDO_API int MPI_Request_get_status_all(int count, Requests requests, int *flag, MPI_Status statuses[]) {
  drive_running();
  if (!any_of_ours(count, requests)) return rondo::internal::pmpi::next_all(count, requests, flag, statuses);
  return rondo::internal::pmpi::of_all(count, requests, flag, statuses);
}

RONDO_API int MPI_Request_get_status_any(int count, Requests requests, int *index, int *flag, MPI_Status *status) {
  drive_running();
  if (!any_of_ours(count, requests)) return rondo::internal::pmpi::next_any(count, requests, index, flag, status);
  return rondo::internal::pmpi::of_any(count, requests, index, flag, status);
}

RONDO_API int MPI_Request_get_status_some(int incount, Requests requests, int *outcount, int indices[],
                                          MPI_Status statuses[]) {
  drive_running();
  if (!any_of_ours(incount, requests)) {
    return rondo::internal::pmpi::next_some(incount, requests, outcount, indices, statuses);
  }
  return rondo::internal::pmpi::of_some(incount, requests, outcount, indices, statuses);
}

#endif
