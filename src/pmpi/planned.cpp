#include "pmpi/planned.hpp"

#include <utility>

#include "api/request_table.hpp"
#include "pmpi/raise.hpp"
#include "wire/agreement.hpp"

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
  throw_stored_fault();
  int done = 0;
  check(RONDO_Test(&plan_, &done, MPI_STATUS_IGNORE));
  return done != 0;
}

void Planned::help(bool may_call_mpi) {
  if (fault_) return;
  Plan &plan = *RequestTable::find(plan_)->plan;
  fault_ = fault_of([&] {
    if (may_call_mpi) {
      plan.look();
    } else {
      plan.look_beside_mpi();
    }
  });
}

// As if the call that tells it had met it.
void Planned::throw_stored_fault() {
  if (!fault_) return;
  RONDO_Request_object &request = *RequestTable::find(plan_);
  request.state = RONDO_Request_object::State::inactive;
  request.failed = true;
  throw std::exchange(fault_, std::nullopt).value();
}

void Planned::wait() {
  throw_stored_fault();
  check(RONDO_Wait(&plan_, MPI_STATUS_IGNORE));
}

}  // namespace rondo::internal::pmpi
