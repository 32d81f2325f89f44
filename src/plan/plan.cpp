#include "plan/plan.hpp"

#include <fmt/format.h>

#include <utility>

#include "wire/attach.hpp"
#include "wire/library_progress.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

// The flag that was waited for has brought the sender's bases.
void follow_bases(Pull &pull) {
  const std::intptr_t send = pull.bases->send.load(std::memory_order_relaxed);
  const std::intptr_t receive = pull.bases->receive.load(std::memory_order_relaxed);
  if (send == pull.send_base && receive == pull.receive_base) return;
  for (std::size_t i = 0; i < pull.from.size(); ++i) {
    const std::intptr_t moved = pull.in_receive[i] ? receive - pull.receive_base : send - pull.send_base;
    pull.from[i].iov_base = static_cast<char *>(pull.from[i].iov_base) + moved;
  }
  pull.send_base = send;
  pull.receive_base = receive;
}

}  // namespace

Plan::Plan(PlanParts parts)
    : Driven(parts.needed_after_start(), parts.beside),
      parts_(std::move(parts)),
      bound_(&parts_.schedules.front()),
      step_(bound_->steps.size()) {}

Plan::~Plan() = default;

void Plan::agree_on_rebind(const std::optional<Error> &refusal) const {
  if (parts_.native) return agree(parts_.channel.comm(), {}, refusal, await_driving);
  if (refusal) throw Error(*refusal);
}

void Plan::rebind(std::byte *send, std::byte *receive) {
  const Hold hold(*this);
  if (parts_.native) {
    parts_.native->rebind(send, receive, parts_.schedules.front().requests.data());
    return parts_.point_at(send, receive);
  }
  std::byte *const old_send = parts_.buffers.send;
  std::byte *const old_receive = parts_.buffers.receive;
  parts_.point_at(send, receive);
  try {
    parts_.schedules = parts_.bind_all();
  } catch (...) {
    parts_.point_at(old_send, old_receive);
    throw;
  }
  bound_ = &parts_.schedules.front();
  step_ = bound_->steps.size();
}

void Plan::start() {
  const Hold hold(*this);
  if (parts_.send_image) parts_.send_image->pack();
  ++starts_;
  bound_ = &parts_.schedules[starts_ % parts_.schedules.size()];
  step_ = 0;
  last_look_ = {};
  begin_running();
  or_end_running([this] {
    if (parts_.shared) parts_.shared->begun().store(starts_, std::memory_order_release);
    if (bound_->requests_need_no_copies) start_requests();
    at_gate_ = !gates_open();
    if (!at_gate_) begin_step();
  });
  fetch_for_next();
  leave_to_thread();
}

// The next start's stores to others then find these lines here: who waits has time for that now. Lines of flags alone
// are left to those who look at them.
void Plan::fetch_for_next() const {
  const BoundSchedule &next = parts_.schedules[(starts_ + 1) % parts_.schedules.size()];
  for (const Flag *flag : next.fetched_before) fetch_for_writing(flag);
}

// Whether everybody to whom this rank writes, but from whom it hears nothing, has left the half of the last but one
// start. They may be late; a start does not wait for them.
bool Plan::gates_open() const {
  if (starts_ <= 2) return true;
  for (const Flag *begun : parts_.gates) {
    if (!up(begun, starts_ - 1)) return false;
  }
  return true;
}

void Plan::begin_step() {
  const BoundStep &step = bound_->steps[step_];
  flags_up_ = pulls_done_ = acknowledged_ = 0;
  copy_and_signal(step);
  if (step_ > 0 || !bound_->requests_need_no_copies) start_requests();
  if (step_ > 0 || !parts_.beside) {
    copy_meanwhile();
  } else {
    meanwhile_due_ = true;
  }
}

void Plan::start_requests() {
  const Range requests = bound_->steps[step_].requests;
  requests_complete_ = requests.count == 0;
  if (parts_.native) {
    parts_.native->start(bound_->requests.data());
  } else if (requests.count > 0) {
    check_mpi(MPI_Startall(static_cast<int>(requests.count), &bound_->requests[requests.first]), "MPI_Startall");
  }
}

void Plan::copy_meanwhile() {
  meanwhile_due_ = false;
  run(BoundSchedule::part(bound_->copies, bound_->steps[step_].meanwhile));
  if (step_ == 0) copy_typed();
}

