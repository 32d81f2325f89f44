#include "cli/per_call.hpp"

#include <algorithm>
#include <optional>

#include "api/report.hpp"
#include "cli/exchanges.hpp"
#include "cli/mpi_session.hpp"
#include "schedule/lower.hpp"
#include "wire/bind.hpp"

namespace rondo::internal::cli {

PerCall::PerCall(const Problem &problem, const Selection &selection, const Exchange &exchange, const Spaces &spaces,
                 MPI_Comm comm, const Messages &messages)
    : selection_(selection),
      situation_(case_of(problem)),
      exchange_(exchange),
      spaces_(spaces),
      messages_(messages),
      channel_(open_channel(comm, drive_what_runs)),
      route_(selection.algorithm->route(exchange.rank, situation_.topology, selection.parameters)),
      forwarding_(forwarding_table_of(route_)) {
  channel_.open_messages();
  make_schedule();
  scratch_ = Storage(schedule_.scratch_bytes);
  staging_ = Storage(schedule_.staging_bytes);
  report_ = report_of(Choice{selection_.algorithm, selection_.parameters, {}}, schedule_);
}

Sizes PerCall::sizes() {
  if (one_hop(selection_.algorithm->layout)) return known_sizes(route_, exchange_);
  return SizeLearner(route_, forwarding_, exchange_).run(channel_);
}

void PerCall::make_schedule() {
  schedule_ = lower(selection_.algorithm->layout,
                    {route_, forwarding_, sizes(), exchange_, situation_.largest_block, {}, messages_.wire});
}

Plan PerCall::plan_of(const Schedule &schedule) {
  PlanParts parts{.channel = channel_};
  parts.schedules.push_back(bind(schedule,
                                 {.send = spaces_.send,
                                  .receive = spaces_.receive,
                                  .scratch = scratch_.data(),
                                  .staging = staging_.data(),
                                  .entries = {messages_.form, situation_.largest_block}},
                                 channel_));
  return Plan(std::move(parts));
}

void PerCall::run() {
  if (!situation_.uniform()) make_schedule();
  Plan plan = plan_of(schedule_);
  plan.start();
  plan.wait();
}

namespace {

// Whether blocks rest in places as long as the largest of all.
bool needs_largest(Layout layout) {
  return pads(layout) || layout == Layout::slots || layout == Layout::alternating_slots;
}

Schedule copies_alone(const Schedule &schedule, const std::vector<Copy> &copies) {
  Schedule alone;
  alone.rank = schedule.rank;
  alone.ranks = schedule.ranks;
  alone.prologue = copies;
  return alone;
}

Schedule without_copies(Schedule schedule) {
  schedule.prologue.clear();
  schedule.epilogue.clear();
  return schedule;
}

}  // namespace

PerCall::PhaseTimes PerCall::run_by_phases() {
  PhaseTimes times{};
  double since = MPI_Wtime();
  const auto ends = [&](Phase phase) {
    const double now = MPI_Wtime();
    times[static_cast<std::size_t>(phase)] += now - since;
    since = now;
  };
  const Layout layout = selection_.algorithm->layout;
  std::optional<Sizes> learned;  // where blocks differ
  if (!situation_.uniform()) {
    if (needs_largest(layout)) {
      std::int64_t largest = 0;
      for (const Extent &block : exchange_.send) largest = std::max(largest, block.length);
      MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_INT64_T, MPI_MAX, channel_.comm());
    }
    learned = sizes();
  }
  ends(Phase::sizes);
  {
    if (learned) {
      schedule_ =
          lower(layout, {route_, forwarding_, *learned, exchange_, situation_.largest_block, {}, messages_.wire});
    }
    Plan first = plan_of(copies_alone(schedule_, schedule_.prologue));
    Plan data = plan_of(without_copies(schedule_));
    Plan last = plan_of(copies_alone(schedule_, schedule_.epilogue));
    ends(Phase::preparation);
    const auto run = [&](Plan &plan, Phase phase) {
      plan.start();
      plan.wait();
      ends(phase);
    };
    run(first, Phase::first_copies);
    run(data, Phase::data);
    run(last, Phase::last_copies);
  }
  ends(Phase::preparation);
  return times;
}

std::unique_ptr<PerCall> make_per_call(const Problem &problem, const Operation &operation, const Spaces &spaces,
                                       const PerCall::Messages &messages, std::string &refused) {
  const Case situation = case_of(problem);
  const Selection selection = select(problem, situation);
  refused = selection.obstacle;
  if (refused.empty() && selection.algorithm->route == nullptr) refused = "it has no messages of its own";
  if (refused.empty() && messages.form == Entries::Form::blocks && !situation.uniform())
    refused = "blocks differ in size";
  if (!refused.empty()) return nullptr;
  const Exchange exchange = exchange_of(problem, BlockSizes(problem), rank_in(operation.comm()));
  return std::make_unique<PerCall>(problem, selection, exchange, spaces, operation.comm(), messages);
}

}  // namespace rondo::internal::cli
