#include "pmpi/persistent.hpp"

#include "api/hints.hpp"
#include "pmpi/planned.hpp"
#include "pmpi/raise.hpp"
#include "pmpi/settings.hpp"
#include "pmpi/stand_in.hpp"

namespace rondo::pmpi {

namespace {

int stand_in_for(RONDO_Request plan, const Communicator &communicator, MPI_Request *request) {
  try {
    auto planned = std::make_unique<Planned>(plan);
    auto *const made = new StandIn(std::move(planned), StandIn::Lifetime::persistent, communicator.handle());
    *request = made->handle();
    return MPI_SUCCESS;
  } catch (const Error &error) {
    return raise(communicator.comm(), error);
  }
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
