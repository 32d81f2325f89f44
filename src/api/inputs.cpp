#include "api/inputs.hpp"

#include <mpi.h>

#include <algorithm>
#include <utility>

#include "api/prices.hpp"
#include "route/nodes.hpp"
#include "wire/run_space.hpp"

namespace rondo::internal {

namespace {

// The receive side of an all-gather in place as the caller gave it: with this rank's own part, which is the send side.
Side with_own(const Side &receive, const Side &send, int rank) {
  Side whole = receive;
  for (Part own : send.parts) {
    own.peer = rank;
    whole.parts.push_back(own);
  }
  whole.types = send.types;
  return whole;
}

void place_blocks(Inputs &inputs) {
  const Arguments &given = inputs.arguments;
  inputs.exchange.send = inputs.images_send ? extents_packed(given.send) : extents_in_buffer(given.send);
  inputs.exchange.receive = inputs.images_receive ? extents_packed(given.receive) : extents_in_buffer(given.receive);
}

#if defined(OPEN_MPI)
// Whether the library's own alltoallw copies this rank's block to itself wrongly: see describe() in api/agreed.cpp.
bool library_miscopies(const Side &side, int rank) {
  constexpr std::int64_t most = 65536;
  return std::any_of(side.parts.begin(), side.parts.end(), [&](const Part &part) {
    return part.peer == rank && side.bytes(part) > most && !side.shape(part).dense;
  });
}

// Whether the library's own alltoallv in place mixes up blocks of this rank: see describe() in api/agreed.cpp. Short
// ones have gone before it overwrites them.
bool library_mixes_up(const Side &side, int rank) {
  constexpr std::int64_t surely_short = 1024;
  const auto any_other = [&](auto &&is_so) {
    return std::any_of(side.parts.begin(), side.parts.end(),
                       [&](const Part &part) { return part.peer != rank && is_so(part); });
  };
  return any_other([&](const Part &part) { return side.bytes(part) == 0; }) &&
         any_other([&](const Part &part) { return side.bytes(part) > surely_short; });
}

void find_native_fault(Arguments &arguments, const Side &, const Channel &channel) {
  const int rank = channel.rank();
  if (arguments.overwrites_sent() && library_mixes_up(arguments.receive, rank)) {
    arguments.native_fault = NativeFault::some_empty_in_place;
  }
  if (arguments.collective != Collective::alltoallw || arguments.native_fault != NativeFault::none) return;
  if (library_miscopies(arguments.send, rank) || library_miscopies(arguments.receive, rank)) {
    arguments.native_fault = NativeFault::long_own_block;
  }
}
#else
// MPICH's ring of an all-gather cuts blocks by elements: into as many as the shortest block has, or as extend over
// 32 KiB.
std::int64_t library_piece(const Side &receive) {
  constexpr std::int64_t pipelined = 32768;
  if (receive.parts.empty()) return 0;
  const DatatypeShape &shape = receive.shape(receive.parts.front());
  if (shape.extent <= 0) return 0;
  const auto is_shorter = [](const Part &one, const Part &other) { return one.count < other.count; };
  const auto [shortest, longest] = std::minmax_element(receive.parts.begin(), receive.parts.end(), is_shorter);
  const bool some_empty = std::ssize(receive.parts) < receive.entries;
  const std::int64_t least = some_empty ? 0 : shortest->count;
  const bool is_long = least > (pipelined - 1) / shape.extent;
  const std::int64_t elements = is_long ? least : std::max<std::int64_t>(1, pipelined / shape.extent);
  return longest->count > elements ? elements * shape.size : 0;
}

// `receive` has what an all-gather in place has of this rank's own, too.
void find_native_fault(Arguments &arguments, const Side &receive, const Channel &channel) {
  if (arguments.collective != Collective::allgatherv || arguments.native_fault != NativeFault::none) return;
  const auto lies_backwards = [](const SideType &type) { return type.shape.extent <= 0 && type.shape.size > 0; };
  if (std::any_of(receive.types.begin(), receive.types.end(), lies_backwards)) {
    arguments.native_fault = NativeFault::backward_elements;
  }
  if (channel.duplicate->second_group() > 0) return;  // another algorithm
  arguments.native_piece = library_piece(receive);
}
#endif

// Blocks with gaps are read run by run. Where there are messages of MPI, these may need them packed; and where ranks
// take turns on a core, a sender would wait for the turns of all that read them, which it need not for inboxes.
PlanBuffers plan_buffers_of(const Inputs &inputs) {
  PlanBuffers buffers;
  const Arguments &given = inputs.arguments;
  if (given.in_place) return buffers;
  const auto is_read_in_runs = [&] {
    return inputs.shares_memory && inputs.ranks_on_cores <= inputs.cores && count_nodes(inputs.topology) <= 1 &&
           RunSpace::has_long_runs(given.send);
  };
  if (given.send.plan_allocates && (!inputs.images_send || is_read_in_runs())) buffers.send = reach(given.send);
  if (given.receive.plan_allocates && !inputs.images_receive) buffers.receive = reach(given.receive);
  return buffers;
}

}  // namespace

Topology topology_of(const Channel &channel, const Hints &hints) {
  const std::vector<int> &node_of = channel.duplicate->node().node_of();
  return {.ranks = channel.ranks(),
          .node_of = hints.node_size > 0 ? pretend_nodes(node_of, hints.node_size) : node_of,
          .second_group = channel.duplicate->second_group()};
}

bool shares_memory(const Channel &channel, const Hints &hints) {
  const bool alone = channel.duplicate->node().local_ranks() == 1;
  return !hints.messages_only() && (alone || channel.duplicate->segment().works());
}

Inputs read(const Call &call, MPI_Info info, const Channel &channel) {
  Hints hints = parse_hints(info);
  return read(call.read(channel), std::move(hints), channel);
}

Inputs read(Arguments arguments, Hints hints, const Channel &channel) {
  Inputs inputs;
  inputs.hints = std::move(hints);
  inputs.arguments = std::move(arguments);
  Side &send = inputs.arguments.send;
  Side &receive = inputs.arguments.receive;
  const bool in_place = inputs.arguments.in_place;
  const bool overwrites_sent = inputs.arguments.overwrites_sent();
  check_side(receive, "receive", channel.packing());
  if (overwrites_sent) {
    send = receive;
  } else {
    check_side(send, "send", channel.packing());
  }
  const bool lacks_own = in_place && !overwrites_sent;
  const Side whole = lacks_own ? with_own(receive, send, channel.rank()) : Side{};
  const Side &all_received = lacks_own ? whole : receive;
  find_native_fault(inputs.arguments, all_received, channel);
  inputs.on_device = is_on_device(receive) || is_on_device(send);
  check_receive_overlap(all_received);
  if (!in_place) check_apart(send, receive, channel.rank());
  inputs.images_send = overwrites_sent || !blocks_are_runs(send);
  inputs.images_receive = !blocks_are_runs(receive);
  inputs.exchange.rank = channel.rank();
  inputs.exchange.kind = inputs.arguments.kind;
  place_blocks(inputs);
  // For kinds in which all ranks learn all sizes, this is checked with the sizes of the others.
  if (!inputs.exchange.kind->all_sizes_known()) check_own_block(send, receive, channel.rank());
  inputs.local_ranks = channel.duplicate->node().local_ranks();
  inputs.ranks_on_cores = channel.duplicate->node().ranks_on_cores();
  inputs.cores = channel.duplicate->node().cores();
  inputs.topology = topology_of(channel, inputs.hints);
  inputs.prices_decide = prepare_prices(channel, inputs.hints, *inputs.exchange.kind, inputs.topology);
  inputs.shares_memory = shares_memory(channel, inputs.hints);
  inputs.plan_buffers = plan_buffers_of(inputs);
  inputs.sends_at_start_only = SendsAtStartOnly::asked();
  return inputs;
}

Inputs readable_by_others(Inputs inputs) {
  const auto copied_out = [](const Side &side) { return !side.plan_allocates && !others_can_read(side); };
  const bool send = !inputs.images_send && copied_out(inputs.arguments.send);
  const bool receive = !inputs.images_receive && copied_out(inputs.arguments.receive);
  if (!send && !receive) return inputs;
  inputs.images_send |= send;
  inputs.images_receive |= receive;
  place_blocks(inputs);
  return inputs;
}

}  // namespace rondo::internal
