// Calls on one request. Those of the program's own go to the next layer; a wait for one polls while anything of ours
// runs, as the wait of the MPI library would not drive that.

#include "pmpi/pass/blocked.hpp"
#include "pmpi/pass/next_definition.hpp"
#include "pmpi/requests/poll.hpp"
#include "pmpi/requests/proxy_request.hpp"
#include "pmpi/requests/raise.hpp"
#include "rondo/rondo.h"

namespace rondo::internal::pmpi {

namespace {

constinit const Next next_start{"MPI_Start", PMPI_Start};
constinit const Next next_wait{"MPI_Wait", PMPI_Wait};
constinit const Next next_test{"MPI_Test", PMPI_Test};
constinit const Next next_get_status{"MPI_Request_get_status", PMPI_Request_get_status};
constinit const Next next_free{"MPI_Request_free", PMPI_Request_free};
constinit const Next next_cancel{"MPI_Cancel", PMPI_Cancel};

int start(ProxyRequest &request) {
  return or_raise(request.errors_to(), [&] {
    request.start();
    return MPI_SUCCESS;
  });
}

}  // namespace

}  // namespace rondo::internal::pmpi

using rondo::internal::any_running;
using rondo::internal::drive_running;
using rondo::internal::pmpi::Poll;
using rondo::internal::pmpi::proxy_of;
using rondo::internal::pmpi::ProxyRequest;

RONDO_API int MPI_Start(MPI_Request *request) {
  ProxyRequest *const mine = proxy_of(request);
  return mine == nullptr ? rondo::internal::pmpi::next_start(request) : rondo::internal::pmpi::start(*mine);
}

RONDO_API int MPI_Startall(int count, MPI_Request requests[]) {
  static constinit const rondo::internal::pmpi::Next next{"MPI_Startall", PMPI_Startall};
  bool any = false;
  for (int i = 0; requests != nullptr && i < count; ++i) any = any || proxy_of(&requests[i]) != nullptr;
  if (!any) return next(count, requests);
  for (int i = 0; i < count; ++i) {
    if (const int code = MPI_Start(&requests[i]); code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

RONDO_API int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  if (ProxyRequest *const mine = proxy_of(request)) {
    mine->wait();
    return mine->retire(request, status);
  }
  if (any_running()) {
    for (Poll poll; any_running(); poll.pause()) {
      int done = 0;
      const int code = rondo::internal::pmpi::next_test(request, &done, status);
      if (code != MPI_SUCCESS || done != 0) return code;
    }
  }
  const rondo::internal::pmpi::Blocked blocked;
  return rondo::internal::pmpi::next_wait(request, status);
}

RONDO_API int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  ProxyRequest *const mine = proxy_of(request);
  if (mine == nullptr) {
    drive_running();
    return rondo::internal::pmpi::next_test(request, flag, status);
  }
  *flag = mine->complete() ? 1 : 0;
  return *flag != 0 ? mine->retire(request, status) : MPI_SUCCESS;
}

RONDO_API int MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status) {
  ProxyRequest *const mine = proxy_of(&request);
  drive_running();
  if (mine == nullptr) return rondo::internal::pmpi::next_get_status(request, flag, status);
  *flag = mine->complete() ? 1 : 0;
  if (*flag != 0) rondo::internal::set_empty(status);
  return MPI_SUCCESS;
}

RONDO_API int MPI_Request_free(MPI_Request *request) {
  ProxyRequest *const mine = proxy_of(request);
  if (mine == nullptr) return rondo::internal::pmpi::next_free(request);
  ProxyRequest::free(mine, request);
  return MPI_SUCCESS;
}

RONDO_API int MPI_Cancel(MPI_Request *request) {
  const ProxyRequest *const mine = proxy_of(request);
  if (mine == nullptr) return rondo::internal::pmpi::next_cancel(request);
  return mine->raise({rondo::internal::Fault::request, "a collective operation cannot be cancelled"});
}
