#include "pmpi/planned.hpp"

#include "api/request.hpp"
#include "pmpi/raise.hpp"

namespace rondo::pmpi {

namespace {

void check(int code) {
  if (code != MPI_SUCCESS) throw error_of(code);
}

}  // namespace

Planned::~Planned() {
  RONDO_Request_free(&plan_);
}

void Planned::start() {
  check(RONDO_Start(&plan_));
}

bool Planned::test() {
  int done = 0;
  check(RONDO_Test(&plan_, &done, MPI_STATUS_IGNORE));
  return done != 0;
}

void Planned::help(bool may_call_mpi) {
  if (may_call_mpi || !plan_->plan->calls_mpi()) plan_->plan->look();
}

void Planned::wait() {
  check(RONDO_Wait(&plan_, MPI_STATUS_IGNORE));
}

}  // namespace rondo::pmpi
