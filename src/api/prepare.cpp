#include "api/prepare.hpp"

#include <fmt/format.h>

#include "api/thread_level.hpp"
#include "api/wires.hpp"
#include "schedule/lower.hpp"

namespace rondo::internal {

namespace {

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
  const int ranks = p.local.ranks_on_cores;
  const int cores = p.local.cores;
  const bool thread = p.local.hints.progress_thread;
  parts.patience = thread ? Patience::with_thread(ranks, cores) : Patience::of(ranks, cores);
  if (thread) parts.beside = Patience::beside(ranks, cores);
  parts.stall_timeout = p.local.hints.stall_timeout;
  parts.threads_start_plans = threads_call_at_once();
  return parts;
}

Side at(void *buffer, const Side &side) {
  Side moved = side;
  moved.buffer = buffer;
  return moved;
}

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

}  // namespace

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
      image.emplace(side, p.channel);
    }
  };
  const Arguments &given = p.local.arguments;
  if (p.local.images_send) {
    // What is sent in place must be out of the way before anything arrives there.
    const bool typed = datatypes && !given.in_place && TypedSpace::serves(schedule, Space::send, given.send);
    stand_in(at(parts.buffers.send, given.send), typed, parts.typed_send, parts.send_image);
  }
  if (p.local.images_receive) {
    const bool typed = datatypes && TypedSpace::serves(schedule, Space::receive, given.receive);
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

void share_memory(const Planning &p, PlanParts &parts) {
  const OwnBuffers &own = p.local.own;
  const BoundSpaces given = parts.spaces();
  MpiNodeAccess node(p.channel);
  parts.shared->meet(node, given.send, given.receive);
  if (own.send) parts.buffers.send = parts.shared->send_base();
  if (own.receive) parts.buffers.receive = parts.shared->receive_base();
  parts.gates = parts.shared->gates(parts.schedule);
}

}  // namespace rondo::internal
