#include "api/init.hpp"

#include <optional>
#include <utility>

#include "api/agreed.hpp"
#include "api/chosen.hpp"
#include "api/earlier.hpp"
#include "api/errhandler.hpp"
#include "api/inputs.hpp"
#include "api/one_mpi.hpp"
#include "api/open_plan.hpp"
#include "api/phases.hpp"
#include "api/prices.hpp"
#include "api/report.hpp"
#include "api/reserve.hpp"
#include "api/tune.hpp"
#include "schedule/forwarding_table.hpp"
#include "schedule/lower.hpp"
#include "wire/learn.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

// Which blocks this rank sends and receives in which step, and where it has those from that it passes on.
struct Routed {
  Route route;
  ForwardingTable forwarding;
};

Routed route_for(const Choice &choice, int rank, const Topology &topology) {
  Route route = choice.route(rank, topology);
  ForwardingTable forwarding = forwarding_table_of(route);
  return {std::move(route), std::move(forwarding)};
}

Exchange exchange_for(const Inputs &inputs, const Choice &choice) {
  Exchange exchange = inputs.exchange;
  exchange.cut = choice.cut;
  return exchange;
}

// Whether blocks pass through ranks that do not know their sizes.
bool must_learn(const Inputs &inputs, const Chosen &chosen) {
  return !one_hop(chosen.layout()) && !inputs.arguments.kind->all_sizes_known();
}

// The sizes of all blocks that pass through this rank. Collective where they must be learned.
Sizes sizes_for(const Phases &phases, const Channel &channel, const Routed &routed, const Exchange &exchange,
                bool must) {
  if (!must) return phases.alone([&] { return known_sizes(routed.route, exchange); });
  SizeLearner learner = phases.alone([&] { return SizeLearner(routed.route, routed.forwarding, exchange); });
  phases.agree();
  channel.open_messages();
  return phases.alone([&] { return learner.run(channel); });
}

Schedule lower_for(const Agreed &agreed, const Chosen &chosen, const Routed &routed, const Sizes &sizes,
                   const Exchange &exchange) {
  const Features &features = agreed.features;
  const Halving halving = chosen.halves_messages ? Halving{agreed.topology().node_of, longest_at_once} : Halving{};
  const TypedReceives typed{chosen.types_receives ? longest_at_once : 0};
  return lower(chosen.layout(), {routed.route, routed.forwarding, sizes, exchange, features.situation.largest_block,
                                 chosen.shares, chosen.wire, halving, typed});
}

// From what all know to the choice and the schedule.
WorkedOut work_out(const Phases &phases, const Channel &channel, const Inputs &inputs, const Agreed &agreed) {
  Chosen chosen = phases.alike([&] { return choose_for(channel, inputs, agreed); });
  if (chosen.native()) return {std::move(chosen)};
  const Exchange exchange = phases.alone([&] { return exchange_for(inputs, chosen.choice); });
  const Routed routed = phases.alone([&] { return route_for(chosen.choice, channel.rank(), agreed.topology()); });
  const Sizes sizes = sizes_for(phases, channel, routed, exchange, must_learn(inputs, chosen));
  auto schedule = phases.alone(
      [&] { return std::make_shared<const Schedule>(lower_for(agreed, chosen, routed, sizes, exchange)); });
  return {std::move(chosen), std::move(schedule)};
}

WorkedOut earlier_one(const Phases &phases, const Channel &channel, std::int64_t number) {
  return phases.alone([&] { return EarlierPlans::of(channel).take(number); });
}

// Whether the ranks of a node can take memory for a plan without a word of each other: how much each needs is known
// from an earlier one, and there is a region of theirs for it. Alike on all of them.
bool areas_known(const WorkedOut &worked_out, const BoardAccess &node) {
  return worked_out.tables && node.has(sum_of_areas(worked_out.tables->areas()));
}

// The parts of a plan that the ranks can bind: together those that must meet for it, the others each for itself.
PlanParts reserve_for(const Phases &phases, const Channel &channel, BoardAccess &node, const Inputs &inputs,
                      const Agreed &agreed, const WorkedOut &worked_out) {
  PlanParts parts = phases.alone([&] {
    if (worked_out.chosen.native()) return reserve_native(channel, inputs);
    return reserve(channel, node, inputs, agreed, worked_out);
  });
  if (worked_out.chosen.native()) {
    phases.agree();
    channel.open_messages();
  }
  if (parts.shared && !areas_known(worked_out, node)) {
    parts.shared->learn_areas(node);
    // Before a region is taken: if this init fails, the next one finds what it has left.
    node.give_back(sum_of_areas(parts.shared->areas()));
  }
  return parts;
}

// The ranks of a node that share memory for the plan open it, and meet: each may then read what others have written
// there. Where all know that from an earlier plan, the agreement at the end of the init is all that they need.
void meet_node(const Phases &phases, BoardAccess &node, const Inputs &inputs, PlanParts &parts) {
  if (!parts.shared) return;
  phases.alone([&] { open_memory(node, inputs.plan_buffers, parts); });
  if (!parts.shared->tables()) node.barrier();
}

