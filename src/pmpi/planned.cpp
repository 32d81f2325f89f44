#include "pmpi/planned.hpp"

#include "api/request_table.hpp"
#include "pmpi/raise.hpp"

namespace rondo::internal::pmpi {

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

bool Planned::look() {
  return RequestTable::find(plan_)->plan->look();
}

void Planned::wait() {
  check(RONDO_Wait(&plan_, MPI_STATUS_IGNORE));
}

}  // namespace rondo::internal::pmpi