void Plan::copy_typed() const {
  const Channel &channel = parts_.channel;
  for (const TypedCopy &copy : bound_->typed_copies) {
    check_mpi(
        MPI_Sendrecv(copy.from.buffer, copy.from.count, copy.from.type, channel.rank(), channel.tag, copy.to.buffer,
                     copy.to.count, copy.to.type, channel.rank(), channel.tag, channel.comm(), MPI_STATUS_IGNORE),
        "MPI_Sendrecv");
  }
}

void Plan::give(const Signal &signal) const {
  signal.flag->store(starts_, std::memory_order_release);
  signal.bell->ring();
}

// A message is told of as soon as it is there: its receiver can go on while the others are copied.
void Plan::copy_and_signal(const BoundStep &step) const {
  const auto before = BoundSchedule::part(bound_->copies, step.before);
  std::size_t done = 0;
  for (const Signal &signal : BoundSchedule::part(bound_->signals, step.signals)) {
    run(before.subspan(done, signal.copies - done));
    done = signal.copies;
    give(signal);
  }
  run(before.subspan(done));
  if (step.gathering < 0) return;
  const Gathering &gathering = bound_->gatherings[static_cast<std::size_t>(step.gathering)];
  if (gathering.arrived->fetch_add(1, std::memory_order_acq_rel) + 1 == gathered(gathering)) gathering.bell->ring();
}

// What the sum of a gathering comes to when all ranks have arrived: each half is used by every other start.
std::uint64_t Plan::gathered(const Gathering &gathering) const {
  return gathering.ranks * ((starts_ + 1) / 2);
}

void Plan::end_step() {
  run(BoundSchedule::part(bound_->copies, bound_->steps[step_].after));
  ++step_;
  if (!complete()) return begin_step();
  if (parts_.receive_image) parts_.receive_image->unpack();
  end_running();
}

bool Plan::advance(bool may_call_mpi) {
  if (at_gate_) {
    if (!gates_open() || (!may_call_mpi && beginning_calls_mpi(step_))) return false;
    at_gate_ = false;
    begin_step();
  }
  if (meanwhile_due_) {
    if (!may_call_mpi && !bound_->typed_copies.empty()) return false;
    copy_meanwhile();
  }
  while (!complete()) {
    if (!step_arrived(may_call_mpi) || (!may_call_mpi && end_calls_mpi())) return false;
    end_step();
  }
  return true;
}

bool Plan::beginning_calls_mpi(std::size_t step) const {
  const bool starts_requests = bound_->steps[step].requests.count > 0 && (step > 0 || !bound_->requests_need_no_copies);
  return parts_.native || starts_requests || (step == 0 && !bound_->typed_copies.empty());
}

bool Plan::end_calls_mpi() const {
  if (step_ + 1 < bound_->steps.size()) return beginning_calls_mpi(step_ + 1);
  return parts_.receive_image && parts_.receive_image->calls_mpi();
}

// Both kinds are looked at each time, so that neither waits for the other.
bool Plan::step_arrived(bool may_call_mpi) {
  const BoundStep &step = bound_->steps[step_];
  const bool shared = shared_arrived(step);
  return (may_call_mpi ? requests_arrived(step) : requests_complete_) && shared;
}

bool Plan::shared_arrived(const BoundStep &step) {
  if (step.gathering >= 0) {
    const Gathering &gathering = bound_->gatherings[static_cast<std::size_t>(step.gathering)];
    if (!up(gathering.arrived, gathered(gathering))) return false;
  }
  for (; flags_up_ < step.flags.count; ++flags_up_) {
    if (!up(bound_->flags[step.flags.first + flags_up_], starts_)) return false;
  }
  for (; pulls_done_ < step.pulls.count; ++pulls_done_) {
    Pull &next = bound_->pulls[step.pulls.first + pulls_done_];
    if (!up(next.ready, starts_)) return false;
    pull(next);
  }
  for (; acknowledged_ < step.acknowledgements.count; ++acknowledged_) {
    if (!up(bound_->acknowledgements[step.acknowledgements.first + acknowledged_], starts_)) return false;
  }
  return true;
}

// The sender is told in any case: its memory is not needed any more, and it has nobody else to wait for.
void Plan::pull(Pull &pull) const {
  try {
    take(pull);
  } catch (...) {
    if (pull.taken.flag != nullptr) give(pull.taken);
    throw;
  }
  if (pull.taken.flag != nullptr) give(pull.taken);
}

// The sender has given up the exchange: what has been read is nothing. Asked after the read, which some processors
// would otherwise do later.
bool Plan::withdrawn(const Pull &pull) {
  if (pull.bases == nullptr) return false;
  std::atomic_thread_fence(std::memory_order_acquire);
  return pull.bases->withdrawn.load(std::memory_order_relaxed) != 0;
}

