#include "plan/plan.hpp"

#include <utility>

#include "wire/library_progress.hpp"

namespace rondo::internal {

Plan::Plan(PlanParts parts)
    : AnyPlan(parts.needed_after_start(), parts.policy),
      parts_(std::move(parts)),
      bank_(parts_.schedules.size() - 1),
      bound_(&parts_.schedules.front()),
      start_{.plan = &parts_.name},
      step_(bound_->steps.size()) {}

Plan::~Plan() = default;

void Plan::agree_on_rebind(const std::optional<Error> &refusal) const {
  if (parts_.native) return parts_.channel.duplicate->agreement().agree({}, refusal, drive_what_runs);
  if (refusal) throw Error(*refusal);
}

void Plan::rebind(std::byte *send, std::byte *receive) {
  const Hold hold(*this);
  if (parts_.native) {
    parts_.native->rebind(send, receive);
    parts_.point_at(send, receive);
    return;
  }
  std::byte *const old_send = parts_.buffers.send;
  std::byte *const old_receive = parts_.buffers.receive;
  const Moved moved = parts_.point_at(send, receive);
  if (parts_.schedules.front().can_move()) {
    for (BoundSchedule &bound : parts_.schedules) bound.move(moved);
    return;
  }
  try {
    parts_.schedules = parts_.bind_all();
  } catch (...) {
    parts_.point_at(old_send, old_receive);
    throw;
  }
  bound_ = &parts_.schedules[bank_];
  step_ = bound_->steps.size();
}

// This and advance() are each compiled in one piece: the calls within them would take as long as what they call does.
[[gnu::flatten]] void Plan::start() {
  const Hold hold(*this);
  if (parts_.send.image) parts_.send.image->pack();
  // Counted on, as many processors divide slowly.
  bank_ = bank_after(bank_);
  if (bank_ == 0 && start_.number > 0) ++start_.round;
  ++start_.number;
  bound_ = &parts_.schedules[bank_];
  step_ = 0;
  forget_last_look();
  begin_running();
  or_end_running([this] {
    wires().each([this](auto &wire) { wire.open(start_); });
    begin_step_if_it_may();
  });
  fetch_for_next();
  leave_to_thread();
}

void Plan::fetch_for_next() const {
  const BoundSchedule &next = parts_.schedules[bank_after(bank_)];
  next.wires.each([](const auto &wire) { wire.fetch_for_next(); });
}

bool Plan::may_begin() const {
  return wires().all([this](const auto &wire) { return wire.may_begin(step_, start_); });
}

void Plan::begin_step_if_it_may() {
  held_up_ = !may_begin();
  if (!held_up_) begin_step();
}

void Plan::begin_step() {
  run(part(bound_->copies, bound_->steps[step_].before));
  wires().each([this](auto &wire) { wire.begin(step_, start_); });
  if (step_ > 0) return;
  if (policy().beside) {
    meanwhile_due_ = true;
  } else {
    copy_meanwhile();
  }
}

void Plan::copy_meanwhile() {
  meanwhile_due_ = false;
  run(part(bound_->copies, bound_->meanwhile));
  if (!bound_->typed_meanwhile.empty()) bound_->typed_meanwhile.run(parts_.channel);
}

bool Plan::step_arrived(bool may_call_mpi) {
  return wires().all([&](auto &wire) { return wire.arrived(step_, start_, may_call_mpi); });
}

void Plan::end_step() {
  wires().each([this](auto &wire) { wire.finish(step_); });
  run(part(bound_->copies, bound_->steps[step_].after));
  ++step_;
  if (!complete()) return begin_step_if_it_may();
  if (parts_.receive.image) parts_.receive.image->unpack();
  end_running();
}

[[gnu::flatten]] bool Plan::advance(bool may_call_mpi) {
  for (;;) {
    if (held_up_) {
      if (!may_begin() || (!may_call_mpi && beginning_calls_mpi(step_))) return false;
      held_up_ = false;
      begin_step();
    }
    if (meanwhile_due_) {
      if (!may_call_mpi && !bound_->typed_meanwhile.empty()) return false;
      copy_meanwhile();
    }
    if (complete()) return true;
    if (!step_arrived(may_call_mpi) || (!may_call_mpi && end_calls_mpi())) return false;
    end_step();
  }
}

bool Plan::beginning_calls_mpi(std::size_t step) const {
  return wires().any([&](const auto &wire) { return wire.begin_calls_mpi(step); }) ||
         (step == 0 && !bound_->typed_meanwhile.empty());
}

bool Plan::end_calls_mpi() const {
  if (step_ + 1 < bound_->steps.size()) return beginning_calls_mpi(step_ + 1);
  return parts_.receive.image && parts_.receive.image->calls_mpi();
}

// Whether this rank may wait inside MPI: all messages of the plan travel through MPI, no other thread can start a plan
// that this rank would have to drive, and no stall has to be looked for.
bool Plan::waits_in_mpi_alone() const {
  return !parts_.threads_start_plans && policy().stall_timeout.count() == 0 &&
         wires().all([](const auto &wire) { return wire.waits_in_mpi(); });
}

void Plan::wait_in_mpi() {
  if (meanwhile_due_) copy_meanwhile();
  while (!complete()) {
    wires().each([this](auto &wire) { wire.wait_in_mpi(step_); });
    end_step();
  }
}

// A rank that waits for shared memory calls MPI now and then, so that the program's own messages move, too: a peer may
// be waiting for one of those before it comes to this exchange.
void Plan::let_mpi_progress() const {
  if (parts_.channel.duplicate) let_library_move();
}

AnyPlan::SleepingPlace Plan::sleeping_place() const {
  // Nobody rings for a step that is held up.
  if (held_up_) return {};
  SleepingPlace place{.must_look = false};
  wires().each([&](auto &wire) {
    if (Bell *const its = wire.bell(step_)) place.bell = its;
    place.must_look = place.must_look || wire.must_look();
  });
  return place;
}

AnyPlan::Progress Plan::progress() const {
  Progress now{.step = step_};
  wires().each([&](const auto &wire) { now.arrivals += wire.arrivals(step_); });
  return now;
}

std::set<int> Plan::missing_peers() const {
  std::set<int> missing;
  wires().each([&](const auto &wire) {
    if (held_up_) return wire.name_holding_up(step_, start_, missing);
    wire.name_missing(step_, start_, missing);
  });
  return missing;
}

}  // namespace rondo::internal
