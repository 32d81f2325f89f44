#include "pmpi/persistent.hpp"

#include <memory>

#include "api/hints.hpp"
#include "plan/progress.hpp"
#include "pmpi/planned.hpp"
#include "pmpi/raise.hpp"
#include "pmpi/settings.hpp"
#include "pmpi/stand_in.hpp"
#include "wire/agreement.hpp"
#include "wire/channel.hpp"

namespace rondo::pmpi {

namespace {

std::unique_ptr<Planned> own(RONDO_Request plan) {
  try {
    return std::make_unique<Planned>(plan);
  } catch (...) {
    RONDO_Request_free(&plan);
    throw;
  }
}

// A plan that all ranks have made is of use if all can hand out a request for it.
int stand_in_for(RONDO_Request plan, const Communicator &communicator, MPI_Request *request) {
  return or_raise(communicator.comm(), [&] {
    std::unique_ptr<StandIn> made;
    const auto fault = fault_of(
        [&] { made = std::make_unique<StandIn>(own(plan), StandIn::Lifetime::persistent, communicator.handle()); });
    agree(comm_of_channels(communicator.comm()), {}, fault, await_driving);
    *request = made.release()->handle();
    return MPI_SUCCESS;
  });
}

Communicator *known(MPI_Comm comm) {
  return settings().takes(Call::persistent) ? communicator(comm) : nullptr;
}

}  // namespace

Communicator *served(MPI_Comm comm) {
  Communicator *const found = known(comm);
  return found != nullptr && found->served() ? found : nullptr;
}

Communicator *served_neighbors(MPI_Comm comm) {
  Communicator *const found = served(comm);
  return found != nullptr && found->neighbors() != nullptr ? found : nullptr;
}

Communicator *served_groups(MPI_Comm comm) {
  Communicator *const found = known(comm);
  return found != nullptr && (found->served() || found->joins_groups()) ? found : nullptr;
}

bool take_plan(int init_code, RONDO_Request plan, const Communicator &communicator, MPI_Info info, MPI_Request *request,
               int &code) {
  if (init_code == RONDO_ERR_COMM || init_code == RONDO_ERR_ALGORITHM) return false;
  if (init_code == MPI_SUCCESS) {
    code = stand_in_for(plan, communicator, request);
  } else if (wants_handler(info)) {
    code = class_of(error_of(init_code));  // Rondo has called the handler itself
  } else {
    code = raise(communicator.comm(), error_of(init_code));
  }
  return true;
}

}  // namespace rondo::pmpi
