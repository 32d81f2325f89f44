#include "api/init.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "api/hints.hpp"
#include "api/report.hpp"
#include "model/choose.hpp"
#include "route/nodes.hpp"
#include "schedule/custody.hpp"
#include "schedule/lower.hpp"
#include "wire/agreement.hpp"
#include "wire/bind.hpp"
#include "wire/learn.hpp"
#include "wire/mpi_call.hpp"
#include "wire/validate.hpp"

namespace rondo {

namespace {

// What ranks agree on, as maxima: see features_of.
using FeatureValues = std::array<std::int64_t, 10>;

// What this rank says of itself: the arguments as an exchange, with images where the buffers cannot be used.
struct Local {
  Arguments arguments;
  Hints hints;
  Exchange exchange;
  bool images_send = false;
  bool images_receive = false;
  bool shares_memory = false;  // with others of its node, if there are any
  std::int64_t turns = 1;      // ranks of the node on each usable core
  bool send_mapped = false;    // on all ranks the plan allocates the send space
  bool receive_mapped = false;
  FeatureValues features{};  // see features_of
};

void check_self(const Exchange &exchange) {
  const std::int64_t sent = exchange.send[static_cast<std::size_t>(exchange.rank)].length;
  const std::int64_t received = exchange.receive[static_cast<std::size_t>(exchange.rank)].length;
  if (sent == received) return;
  throw Error(Fault::mismatch, fmt::format("rank {} sends {} bytes to itself, but receives {} bytes from itself",
                                           exchange.rank, sent, received))
      .with_peer(exchange.rank)
      .with_values(sent, received);
}

// The buffers that the plan allocates in shared memory: those that the schedule itself reads or writes.
OwnBuffers own_buffers(const Local &local) {
  const Arguments &given = local.arguments;
  OwnBuffers own;
  if (given.in_place) return own;
  if (given.send.plan_allocates && !local.images_send) own.send = reach(given.send);
  if (given.receive.plan_allocates && !local.images_receive) own.receive = reach(given.receive);
  return own;
}

// This rank's features, in the order in which agree_features reads them back; the smallest block as its negative,
// so that one maximum serves for all, and the fingerprint both ways, to see whether it differs.
FeatureValues features_of(const Local &local) {
  const Exchange &exchange = local.exchange;
  const std::int64_t hints = local.hints.fingerprint();
  FeatureValues values{INT64_MIN, 0, 0, 0, hints, -hints};
  const OwnBuffers own = own_buffers(local);
  values[6] = own.send ? 0 : 1;
  values[7] = own.receive ? 0 : 1;
  values[8] = local.shares_memory ? 0 : 1;
  values[9] = local.turns;
  for (const auto *side : {&exchange.send, &exchange.receive}) {
    for (const Extent &extent : *side) {
      values[0] = std::max(values[0], -extent.length);
      values[1] = std::max(values[1], extent.length);
    }
  }
  for (int peer = 0; peer < exchange.ranks(); ++peer) {
    const std::int64_t bytes = exchange.send[static_cast<std::size_t>(peer)].length;
    if (peer == exchange.rank || bytes == 0) continue;
    values[2] = checked_add(values[2], bytes, "what one rank sends");
    ++values[3];
  }
  return values;
}

void read_local(const std::function<Arguments()> &read_arguments, MPI_Info info, const Channel &channel, Local &local) {
  local.hints = parse_hints(info);
  local.arguments = read_arguments();
  Side &send = local.arguments.send;
  Side &receive = local.arguments.receive;
  const bool in_place = local.arguments.in_place;
  check_side(receive, "receive");
  if (in_place) {
    send = receive;
  } else {
    check_side(send, "send");
  }
  check_receive_overlap(receive);
  local.images_send = in_place || !blocks_are_runs(send);
  local.images_receive = !blocks_are_runs(receive);
  local.exchange.rank = channel.rank();
  local.exchange.send = local.images_send ? extents_packed(send) : extents_in_buffer(send);
  local.exchange.receive = local.images_receive ? extents_packed(receive) : extents_in_buffer(receive);
  check_self(local.exchange);
  const Node &node = channel.duplicate->node();
  local.shares_memory =
      local.hints.wire != WireHint::packed && (node.local_ranks() == 1 || channel.duplicate->segment().works());
  local.turns = (node.local_ranks() + usable_cores() - 1) / usable_cores();
  local.features = features_of(local);
}

// The node map that routes see: the real one, or smaller nodes when rondo_node_size pretends them.
Topology topology_of(const Channel &channel, const Hints &hints) {
  const std::vector<int> &node_of = channel.duplicate->node().node_of();
  return {.ranks = channel.ranks(), .node_of = hints.node_size > 0 ? pretend_nodes(node_of, hints.node_size) : node_of};
}

// The one reduction: all ranks learn the features, or the first fault of any.
Features agree_features(const Channel &channel, const std::optional<Error> &fault, Local &local) {
  FeatureValues values = local.features;
  agree(channel.comm(), values, fault);
  if (values[4] != -values[5]) {
    throw Error(Fault::hint, fmt::format("the hints are not the same on all ranks; rank {} has: {}", channel.rank(),
                                         local.hints.text.empty() ? "none" : local.hints.text));
  }
  Features features;
  features.situation = {topology_of(channel, local.hints), -values[0], values[1], local.arguments.folded_grid};
  features.most_sent = values[2];
  features.most_peers = values[3];
  features.shares_memory = values[8] == 0;
  features.turns = values[9];
  local.send_mapped = values[6] == 0;
  local.receive_mapped = values[7] == 0;
  return features;
}

// What the phases of init hand on.
struct Planning {
  const Channel &channel;
  const Local &local;
  const Features &features;
  const Choice &choice;
};

// The caller's buffers; those that the plan is to allocate and that shared memory does not hold, allocated here.
CallerBuffers allocate_buffers(const Planning &p, bool send, bool receive) {
  const auto fill = [](const Side &side, bool wanted, std::byte *&address, Storage &storage) {
    address = static_cast<std::byte *>(side.buffer);
    if (!side.plan_allocates || !wanted) return;
    const Extent bytes = reach(side);
    storage = Storage(bytes.length);
    address = storage.data() - bytes.offset;
  };
  CallerBuffers buffers;
  const Arguments &given = p.local.arguments;
  fill(given.receive, receive, buffers.receive, buffers.own_receive);
  if (given.in_place) {
    buffers.send = buffers.receive;
  } else {
    fill(given.send, send, buffers.send, buffers.own_send);
  }
  return buffers;
}

// How the plan waits, whatever its kind.
void be_patient(const Planning &p, PlanParts &parts) {
  parts.patience = Patience::of(p.channel.duplicate->node().local_ranks(), usable_cores());
  parts.stall_timeout = p.local.hints.stall_timeout;
}

Side at(void *buffer, const Side &side) {
  Side moved = side;
  moved.buffer = buffer;
  return moved;
}

PlanParts plan_natively(const Planning &p) {
  const NativeKind kind =
      p.local.hints.native.value_or(has_persistent_calls() ? NativeKind::persistent : NativeKind::nonblocking);
  if (kind == NativeKind::persistent && !has_persistent_calls()) {
    throw Error(Fault::algorithm, "native is not applicable: this MPI library has no persistent collectives");
  }
  PlanParts parts{.channel = p.channel};
  be_patient(p, parts);
  std::array<std::int64_t, 1> nothing{};
  agree(p.channel.comm(), nothing, fault_of([&] {
          const Arguments &given = p.local.arguments;
          parts.buffers = allocate_buffers(p, true, true);
          parts.native = std::make_unique<NativeCall>(given.operation, at(parts.buffers.send, given.send),
                                                      at(parts.buffers.receive, given.receive), given.in_place);
        }));
  BoundSchedule &schedule = parts.schedules.emplace_back();
  schedule.requests.push_back(parts.native->open(kind, p.channel));
  schedule.steps.emplace_back().requests = {0, 1};
  return parts;
}

// By rank: whether this rank shares memory with it. Empty where it shares none, or is asked not to.
std::vector<char> sharers(const Planning &p) {
  const Node &node = p.channel.duplicate->node();
  if (p.local.hints.wire == WireHint::packed || !p.channel.duplicate->segment().works()) return {};
  const std::vector<int> &node_of = p.features.situation.topology.node_of;
  std::vector<char> shares(static_cast<std::size_t>(p.channel.ranks()), 0);
  for (const int rank : node.members()) {
    const bool same_node =
        node_of[static_cast<std::size_t>(rank)] == node_of[static_cast<std::size_t>(p.channel.rank())];
    shares[static_cast<std::size_t>(rank)] = same_node && rank != p.channel.rank() ? 1 : 0;
  }
  return shares;
}

// Route, sizes and schedule. The size collective stands between two agreements: a rank that ran out of memory on
// its route must not leave the others waiting for its counts.
Schedule make_schedule(const Planning &p) {
  const Algorithm &algorithm = *p.choice.algorithm;
  std::optional<Route> route;
  Custody custody;
  std::optional<SizeLearner> learner;
  const auto trace = [&] {
    route = algorithm.route(p.channel.rank(), p.features.situation.topology, p.choice.parameters);
    custody = trace_custody(*route);
    learner.emplace(*route, custody, p.local.exchange);
  };
  if (one_hop(algorithm.layout)) {
    trace();
  } else {
    std::array<std::int64_t, 1> nothing{};
    agree(p.channel.comm(), nothing, fault_of(trace));
    learner->run(p.channel);
  }
  const std::vector<char> shares = sharers(p);
  return lower(algorithm.layout,
               {*route, custody, learner->sizes(), p.local.exchange, p.features.situation.largest_block, shares});
}

void check_scratch_limit(const Schedule &schedule, const Hints &hints) {
  const std::int64_t needed = schedule.scratch_bytes + schedule.staging_bytes;
  if (!hints.wish.scratch_limit || needed <= *hints.wish.scratch_limit) return;
  throw Error(Fault::no_memory, fmt::format("the plan needs {} bytes of scratch and staging, rondo_scratch_limit is {}",
                                            needed, *hints.wish.scratch_limit))
      .with_values(needed, *hints.wish.scratch_limit);
}

// The ranks that share memory with this one, and this one.
SharedGroup group_of(const Planning &p) {
  const std::vector<char> shares = sharers(p);
  SharedGroup group;
  for (int rank = 0; rank < p.channel.ranks(); ++rank) {
    if (rank == p.channel.rank() || shares[static_cast<std::size_t>(rank)] != 0) group.members.push_back(rank);
  }
  group.pull_attached = p.channel.duplicate->segment().can_attach();
  group.pull_mapped = p.local.send_mapped && (one_hop(p.choice.algorithm->layout) || p.local.receive_mapped);
  return group;
}

// Everything that this rank can do alone before memory is shared.
PlanParts prepare(const Planning &p, const Schedule &schedule) {
  const OwnBuffers own = own_buffers(p.local);
  const bool shared = !sharers(p).empty();
  PlanParts parts{.channel = p.channel};
  parts.buffers = allocate_buffers(p, !shared || !own.send, !shared || !own.receive);
  if (p.local.images_send) parts.send_image.emplace(at(parts.buffers.send, p.local.arguments.send));
  if (p.local.images_receive) parts.receive_image.emplace(at(parts.buffers.receive, p.local.arguments.receive));
  parts.staging = Storage(schedule.staging_bytes);
  be_patient(p, parts);
  return parts;
}

BoundSpaces spaces_of(const PlanParts &parts) {
  return {.send = parts.send_image ? parts.send_image->data() : parts.buffers.send,
          .receive = parts.receive_image ? parts.receive_image->data() : parts.buffers.receive,
          .scratch = parts.scratch.data(),
          .staging = parts.staging.data()};
}

void bind_alone(const Planning &p, const Schedule &schedule, PlanParts &parts) {
  parts.scratch = Storage(schedule.scratch_bytes);
  parts.schedules.push_back(bind(schedule, spaces_of(parts), p.channel));
}

// Collective over the node.
void bind_shared(const Planning &p, const Schedule &schedule, PlanParts &parts) {
  const OwnBuffers own = own_buffers(p.local);
  const BoundSpaces given = spaces_of(parts);
  MpiNodeAccess node(p.channel);
  parts.shared = std::make_unique<SharedWire>(schedule, node, group_of(p), own, given.send, given.receive);
  if (own.send) parts.buffers.send = parts.shared->send_base();
  if (own.receive) parts.buffers.receive = parts.shared->receive_base();
  parts.gates = parts.shared->gates(schedule);
  BoundSpaces spaces = spaces_of(parts);
  for (int half = 0; half < 2; ++half) {
    spaces.scratch = parts.shared->scratch(half);
    parts.schedules.push_back(bind(schedule, spaces, p.channel, parts.shared.get(), half));
  }
}

std::unique_ptr<RONDO_Request_object> make_request(const Planning &p) {
  auto request = std::make_unique<RONDO_Request_object>();
  if (p.choice.algorithm->layout == Layout::native) {
    request->plan = std::make_unique<Plan>(plan_natively(p));
    request->report = report_of(p.choice, p.local.exchange);
    return request;
  }
  // Sharing memory is collective over the node: it stands after an agreement, as the size collective does.
  Schedule schedule;
  std::optional<PlanParts> parts;
  std::array<std::int64_t, 1> nothing{};
  agree(p.channel.comm(), nothing, fault_of([&] {
          schedule = make_schedule(p);
          check_scratch_limit(schedule, p.local.hints);
          parts.emplace(prepare(p, schedule));
        }));
  if (sharers(p).empty()) {
    bind_alone(p, schedule, *parts);
  } else {
    bind_shared(p, schedule, *parts);
  }
  request->plan = std::make_unique<Plan>(*std::move(parts));
  request->report = report_of(p.choice, schedule);
  return request;
}

}  // namespace

void check_communicator(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) throw Error(Fault::comm, "the communicator is MPI_COMM_NULL");
  const ErrorsReturned returned;
  int inter = 0;
  if (MPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS) {
    throw Error(Fault::comm, "the communicator is no valid communicator (has it been freed?)");
  }
  if (inter != 0) throw Error(Fault::comm, "the communicator is an intercommunicator; an intracommunicator is needed");
}

std::unique_ptr<RONDO_Request_object> init(const std::function<Arguments()> &read_arguments, MPI_Comm comm,
                                           MPI_Info info) {
  const double begin = MPI_Wtime();
  check_communicator(comm);
  const Channel channel = open_channel(comm);

  Local local;
  const auto fault = fault_of([&] { read_local(read_arguments, info, channel, local); });
  const Features features = agree_features(channel, fault, local);
  if (local.hints.validate) validate(local.exchange, channel);
  const Choice choice = choose(features, local.hints.wish);

  std::unique_ptr<RONDO_Request_object> request;
  std::array<std::int64_t, 1> nothing{};
  agree(channel.comm(), nothing, fault_of([&] { request = make_request({channel, local, features, choice}); }));
  request->report.init_seconds = MPI_Wtime() - begin;
  if (local.hints.report && channel.rank() == 0) log_report(request->report);
  return request;
}

}  // namespace rondo
