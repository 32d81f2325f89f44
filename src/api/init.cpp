#include "api/init.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "api/local.hpp"
#include "api/report.hpp"
#include "api/thread_level.hpp"
#include "model/choose_gather.hpp"
#include "schedule/custody.hpp"
#include "schedule/lower.hpp"
#include "wire/agreement.hpp"
#include "wire/bind.hpp"
#include "wire/learn.hpp"
#include "wire/mpi_call.hpp"
#include "wire/validate.hpp"

namespace rondo {

namespace {

// What the phases of init hand on.
struct Planning {
  const Channel &channel;
  const Local &local;
  const Agreed &agreed;
  const Choice &choice;
  std::vector<char> shares;   // by rank: whether this rank shares memory with it; empty where it shares none
  Wire wire = Wire::message;  // of messages that are not shared

  [[nodiscard]] bool shares_any() const {
    return std::any_of(shares.begin(), shares.end(), [](char with) { return with != 0; });
  }
  [[nodiscard]] const Topology &topology() const { return agreed.features.situation.topology; }
};

// Empty too where shared memory is not wanted.
std::vector<char> sharers(const Channel &channel, const Local &local, const Topology &topology) {
  if (local.hints.messages_only() || !channel.duplicate->segment().works()) return {};
  const std::vector<int> &node_of = topology.node_of;
  std::vector<char> shares(static_cast<std::size_t>(channel.ranks()), 0);
  for (const int rank : channel.duplicate->node().members()) {
    const bool same_node = node_of[static_cast<std::size_t>(rank)] == node_of[static_cast<std::size_t>(channel.rank())];
    shares[static_cast<std::size_t>(rank)] = same_node && rank != channel.rank() ? 1 : 0;
  }
  return shares;
}

// The caller's buffers; those that the plan is to allocate and that shared memory does not hold, allocated here.
CallerBuffers allocate_buffers(const Planning &p, bool send, bool receive) {
  const Arguments &given = p.local.arguments;
  const auto fill = [&](const Side &side, bool wanted, std::byte *&address, Storage &storage) {
    address = static_cast<std::byte *>(side.buffer);
    if (!side.plan_allocates || !wanted) return;
    const Extent bytes = given.in_place ? reach(side, given.send) : reach(side);
    storage = Storage(bytes.length);
    address = storage.data() - bytes.offset;
  };
  CallerBuffers buffers;
  fill(given.receive, receive, buffers.receive, buffers.own_receive);
  if (given.in_place) {
    buffers.send = buffers.receive;
  } else {
    fill(given.send, send, buffers.send, buffers.own_send);
  }
  return buffers;
}

PlanParts parts_of(const Planning &p) {
  PlanParts parts{.channel = p.channel};
  parts.patience = Patience::of(p.local.local_ranks, p.local.cores);
  if (p.local.hints.progress_thread) parts.beside = Patience::beside(p.local.local_ranks, p.local.cores);
  parts.stall_timeout = p.local.hints.stall_timeout;
  return parts;
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
  PlanParts parts = parts_of(p);
  succeed_together(p.channel.comm(), [&] {
    const Arguments &given = p.local.arguments;
    parts.buffers = allocate_buffers(p, true, true);
    parts.native = std::make_unique<NativeCall>(given.operation, at(parts.buffers.send, given.send),
                                                at(parts.buffers.receive, given.receive), given.in_place);
  });
  BoundSchedule &schedule = parts.schedules.emplace_back();
  schedule.requests.push_back(parts.native->open(kind, p.channel));
  schedule.steps.emplace_back().requests = {0, 1};
  return parts;
}

std::int64_t mean_block(const Exchange &exchange) {
  std::int64_t bytes = 0;
  std::int64_t blocks = 0;
  for (const Extent &extent : exchange.send) {
    bytes += extent.length;
    blocks += extent.length > 0 ? 1 : 0;
  }
  return blocks == 0 ? 0 : bytes / blocks;
}

// Of the elements with gaps; 0 where it is not known.
std::int64_t mean_run(const Side &side) {
  std::int64_t bytes = 0;
  std::int64_t runs = 0;
  for (const SideType &used : side.types) {
    if (used.shape.dense) continue;
    if (!used.runs) return 0;
    bytes += used.shape.size;
    runs += static_cast<std::int64_t>(used.runs->size());
  }
  return runs == 0 ? 0 : bytes / runs;
}

// What carries messages that do not go through shared memory. Which it is concerns this rank alone. Datatypes serve
// better than packing where a message has few, long pieces that are not so long that MPI's own way with long messages
// counts for more (docs/performance.md has the measurements).
Wire message_wire(const Planning &p) {
  constexpr std::int64_t kibibyte = 1024;
  if (p.local.hints.wire == WireHint::packed) return Wire::message;
  if (p.local.hints.wire == WireHint::datatype) return Wire::datatype;
  const std::int64_t block = mean_block(p.local.exchange);
  const auto within = [&](std::int64_t least, std::int64_t most) { return block >= least && block <= most; };
  if (!p.local.images_send && !p.local.images_receive) {
    const bool several_pieces = !one_hop(p.choice.algorithm->layout);
    return several_pieces && within(2 * kibibyte, 16 * kibibyte) ? Wire::datatype : Wire::message;
  }
  // Shared memory takes bytes only.
  const Arguments &given = p.local.arguments;
  const bool long_runs = (!p.local.images_send || mean_run(given.send) >= kibibyte / 2) &&
                         (!p.local.images_receive || mean_run(given.receive) >= kibibyte / 2);
  return !p.shares_any() && long_runs && within(16 * kibibyte, 128 * kibibyte) ? Wire::datatype : Wire::message;
}

// Route, sizes and schedule. Where sizes must be learned, the size collective stands between two agreements: a rank
// that ran out of memory on its route must not leave the others waiting for its counts.
Schedule make_schedule(const Planning &p) {
  const Algorithm &algorithm = *p.choice.algorithm;
  std::optional<Route> route;
  Custody custody;
  std::optional<SizeLearner> learner;
  const auto trace = [&] {
    route = p.choice.route(p.channel.rank(), p.topology());
    custody = trace_custody(*route);
    learner.emplace(*route, custody, p.local.exchange);
  };
  if (one_hop(algorithm.layout) || p.local.arguments.gathers()) {
    trace();
  } else {
    succeed_together(p.channel.comm(), trace);
    learner->run(p.channel);
  }
  return lower(algorithm.layout, {*route, custody, learner->sizes(), p.local.exchange,
                                  p.agreed.features.situation.largest_block, p.shares, p.wire});
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
  SharedGroup group;
  for (int rank = 0; rank < p.channel.ranks(); ++rank) {
    if (rank == p.channel.rank() || p.shares[static_cast<std::size_t>(rank)] != 0) group.members.push_back(rank);
  }
  group.pull_attached = p.channel.duplicate->segment().can_attach();
  group.pull_mapped = p.agreed.send_mapped && (one_hop(p.choice.algorithm->layout) || p.agreed.receive_mapped);
  return group;
}

// Everything that this rank can do alone before memory is shared.
PlanParts prepare(const Planning &p, Schedule planned) {
  const bool shared = !p.shares.empty();
  PlanParts parts = parts_of(p);
  const Schedule &schedule = parts.schedule = std::move(planned);
  parts.buffers = allocate_buffers(p, !shared || !p.local.own.send, !shared || !p.local.own.receive);
  const bool datatypes = p.wire == Wire::datatype && !p.shares_any();
  const auto stand_in = [&](const Side &side, bool typed, std::optional<TypedSpace> &space,
                            std::optional<Image> &image) {
    if (typed) {
      space.emplace(side);
    } else {
      image.emplace(side);
    }
  };
  const Arguments &given = p.local.arguments;
  if (p.local.images_send) {
    // What is sent in place must be out of the way before anything arrives there.
    const bool typed = datatypes && !given.in_place && TypedSpace::serves(schedule, Space::send);
    stand_in(at(parts.buffers.send, given.send), typed, parts.typed_send, parts.send_image);
  }
  if (p.local.images_receive) {
    const bool typed = datatypes && TypedSpace::serves(schedule, Space::receive);
    stand_in(at(parts.buffers.receive, given.receive), typed, parts.typed_receive, parts.receive_image);
  }
  parts.staging = Storage(schedule.staging_bytes);
  if (!shared) parts.scratch = Storage(schedule.scratch_bytes);
  return parts;
}

// Collective over the node.
void share_memory(const Planning &p, PlanParts &parts) {
  const OwnBuffers &own = p.local.own;
  const BoundSpaces given = parts.spaces();
  MpiNodeAccess node(p.channel);
  parts.shared = std::make_unique<SharedWire>(parts.schedule, node, group_of(p), own, given.send, given.receive);
  if (own.send) parts.buffers.send = parts.shared->send_base();
  if (own.receive) parts.buffers.receive = parts.shared->receive_base();
  parts.gates = parts.shared->gates(parts.schedule);
}

RONDO_Request_object::Buffer buffer_of(const Side &side, bool in_place) {
  const bool has_data =
      std::any_of(side.parts.begin(), side.parts.end(), [&](const Part &part) { return side.bytes(part) > 0; });
  return {.in_place = in_place,
          .of_plan = side.plan_allocates && !in_place,
          .has_data = has_data && side.buffer != MPI_BOTTOM};
}

// Whom this rank sends data to; of an all-gather, to all that receive from it.
RONDO_Report native_report(const Planning &p) {
  std::vector<std::int64_t> bytes;  // by peer
  for (int peer = 0; peer < p.channel.ranks(); ++peer) {
    if (peer == p.channel.rank()) continue;
    if (!p.local.arguments.gathers()) {
      bytes.push_back(p.local.exchange.send[static_cast<std::size_t>(peer)].length);
    } else if (p.topology().receives_from(peer, p.channel.rank())) {
      bytes.push_back(p.local.exchange.send.front().length);
    }
  }
  return report_of(p.choice, p.channel.ranks(), bytes);
}

std::unique_ptr<Plan> make_plan(PlanParts parts) {
  if (parts.beside) check_thread_level(parts.calls_mpi());
  return std::make_unique<Plan>(std::move(parts));
}

std::unique_ptr<RONDO_Request_object> make_request(const Planning &p) {
  auto request = std::make_unique<RONDO_Request_object>();
  request->send = buffer_of(p.local.arguments.send, p.local.arguments.in_place);
  request->receive = buffer_of(p.local.arguments.receive, false);
  if (p.choice.algorithm->layout == Layout::native) {
    request->plan = make_plan(plan_natively(p));
    request->report = native_report(p);
    return request;
  }
  // Sharing memory is collective over the node: it stands after an agreement, as the size collective does.
  std::optional<PlanParts> parts;
  succeed_together(p.channel.comm(), [&] {
    Schedule schedule = make_schedule(p);
    check_scratch_limit(schedule, p.local.hints);
    parts.emplace(prepare(p, std::move(schedule)));
  });
  if (!p.shares.empty()) share_memory(p, *parts);
  parts->schedules = parts->bind_all();
  request->report = report_of(p.choice, parts->schedule);
  request->plan = make_plan(*std::move(parts));
  return request;
}

Choice choose_all_to_all(const Channel &channel, const Agreed &agreed, const Local &local) {
  if (local.hints.validate) validate(local.exchange, channel);
  return choose(agreed.features, local.hints.wish);
}

// All ranks learn the sizes of all, which algorithms for all-gathers cut the data by.
Choice choose_gathering(const Channel &channel, const Agreed &agreed, Local &local) {
  GatherFeatures features{.topology = agreed.features.situation.topology,
                          .bytes = gather_sizes(local.exchange, local.arguments.in_place, channel),
                          .shares_memory = agreed.features.shares_memory,
                          .turns = agreed.features.turns,
                          .native_fault = agreed.features.situation.native_fault};
  Choice choice;
  succeed_together(channel.comm(), [&] { choice = choose_gather(features, local.hints.wish); });
  local.exchange.cut = choice.cut;
  return choice;
}

}  // namespace

void check_communicator(MPI_Comm comm, bool takes_two_groups) {
  if (comm == MPI_COMM_NULL) throw Error(Fault::comm, "the communicator is MPI_COMM_NULL");
  const ErrorsReturned returned;
  int inter = 0;
  if (MPI_Comm_test_inter(comm, &inter) != MPI_SUCCESS) {
    throw Error(Fault::comm, "the communicator is no valid communicator (has it been freed?)");
  }
  if (inter != 0 && !takes_two_groups) {
    throw Error(Fault::comm, "the communicator is an intercommunicator; an intracommunicator is needed");
  }
}

std::unique_ptr<RONDO_Request_object> init(const Call &call, MPI_Comm comm, MPI_Info info) {
  const double begin = MPI_Wtime();
  check_communicator(comm, call.takes_two_groups);
  const Channel channel = open_channel(comm);

  Local local;
  const auto fault = fault_of([&] { read_local([&] { return call.read(channel); }, info, channel, local); });
  const Agreed agreed = agree_features(channel, fault, local);
  const Choice choice =
      local.arguments.gathers() ? choose_gathering(channel, agreed, local) : choose_all_to_all(channel, agreed, local);

  std::unique_ptr<RONDO_Request_object> request;
  succeed_together(channel.comm(), [&] {
    Planning p{channel, local, agreed, choice, sharers(channel, local, agreed.features.situation.topology)};
    p.wire = message_wire(p);
    request = make_request(p);
  });
  if (local.hints.errors_to_handler) request->errors_to = channel.duplicate->user();
  if (local.hints.progress_thread) {
    std::string_view("thread").copy(request->report.progress, sizeof(request->report.progress) - 1);
  }
  request->report.init_seconds = MPI_Wtime() - begin;
  if (local.hints.report && channel.rank() == 0) log_report(name_of(local.arguments.operation), request->report);
  return request;
}

}  // namespace rondo
