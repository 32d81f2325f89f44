#include "pmpi/calls/persistent.hpp"

#include <functional>
#include <memory>
#include <new>

#include "api/init_request.hpp"
#include "plan/progress.hpp"
#include "pmpi/requests/plan_operation.hpp"
#include "pmpi/requests/proxy_request.hpp"
#include "pmpi/requests/raise.hpp"
#include "pmpi/settings/settings.hpp"
#include "wire/agreement.hpp"
#include "wire/channel.hpp"

namespace rondo::internal::pmpi {

namespace {

// `tally` counts its starts; it may be null.
std::unique_ptr<PlanOperation> own(RONDO_Request plan, const Communicator &communicator, Tally *tally) {
  try {
    return std::make_unique<PlanOperation>(plan, std::shared_ptr<Tally>(communicator.tallies(), tally));
  } catch (...) {
    RONDO_Request_free(&plan);
    throw;
  }
}

// Makes the request for a plan, on all ranks or on none: a plan can only be used if every rank has a request for it.
int proxy_for(RONDO_Request plan, const Communicator &communicator, Tally *tally, MPI_Request *request) {
  return or_raise(communicator.comm(), [&] {
    std::unique_ptr<ProxyRequest> made;
    const auto fault =
        fault_of([&] { made = std::make_unique<ProxyRequest>(own(plan, communicator, tally), communicator.handle()); });
    duplicate_of_channels(communicator.comm())->agreement().agree({}, fault, drive_what_runs);
    *request = made.release()->handle();
    return MPI_SUCCESS;
  });
}

// `scope_serves` says from what can be known without memory whether the communicator is served. What `keep` gives and
// keeps takes memory.
template <class ScopeServes, class Keep>
Served served_if(MPI_Comm comm, ScopeServes &&scope_serves, Keep &&keep) {
  if (!settings().takes(Call::persistent)) return {};
  Served found;
  if (!fault_of([&] { found.known = communicator(comm); }) && found.known == nullptr) return {};
  if (!scope_serves(found.known != nullptr ? found.known->scope() : scope_of(comm))) return {};
  found.comm = comm;
  if (found.known != nullptr && fault_of([&] { keep(*found.known); })) found.known = nullptr;
  return found;
}

}  // namespace

Served served_neighbors(MPI_Comm comm) {
  return served_if(
      comm, [](const Scope &scope) { return scope.served && scope.has_neighbors; },
      [](Communicator &known) { known.neighbors(); });
}

Served served(MPI_Comm comm) {
  return served_if(
      comm, [](const Scope &scope) { return scope.served || scope.joins_groups; }, [](const Communicator &) {});
}

int refuse_without_memory(MPI_Comm comm, MPI_Info info) {
  const auto read = [](const Channel &) -> Arguments { throw std::bad_alloc(); };
  RONDO_Request request = RONDO_REQUEST_NULL;
  return init_request({.read = std::cref(read), .takes_two_groups = true}, comm, info, &request);
}

bool take_plan(int init_code, RONDO_Request plan, const Served &served, Tally *tally, MPI_Request *request, int &code) {
  if (init_code == RONDO_ERR_COMM || init_code == RONDO_ERR_ALGORITHM) return false;
  if (init_code == MPI_SUCCESS) {
    code = proxy_for(plan, *served.known, tally, request);
  } else {
    code = raise(served.comm, error_of(init_code));
  }
  return true;
}

}  // namespace rondo::internal::pmpi