// What all ranks know of all, with the prices of the machine where the choice needs them.
Agreed agree(const Channel &channel, std::optional<Error> fault, const Inputs &inputs) {
  Agreed agreed = agree_on(channel, std::move(fault), inputs);
  if (agreed.needs_messages) channel.open_messages();
  if (agreed.earlier == 0) learn_prices(channel, inputs.hints, inputs.prices_decide, agreed.features);
  return agreed;
}

// What the choice by estimate was made from. A line that cannot be written is no reason to fail.
void explain(const Channel &channel, const Inputs &inputs, const Agreed &agreed) {
  if (agreed.on_device || agreed.earlier > 0) return;
  fault_of([&] {
    const Outlines &outlines = EarlierPlans::of(channel).outlines_for(inputs);
    log_estimates(candidates(agreed.features, inputs.hints.wish, outlines));
  });
}

constinit thread_local bool sends_at_start_only = false;

}  // namespace

SendsAtStartOnly::SendsAtStartOnly(bool asked) : before_(std::exchange(sends_at_start_only, asked)) {}

SendsAtStartOnly::~SendsAtStartOnly() {
  sends_at_start_only = before_;
}

bool SendsAtStartOnly::asked() {
  return sends_at_start_only;
}

void check_communicator(MPI_Comm comm, bool takes_two_groups) {
  check_one_mpi();
  if (comm == MPI_COMM_NULL) throw Error(Fault::comm, "the communicator is MPI_COMM_NULL");
  check_mpi_is_up_for(comm);
  const ErrorsReturned returned;
  int inter = 0;
  if (MPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS) {
    throw Error(Fault::comm, "the communicator is no valid communicator (has it been freed?)");
  }
  if (inter != 0 && !takes_two_groups) {
    throw Error(Fault::comm, "the communicator is an intercommunicator; an intracommunicator is needed");
  }
}

OwnedRequest init(const Call &call, MPI_Comm comm, MPI_Info info) {
  check_communicator(comm, call.takes_two_groups);
  const double begin = MPI_Wtime();
  const Channel channel = open_channel(comm, drive_what_runs);
  const auto read_call = [&] { return read(call, info, channel); };
  OwnedRequest request = plan_on(channel, std::cref(read_call));
  request->report.init_seconds = MPI_Wtime() - begin;
  // A line that cannot be written is no reason to fail on one rank.
  if (request->logs_report) fault_of([&] { log_report(request->plan->name(), request->report); });
  return request;
}

// The path of every plan: see docs/design.md, which walks one along it.
OwnedRequest plan_on(const Channel &channel, const std::function<Inputs()> &read) {
  const Phases phases(channel.duplicate->agreement());

  Inputs inputs;
  auto fault = fault_of([&] { inputs = read(); });
  Agreed agreed = agree(channel, std::move(fault), inputs);
  if (agreed.earlier == 0 && learn_fastest(phases, channel, inputs, agreed)) {
    agreed = agree(channel, std::nullopt, inputs);  // trials may have left other regions
  }
  if (agreed.attaches) inputs = phases.alone([&] { return readable_by_others(std::move(inputs)); });
  const WorkedOut worked_out =
      agreed.earlier > 0 ? earlier_one(phases, channel, agreed.earlier) : work_out(phases, channel, inputs, agreed);
  if (inputs.hints.explains && channel.rank() == 0) explain(channel, inputs, agreed);
  OwnedRequest request = phases.alone([] { return OwnedRequest::make(); });
  auto kept = phases.alone([&] { return EarlierPlans::entry_of(inputs, agreed, worked_out); });
  BoardAccess node(channel, agreed.free_regions, inputs.hints.shared_limit);
  PlanParts parts = reserve_for(phases, channel, node, inputs, agreed, worked_out);
  meet_node(phases, node, inputs, parts);
  OpenedPlan opened =
      phases.alone([&] { return open_plan(channel, inputs, agreed, worked_out.chosen, std::move(parts)); });
  phases.agree();

  if (opened.tables) node.give_back(sum_of_areas(opened.tables->areas()));
  EarlierPlans::of(channel).keep(std::move(kept), std::move(opened.tables));
  if (inputs.hints.errors_to_handler && !HandlerLeftToCaller::lives()) request->errors_to = channel.user;
  request->fixed = opened.plan.get();
  request->plan = std::move(opened.plan);
  request->report = opened.report;
  request->others_read_send = opened.others_read_send;
  request->others_read_receive = opened.others_read_receive;
  request->send = std::move(inputs.arguments.send);
  request->receive = std::move(inputs.arguments.receive);
  request->in_place = inputs.arguments.in_place;
  request->rank = channel.rank();
  request->report.reused = worked_out.reused ? 1 : 0;
  request->logs_report = inputs.hints.report && channel.rank() == 0;
  return request;
}

}  // namespace rondo::internal
