#include "api/reserve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

// The caller's buffers. Those that the plan is to allocate are allocated here, unless shared memory is to hold them;
// `send` and `receive` say for which side.
CallerBuffers allocate_buffers(const Arguments &given, bool send, bool receive) {
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

PlanParts parts_of(const Channel &channel, const Inputs &inputs) {
  PlanParts parts{.channel = channel};
  parts.policy = policy_for(channel, inputs.hints);
  parts.threads_start_plans = threads_call_at_once();
  return parts;
}

Side at(void *buffer, const Side &side) {
  Side moved = side;
  moved.buffer = buffer;
  return moved;
}

// The ranks that share memory with this one, and this one.
SharedGroup group_of(const Channel &channel, const Agreed &agreed, const Chosen &chosen) {
  SharedGroup group;
  for (int rank = 0; rank < channel.ranks(); ++rank) {
    if (rank == channel.rank() || chosen.shares[rank] != 0) group.members.push_back(rank);
  }
  group.banks = agreed.features.banks_of(chosen.layout());
  group.pull_attached = agreed.attaches;
  if (agreed.attaches || agreed.features.turns > 1) group.least_pulled = 16384;
  const std::int64_t of_message = most_in_inbox(channel.duplicate->node().local_ranks());
  if (agreed.exceeds_inboxes) group.least_pulled = std::min(group.least_pulled, of_message);
  if (agreed.exceeds_inboxes && !agreed.attaches) group.most_in_inbox = of_message;
  group.pull_mapped = agreed.send_allocated && (one_hop(chosen.layout()) || agreed.receive_allocated);
  return group;
}

void check_scratch_limit(const Schedule &schedule, const Hints &hints) {
  const std::int64_t needed = schedule.scratch_bytes + schedule.staging_bytes;
  if (!hints.wish.scratch_limit || needed <= *hints.wish.scratch_limit) return;
  throw Error(Fault::no_memory, fmt::format("the plan needs {} bytes of scratch and staging, rondo_scratch_limit is {}",
                                            needed, *hints.wish.scratch_limit))
      .with_values(needed, *hints.wish.scratch_limit);
}

}  // namespace

WaitPolicy policy_for(const Channel &channel, const Hints &hints) {
  const int ranks = channel.duplicate->node().ranks_on_cores();
  const int cores = channel.duplicate->node().cores();
  WaitPolicy policy{.patience = Patience::of(ranks, cores)};
  if (hints.progress_thread) {
    policy.patience = Patience::with_thread(ranks, cores);
    policy.beside = Patience::beside(ranks, cores);
  }
  policy.stall_timeout = hints.stall_timeout;
  return policy;
}

PlanParts reserve_native(const Channel &channel, const Inputs &inputs) {
  const NativeKind kind =
      inputs.hints.native.value_or(has_persistent_calls() ? NativeKind::persistent : NativeKind::nonblocking);
  if (kind == NativeKind::persistent && !has_persistent_calls()) {
    throw Error(Fault::algorithm, "native is not applicable: this MPI library has no persistent collectives");
  }
  PlanParts parts = parts_of(channel, inputs);
  parts.schedule = std::make_shared<const Schedule>();
  parts.buffers = allocate_buffers(inputs.arguments, true, true);
  const Arguments &given = inputs.arguments;
  parts.native = std::make_unique<NativeCall>(kind, channel, given.collective, at(parts.buffers.send, given.send),
                                              at(parts.buffers.receive, given.receive), given.in_place);
  return parts;
}

PlanParts reserve(const Channel &channel, const NodeAccess &node, const Inputs &inputs, const Agreed &agreed,
                  const WorkedOut &worked_out) {
  const Chosen &chosen = worked_out.chosen;
  const bool shared = !chosen.shares.empty();
  PlanParts parts = parts_of(channel, inputs);
  parts.schedule = worked_out.schedule;
  const Schedule &schedule = *parts.schedule;
  check_scratch_limit(schedule, inputs.hints);
  parts.buffers =
      allocate_buffers(inputs.arguments, !shared || !inputs.plan_buffers.send, !shared || !inputs.plan_buffers.receive);
  std::optional<SharedLayout> layout;
  if (shared) {
    std::optional<RunSpace> sent;
    if (inputs.sends_runs_of_plan()) sent.emplace(inputs.arguments.send);
    layout.emplace(schedule, group_of(channel, agreed, chosen), inputs.plan_buffers, sent ? &*sent : nullptr);
  }
  // What is sent in place must be out of the way before anything arrives there.
  const bool in_place = inputs.arguments.in_place;
  const bool datatypes = chosen.wire == Wire::datatype && !chosen.shares_any();
  // The kernel takes longer for a run than a packed image costs (docs/performance.md).
  const bool sends_runs = !in_place && !(layout && layout->others_read(Base::process_send));
  const bool receives_runs =
      !in_place && !(layout && (layout->others_read(Base::process_receive) || layout->reads_others()));
  const auto stand_in = [&](const Side &side, Space space, bool may_be_typed, bool may_be_run) {
    StandIn made;
    if (may_be_typed && TypedSpace::serves(schedule, space, side)) {
      made.typed.emplace(side);
    } else if (may_be_run && RunSpace::serves(schedule, space, side)) {
      made.runs.emplace(side);
    } else {
      made.image.emplace(side, channel);
    }
    return made;
  };
  if (inputs.images_send) {
    parts.send =
        stand_in(at(parts.buffers.send, inputs.arguments.send), Space::send, datatypes && !in_place, sends_runs);
  }
  if (inputs.images_receive) {
    parts.receive =
        stand_in(at(parts.buffers.receive, inputs.arguments.receive), Space::receive, datatypes, receives_runs);
  }
  parts.staging = Storage(schedule.staging_bytes);
  if (layout) {
    parts.shared = std::make_unique<SharedRegion>(*std::move(layout), node, worked_out.tables);
  } else {
    parts.scratch = Storage(schedule.scratch_bytes);
  }
  return parts;
}

}  // namespace rondo::internal
