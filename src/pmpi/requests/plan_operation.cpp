#include "pmpi/requests/plan_operation.hpp"

#include "api/completion.hpp"
#include "api/request_table.hpp"
#include "pmpi/requests/raise.hpp"

namespace rondo::internal::pmpi {

namespace {

void check(int code) {
  if (code != MPI_SUCCESS) throw error_of(code);
}

}  // namespace

PlanOperation::~PlanOperation() {
  RONDO_Request_free(&plan_);
}

void PlanOperation::start() {
  check(RONDO_Start(&plan_));
}

bool PlanOperation::test() {
  int done = 0;
  check(RONDO_Test(&plan_, &done, MPI_STATUS_IGNORE));
  return done != 0;
}

bool PlanOperation::look() {
  return complete_alone(*RequestTable::find(plan_));
}

void PlanOperation::wait() {
  check(RONDO_Wait(&plan_, MPI_STATUS_IGNORE));
}

}  // namespace rondo::internal::pmpi