void Plan::take(Pull &pull) const {
  run(pull.mapped);
  if (!pull.to.empty()) {
    follow_bases(pull);
    try {
      read_process(pull.process, pull.to, pull.from);
    } catch (const Error &) {
      if (!withdrawn(pull)) throw;  // or its memory may be gone
    }
  }
  if (!withdrawn(pull)) return;
  throw Error(Fault::stalled,
              fmt::format("{}: rank {} has given up an exchange and freed its plan", parts_.name, pull.peer))
      .with_peer(pull.peer);
}

bool Plan::requests_arrived(const BoundStep &step) {
  if (requests_complete_) return true;
  int arrived = 0;
  if (parts_.native) {  // MPICH 4.0 fails in MPI_Testall of a persistent collective
    check_mpi(MPI_Test(bound_->requests.data(), &arrived, MPI_STATUS_IGNORE), "MPI_Test");
    requests_complete_ = arrived != 0;
    return requests_complete_;
  }
  check_mpi(MPI_Testall(static_cast<int>(step.requests.count), &bound_->requests[step.requests.first], &arrived,
                        MPI_STATUSES_IGNORE),
            "MPI_Testall");
  requests_complete_ = arrived != 0;
  return requests_complete_;
}

// Another thread that is at this plan does what this one would do.
bool Plan::look() {
  const Hold hold(*this, std::try_to_lock);
  if (!hold) return false;
  throw_stored_fault();
  return or_end_running([this] { return advance(); });
}

bool Plan::test() {
  const bool complete = look();
  if (others_run()) drive_others();
  if (complete) return true;
  if ((++vain_tests_ & 15) == 0) let_mpi_progress();
  return false;
}

void Plan::wait() {
  const bool only_mpi = !parts_.shared && parts_.stall_timeout.count() == 0 && !parts_.threads_start_plans;
  for (Waiting waiting(parts_.patience);;) {
    bool complete = false;
    {
      const Hold hold(*this);
      throw_stored_fault();
      take_from_thread();
      if (only_mpi && !others_run()) return or_end_running([this] { wait_in_mpi(); });
      complete = or_end_running([this] { return advance(); });
    }
    // Once at least: a program may never wait for anything that is not complete.
    if (others_run()) drive_others();
    if (complete) return;
    pause(waiting);
  }
}

// Where all that can come comes through MPI, its own wait is best.
void Plan::wait_in_mpi() {
  if (meanwhile_due_) copy_meanwhile();
  while (!complete()) {
    const Range requests = bound_->steps[step_].requests;
    check_mpi(
        MPI_Waitall(static_cast<int>(requests.count), bound_->requests.data() + requests.first, MPI_STATUSES_IGNORE),
        "MPI_Waitall");
    end_step();
  }
}

// The program's own messages need a rank that calls MPI, or a peer that waits for one may never get here.
void Plan::let_mpi_progress() const {
  if (parts_.channel.duplicate) let_library_move();
}

void Plan::look_around(Waiting &waiting) {
  if (waiting.spinning() || !waiting.moment()) return;
  let_mpi_progress();
  if (parts_.stall_timeout.count() > 0 && waiting.elapsed() > parts_.stall_timeout) look_for_stall(waiting);
}

void Plan::pause(Waiting &waiting) {
  look_around(waiting);
  if (!waiting.pause()) sleep();
}

// A millisecond at most, so that the program's own messages keep moving; less while the network has to be watched.
void Plan::sleep() {
  using std::chrono::microseconds;
  const auto ready = [&] {
    const Hold hold(*this);
    throw_stored_fault();
    return or_end_running([this] { return advance(); });
  };
  Bell alone;  // nobody rings for a gate, for other plans, or for the network
  Bell *bell = &alone;
  microseconds most{50};
  {
    const Hold hold(*this);  // another thread may be driving this plan
    if (complete()) return;
    if (parts_.shared && !others_run() && !at_gate_) {
      const int gathering = bound_->steps[step_].gathering;
      bell = gathering >= 0 ? bound_->gatherings[static_cast<std::size_t>(gathering)].bell : &parts_.shared->bell();
      if (requests_complete_) most = microseconds(1000);
    }
  }
  if (bell == &alone) {
    alone.sleep(most, [] { return false; });
  } else {
    bell->sleep(most, ready);
  }
}

}  // namespace rondo::internal
