#include "pmpi/requests/plan_operation.hpp"

#include "api/request_table.hpp"
#include "pmpi/requests/raise.hpp"
#include "wire/agreement.hpp"

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

// Leaves the request as the call of the C interface that tells of the end does: a plan that is taken for active cannot
// be freed.
bool PlanOperation::look() {
  RONDO_Request_object &request = *RequestTable::find(plan_);
  bool complete = false;
  const auto fault = fault_of([&] { complete = request.plan->look(); });
  if (!complete && !fault) return false;
  request.state = RONDO_Request_object::State::inactive;
  if (!fault) return true;
  request.failed = true;
  throw Error(*fault);
}

void PlanOperation::wait() {
  check(RONDO_Wait(&plan_, MPI_STATUS_IGNORE));
}

}  // namespace rondo::internal::pmpi
