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
  Local &local;
  const Agreed &agreed;
  std::vector<std::int64_t> gathered;  // by rank: the bytes of its data, for an all-gather
  Choice choice{};
  std::vector<char> shares{};  // by rank: whether this rank shares memory with it; empty where it shares none
  Wire wire = Wire::message;   // of messages that are not shared

  [[nodiscard]] bool shares_any() const {
    return std::any_of(shares.begin(), shares.end(), [](char with) { return with != 0; });
  }
  // Whether blocks pass through ranks that do not know their sizes.
  [[nodiscard]] bool forwards() const {
    const Layout layout = choice.algorithm->layout;
    return layout != Layout::native && !one_hop(layout) && !local.arguments.gathers();
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

PlanParts prepare_natively(const Planning &p) {
  const NativeKind kind =
      p.local.hints.native.value_or(has_persistent_calls() ? NativeKind::persistent : NativeKind::nonblocking);
  if (kind == NativeKind::persistent && !has_persistent_calls()) {
    throw Error(Fault::algorithm, "native is not applicable: this MPI library has no persistent collectives");
  }
  PlanParts parts = parts_of(p);
  parts.buffers = allocate_buffers(p, true, true);
  const Arguments &given = p.local.arguments;
  parts.native = std::make_unique<NativeCall>(kind, p.channel, given.operation, at(parts.buffers.send, given.send),
                                              at(parts.buffers.receive, given.receive), given.in_place);
  BoundSchedule &schedule = parts.schedules.emplace_back();
  schedule.requests.push_back(MPI_REQUEST_NULL);
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

// The route, and what it takes to learn the sizes along it.
struct Traced {
  explicit Traced(const Planning &p)
      : route(p.choice.route(p.channel.rank(), p.topology())),
        custody(trace_custody(route)),
        learner(route, custody, p.local.exchange) {}

  Route route;
  Custody custody;
  SizeLearner learner;  // refers to the others
};

Schedule make_schedule(const Planning &p, const Traced &traced) {
  return lower(p.choice.algorithm->layout, {traced.route, traced.custody, traced.learner.sizes(), p.local.exchange,
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
PlanParts prepare(const Planning &p, const Traced &traced) {
  const bool shared = !p.shares.empty();
  PlanParts parts = parts_of(p);
  const Schedule &schedule = parts.schedule = make_schedule(p, traced);
  check_scratch_limit(schedule, p.local.hints);
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
  if (shared) {
    parts.shared = std::make_unique<SharedWire>(schedule, MpiNodeAccess(p.channel), group_of(p), p.local.own);
  } else {
    parts.scratch = Storage(schedule.scratch_bytes);
  }
  return parts;
}

// Collective over the node.
void share_memory(const Planning &p, PlanParts &parts) {
  const OwnBuffers &own = p.local.own;
  const BoundSpaces given = parts.spaces();
  MpiNodeAccess node(p.channel);
  parts.shared->meet(node, given.send, given.receive);
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

std::unique_ptr<RONDO_Request_object> request_for(const Planning &p) {
  auto request = std::make_unique<RONDO_Request_object>();
  request->send = buffer_of(p.local.arguments.send, p.local.arguments.in_place);
  request->receive = buffer_of(p.local.arguments.receive, false);
  if (p.local.hints.errors_to_handler) request->errors_to = p.channel.duplicate->user();
  return request;
}

// Chooses the same on all ranks, and so refuses the same on all: what it returns needs no agreement.
std::optional<Error> choose_for(Planning &p) {
  const Features &features = p.agreed.features;
  try {
    if (p.local.arguments.gathers()) {
      p.choice = choose_gather({features.situation.topology, std::move(p.gathered), features.shares_memory,
                                features.turns, features.situation.native_fault},
                               p.local.hints.wish);
      p.local.exchange.cut = p.choice.cut;
    } else {
      p.choice = choose(features, p.local.hints.wish);
    }
    return std::nullopt;
  } catch (Error &refusal) {
    return std::move(refusal);
  }
}

// All that this rank can do before it hears of sizes that it does not know.
void prepare_first(Planning &p, std::optional<Traced> &traced, std::optional<PlanParts> &parts) {
  if (p.choice.algorithm->layout == Layout::native) {
    parts.emplace(prepare_natively(p));
    return;
  }
  p.shares = sharers(p.channel, p.local, p.topology());
  p.wire = message_wire(p);
  traced.emplace(p);
  if (!p.forwards()) parts.emplace(prepare(p, *traced));
}

// What a user who has many plans knows this one by. The number is the same on all ranks.
std::string name_of_plan(const Planning &p, const RONDO_Report &report) {
  char comm[MPI_MAX_OBJECT_NAME] = {};
  int length = 0;
  MPI_Comm_get_name(*p.channel.duplicate->user(), comm, &length);
  return fmt::format("plan {}{}{}, {} on {} ranks by {}", p.channel.tag, length > 0 ? " of " : "", comm,
                     name_of(p.local.arguments.operation), report.ranks, algorithm_text(report));
}

std::unique_ptr<Plan> open_plan(const Planning &p, PlanParts parts, RONDO_Report &report) {
  if (parts.native) {
    parts.schedules.front().requests.front() = parts.native->open();
    report = native_report(p);
  } else {
    if (parts.shared) share_memory(p, parts);
    parts.schedules = parts.bind_all();
    report = report_of(p.choice, parts.schedule);
  }
  if (parts.beside) {
    check_thread_level(parts.calls_mpi());
    std::string_view("thread").copy(report.progress, sizeof(report.progress) - 1);
  }
  parts.name = name_of_plan(p, report);
  return std::make_unique<Plan>(std::move(parts));
}

// In phases, with an agreement after each. What is collective stands at the beginning of a phase, when all ranks are
// known to have come through the one before; so a rank that has no memory leaves nobody waiting.
std::unique_ptr<RONDO_Request_object> make_request(Planning &p) {
  const MPI_Comm comm = p.channel.comm();
  std::unique_ptr<RONDO_Request_object> request;
  std::optional<Error> refusal;
  std::optional<Traced> traced;
  std::optional<PlanParts> parts;
  succeed_together(comm, [&] {
    refusal = choose_for(p);
    if (refusal) return;
    request = request_for(p);
    prepare_first(p, traced, parts);
  });
  if (refusal) throw *std::move(refusal);
  if (p.forwards()) {
    succeed_together(comm, [&] {
      traced->learner.run(p.channel);
      parts.emplace(prepare(p, *traced));
    });
  }
  succeed_together(comm, [&] { request->plan = open_plan(p, *std::move(parts), request->report); });
  return request;
}

// All ranks learn the sizes of all, which algorithms for all-gathers cut the data by; else nothing but what a
// validation finds.
std::vector<std::int64_t> learn_or_validate(const Local &local, const Channel &channel) {
  if (local.arguments.gathers()) return gather_sizes(local.exchange, local.arguments.in_place, channel);
  if (local.hints.validate) validate(local.exchange, channel);
  return {};
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
  auto fault = fault_of([&] { read_local([&] { return call.read(channel); }, info, channel, local); });
  const Agreed agreed = agree_features(channel, std::move(fault), local);
  Planning p{channel, local, agreed, learn_or_validate(local, channel)};
  auto request = make_request(p);
  request->report.init_seconds = MPI_Wtime() - begin;
  if (local.hints.report && channel.rank() == 0) {
    fault_of([&] {
      log_report(request->plan->name(), request->report);
    });  // a line that cannot be written is no reason to fail on one rank
  }
  return request;
}

}  // namespace rondo
