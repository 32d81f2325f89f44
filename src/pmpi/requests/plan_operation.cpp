#include "pmpi/requests/plan_operation.hpp"

#include <chrono>
#include <utility>

#include "api/completion.hpp"
#include "api/request_table.hpp"
#include "pmpi/requests/raise.hpp"

namespace rondo::internal::pmpi {

namespace {

void check(int code) {
  if (code != MPI_SUCCESS) throw error_of(code);
}

// Calls work(), and adds its time to what the tally has of Rondo's calls.
template <class Work>
void timed(Tally *tally, Work &&work) {
  if (tally == nullptr) return work();
  const auto begin = std::chrono::steady_clock::now();
  work();
  const auto end = std::chrono::steady_clock::now();
  tally->done.front().seconds += std::chrono::duration<double>(end - begin).count();
}

}  // namespace

PlanOperation::PlanOperation(RONDO_Request plan, std::shared_ptr<Tally> tally) : plan_(plan), tally_(std::move(tally)) {
  RONDO_Report report{};
  if (tally_ && RONDO_Request_report(plan_, &report, sizeof(report)) == MPI_SUCCESS) bytes_ = report.bytes;
}

PlanOperation::~PlanOperation() {
  RONDO_Request_free(&plan_);
}

void PlanOperation::start() {
  timed(tally_.get(), [this] { check(RONDO_Start(&plan_)); });
  if (!tally_) return;
  ++tally_->done.front().calls;
  tally_->bytes += bytes_;
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
  timed(tally_.get(), [this] { check(RONDO_Wait(&plan_, MPI_STATUS_IGNORE)); });
}

}  // namespace rondo::internal::pmpi
