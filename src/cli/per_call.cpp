#include "cli/per_call.hpp"

#include <algorithm>
#include <optional>

#include "api/hints.hpp"
#include "api/inputs.hpp"
#include "api/report.hpp"
#include "cli/exchanges.hpp"
#include "cli/mpi_session.hpp"
#include "plan/plan.hpp"
#include "schedule/lower.hpp"
#include "wire/bind.hpp"

namespace rondo::internal::cli {

PerCall::PerCall(const Case &situation, const Selection &selection, const Exchange &exchange, const Spaces &spaces,
                 Channel channel, const Messages &messages)
    : selection_(selection),
      situation_(situation),
      exchange_(exchange),
      spaces_(spaces),
      messages_(messages),
      channel_(std::move(channel)),
      route_(selection.algorithm->route(exchange.rank, situation_.topology, selection.parameters)),
      forwarding_(forwarding_table_of(route_)) {
  channel_.open_messages();
  make_schedule(sizes());
  scratch_ = Storage(schedule_.scratch_bytes);
  staging_ = Storage(schedule_.staging_bytes);
  report_ = report_of(Choice{selection_.algorithm, selection_.parameters, {}}, schedule_);
}

Sizes PerCall::sizes() {
  if (one_hop(selection_.algorithm->layout)) return known_sizes(route_, exchange_);
  return SizeLearner(route_, forwarding_, exchange_).run(channel_);
}

void PerCall::make_schedule(const Sizes &sizes) {
  schedule_ = lower(selection_.algorithm->layout,
                    {route_, forwarding_, sizes, exchange_, situation_.largest_block, {}, messages_.wire});
}

BoundSchedule PerCall::bound() {
  return bind(schedule_,
              {.send = spaces_.send,
               .receive = spaces_.receive,
               .scratch = scratch_.data(),
               .staging = staging_.data(),
               .entries = {messages_.form, situation_.largest_block}},
              channel_);
}

void PerCall::run() {
  if (!situation_.uniform()) make_schedule(sizes());
  PlanParts parts{.channel = channel_};
  parts.schedules.push_back(bound());
  Plan plan(std::move(parts));
  plan.start();
  plan.wait();
}

bool PerCall::goes_between_nodes(const Step &step) const {
  const std::vector<int> &node_of = situation_.topology.node_of;
  const auto is_far = [&](const Transfer &transfer) {
    return !node_of.empty() && node_of[transfer.peer] != node_of[exchange_.rank];
  };
  const auto sends = schedule_.sends_of(step);
  const auto receives = schedule_.receives_of(step);
  return std::any_of(sends.begin(), sends.end(), is_far) || std::any_of(receives.begin(), receives.end(), is_far);
}

namespace {

// Whether blocks rest in places as long as the largest of all.
bool needs_largest(Layout layout) {
  return pads(layout) || layout == Layout::slots || layout == Layout::alternating_slots;
}

}  // namespace

// The executor's way through a bound schedule (bound.hpp), with a look at the clock after each part.
PerCall::PhaseTimes PerCall::run_by_phases() {
  PhaseTimes times{};
  double since = MPI_Wtime();
  const auto ends = [&](Phase phase) {
    const double now = MPI_Wtime();
    times[static_cast<std::size_t>(phase)] += now - since;
    since = now;
  };
  std::optional<Sizes> learned;  // where blocks differ
  if (!situation_.uniform()) {
    if (needs_largest(selection_.algorithm->layout)) {
      std::int64_t largest = 0;
      for (const Extent &block : exchange_.send) largest = std::max(largest, block.length);
      MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_INT64_T, MPI_MAX, channel_.comm());
    }
    learned = sizes();
  }
  ends(Phase::sizes);
  if (learned) make_schedule(*learned);
  {
    BoundSchedule bound = this->bound();
    ends(Phase::preparation);
    std::vector<Phase> by_step;  // of the bound schedule, which has no idle ones
    for (const Step &step : schedule_.steps) {
      if (step.sends + step.receives == 0) continue;
      by_step.push_back(goes_between_nodes(step) ? Phase::between_nodes : Phase::inside_nodes);
    }
    by_step.resize(bound.steps.size(), Phase::inside_nodes);  // where there is none, there is one for the copies
    since = MPI_Wtime();
    const Start start{1};
    bound.wires.each([&](auto &wire) { wire.open(start); });
    ends(by_step.front());
    for (std::size_t i = 0; i < bound.steps.size(); ++i) {
      const bool last = i + 1 == bound.steps.size();
      const auto before = part(bound.copies, bound.steps[i].before);
      const auto after = part(bound.copies, bound.steps[i].after);
      const std::size_t first_copies = i == 0 ? schedule_.prologue.size() : 0;
      const std::size_t last_copies = last ? schedule_.epilogue.size() : 0;
      internal::run(before.first(first_copies));
      ends(Phase::first_copies);
      internal::run(before.subspan(first_copies));
      ends(Phase::packing);
      bound.wires.each([&](auto &wire) { wire.begin(i, start); });
      if (i == 0) internal::run(part(bound.copies, bound.meanwhile));
      bound.wires.each([&](auto &wire) { wire.wait_in_mpi(i); });
      bound.wires.each([&](auto &wire) { wire.finish(i); });
      ends(by_step[i]);
      internal::run(after.first(after.size() - last_copies));
      ends(Phase::packing);
      internal::run(after.last(last_copies));
      ends(Phase::last_copies);
    }
  }
  ends(Phase::preparation);
  return times;
}

std::unique_ptr<PerCall> make_per_call(const Problem &problem, const Operation &operation, const Spaces &spaces,
                                       const PerCall::Messages &messages, std::string &refused) {
  Channel channel = open_channel(operation.comm(), drive_what_runs);
  Case situation = case_of(problem);
  if (problem.node == 0) situation.topology = topology_of(channel, parse_hints(MPI_INFO_NULL));
  const Selection selection = select(problem, situation);
  refused = selection.obstacle;
  if (refused.empty() && selection.algorithm->route == nullptr) refused = "it has no messages of its own";
  if (refused.empty() && messages.form == Entries::Form::blocks && !situation.uniform())
    refused = "blocks differ in size";
  if (!refused.empty()) return nullptr;
  const Exchange exchange = exchange_of(problem, BlockSizes(problem), rank_in(operation.comm()));
  return std::make_unique<PerCall>(situation, selection, exchange, spaces, std::move(channel), messages);
}

}  // namespace rondo::internal::cli
