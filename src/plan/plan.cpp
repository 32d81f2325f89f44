#include "plan/plan.hpp"

#include "wire/mpi_call.hpp"

namespace rondo {

Plan::Plan(PlanParts parts)
    : Driven(parts.schedule.steps_with_messages > 1), parts_(std::move(parts)), step_(parts_.schedule.steps.size()) {}

Plan::~Plan() = default;

void Plan::start() {
  const Hold hold(*this);
  if (parts_.send_image) parts_.send_image->pack();
  step_ = 0;
  begin_running();
  begin_step();
}

void Plan::begin_step() {
  BoundSchedule &bound = parts_.schedule;
  const BoundStep &step = bound.steps[step_];
  run(bound.copies_of(step.before));
  if (parts_.native) {
    parts_.native->start(bound.requests.data());
  } else if (step.requests.count > 0) {
    check_mpi(MPI_Startall(static_cast<int>(step.requests.count), &bound.requests[step.requests.first]),
              "MPI_Startall");
  }
  run(bound.copies_of(step.meanwhile));
}

void Plan::end_step() {
  run(parts_.schedule.copies_of(parts_.schedule.steps[step_].after));
  ++step_;
  if (!complete()) return begin_step();
  if (parts_.receive_image) parts_.receive_image->unpack();
  end_running();
}

bool Plan::advance() {
  while (!complete()) {
    const Range requests = parts_.schedule.steps[step_].requests;
    int arrived = 1;
    check_mpi(MPI_Testall(static_cast<int>(requests.count), parts_.schedule.requests.data() + requests.first, &arrived,
                          MPI_STATUSES_IGNORE),
              "MPI_Testall");
    if (arrived == 0) return false;
    end_step();
  }
  return true;
}

bool Plan::test() {
  const Hold hold(*this);
  throw_stored_fault();
  if (advance()) return true;
  if (others_run()) drive_others();
  return false;
}

void Plan::wait() {
  while (true) {
    {
      const Hold hold(*this);
      throw_stored_fault();
      if (!others_run()) return wait_alone();
      if (advance()) return;
    }
    drive_others();
  }
}

void Plan::wait_alone() {
  while (!complete()) {
    const Range requests = parts_.schedule.steps[step_].requests;
    check_mpi(MPI_Waitall(static_cast<int>(requests.count), parts_.schedule.requests.data() + requests.first,
                          MPI_STATUSES_IGNORE),
              "MPI_Waitall");
    end_step();
  }
}

}  // namespace rondo
