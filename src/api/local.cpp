#include "api/local.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "plan/progress.hpp"
#include "route/nodes.hpp"
#include "wire/agreement.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

// What a rank says of itself. Ranks agree on the maximum of each, so what is to be a minimum or true on all ranks is
// said as its opposite, and the fingerprint both ways, to see whether it differs.
struct Said {
  std::int64_t smallest_block_negative = INT64_MIN;
  std::int64_t largest_block = 0;
  std::int64_t sent = 0;  // bytes to others
  std::int64_t received = 0;
  std::int64_t peers = 0;  // others with a block
  std::int64_t hints = 0;
  std::int64_t hints_negative = 0;
  std::int64_t send_not_mapped = 0;
  std::int64_t receive_not_mapped = 0;
  std::int64_t shares_no_memory = 0;
  std::int64_t on_device = 0;
  std::int64_t sends_at_start_only = 0;
  std::int64_t native_fault = 0;
  std::int64_t turns = 1;  // ranks of the node on each usable core
};
using SaidValues = std::array<std::int64_t, sizeof(Said) / sizeof(std::int64_t)>;

struct Others {
  std::int64_t bytes = 0;
  std::int64_t blocks = 0;  // that are not empty
};

// Of the blocks for others, or from others. `what` goes into the message where the sum overflows.
Others of_others(const std::vector<Extent> &blocks, int rank, const char *what) {
  Others others;
  for (int peer = 0; peer < static_cast<int>(blocks.size()); ++peer) {
    const std::int64_t bytes = blocks[static_cast<std::size_t>(peer)].length;
    if (peer == rank || bytes == 0) continue;
    others.bytes = checked_add(others.bytes, bytes, what);
    ++others.blocks;
  }
  return others;
}

Said say(const Local &local) {
  const Exchange &exchange = local.exchange;
  Said said;
  for (const auto *side : {&exchange.send, &exchange.receive}) {
    for (const Extent &extent : *side) {
      said.smallest_block_negative = std::max(said.smallest_block_negative, -extent.length);
      said.largest_block = std::max(said.largest_block, extent.length);
    }
  }
  if (!local.arguments.gathers()) {
    const Others destinations = of_others(exchange.send, exchange.rank, "what one rank sends");
    said.sent = destinations.bytes;
    said.peers = destinations.blocks;
  }
  said.received = of_others(exchange.receive, exchange.rank, "what one rank receives").bytes;
  said.hints = local.hints.fingerprint();
  said.hints_negative = -said.hints;
  said.send_not_mapped = local.own.send ? 0 : 1;
  said.receive_not_mapped = local.own.receive ? 0 : 1;
  said.shares_no_memory = local.shares_memory ? 0 : 1;
  said.on_device = local.on_device ? 1 : 0;
  said.sends_at_start_only = local.sends_at_start_only ? 1 : 0;
  said.native_fault = static_cast<std::int64_t>(local.arguments.native_fault);
  said.turns = (local.ranks_on_cores + local.cores - 1) / local.cores;
  return said;
}

// As Case has it: null where there is none.
const char *describe(NativeFault fault) {
  switch (fault) {
    case NativeFault::none: return nullptr;
    case NativeFault::types_in_place: return "MPICH 4.0 fails where the types of an alltoallw in place differ";
    case NativeFault::repeated_neighbors:
      return "this MPI library mixes up the blocks of neighbours that are the same rank";
  }
  return nullptr;
}

void check_self(const Exchange &exchange) {
  const std::int64_t sent = exchange.send[static_cast<std::size_t>(exchange.rank)].length;
  const std::int64_t received = exchange.receive[static_cast<std::size_t>(exchange.rank)].length;
  if (sent == received) return;
  throw Error(Fault::mismatch, fmt::format("rank {} sends {} bytes to itself, but receives {} bytes from itself",
                                           exchange.rank, sent, received))
      .with_peer(exchange.rank)
      .with_values(sent, received);
}

// The receive side of an all-gather in place as the caller gave it.
Side with_own(const Side &receive, const Side &send, int rank) {
  Side whole = receive;
  for (Part own : send.parts) {
    own.peer = rank;
    whole.parts.push_back(own);
  }
  whole.types = send.types;
  return whole;
}

// Where the hints of some rank are not those of rank 0: throws, on all ranks, what the lowest such rank sees.
// Collective; takes no memory but for the text, as Error::of.
[[noreturn]] void tell_difference(const Channel &channel, const Hints &hints) {
  constexpr const char *differ = "the hints are not the same on all ranks";
  std::array<char, 4096> first{};
  if (channel.rank() == 0) hints.text.copy(first.data(), first.size() - 1);
  check_mpi(MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_CHAR, 0, channel.comm()), "MPI_Bcast");
  const std::string_view text = first.data();
  std::optional<Error> fault;
  if (std::string_view(hints.text).substr(0, first.size() - 1) != text) {
    fault =
        Error::of(Fault::hint, [&] { return fmt::format("{}: {}", differ, difference(hints, text, 0)); }).with_peer(0);
  }
  agree(channel.comm(), {}, fault);
  throw Error::of(Fault::hint, [&] { return differ; });  // they differ beyond the characters that were compared
}

// The node map that routes see: the real one, or smaller nodes when rondo_node_size pretends them.
Topology topology_of(const Channel &channel, const Hints &hints) {
  const std::vector<int> &node_of = channel.duplicate->node().node_of();
  return {.ranks = channel.ranks(),
          .node_of = hints.node_size > 0 ? pretend_nodes(node_of, hints.node_size) : node_of,
          .second_group = channel.duplicate->second_group()};
}

}  // namespace

void read_local(const std::function<Arguments()> &read_arguments, MPI_Info info, const Channel &channel, Local &local) {
  local.hints = parse_hints(info);
  local.arguments = read_arguments();
  Side &send = local.arguments.send;
  Side &receive = local.arguments.receive;
  const bool in_place = local.arguments.in_place;
  const bool gathers = local.arguments.gathers();
  check_side(receive, "receive", channel.comm());
  if (in_place && !gathers) {
    send = receive;
  } else {
    check_side(send, "send", channel.comm());
  }
  local.on_device = is_on_device(receive) || is_on_device(send);
  check_receive_overlap(in_place && gathers ? with_own(receive, send, channel.rank()) : receive);
  if (!in_place) check_apart(send, receive, channel.rank());
  // Others are to read no memory that they cannot, such as a device's: what lies there is copied out of it first.
  const bool others_read = !local.hints.messages_only() && channel.duplicate->segment().can_attach();
  const auto lies_well = [&](const Side &side) {
    return blocks_are_runs(side) && (!others_read || side.plan_allocates || others_can_read(side));
  };
  local.images_send = (in_place && !gathers) || !lies_well(send);
  local.images_receive = !lies_well(receive);
  local.exchange.rank = channel.rank();
  local.exchange.send = local.images_send ? extents_packed(send) : extents_in_buffer(send);
  local.exchange.receive = local.images_receive ? extents_packed(receive) : extents_in_buffer(receive);
  if (!gathers) check_self(local.exchange);
  if (!in_place && send.plan_allocates && !local.images_send) local.own.send = reach(send);
  if (!in_place && receive.plan_allocates && !local.images_receive) local.own.receive = reach(receive);
  local.local_ranks = channel.duplicate->node().local_ranks();
  local.ranks_on_cores = channel.duplicate->node().ranks_on_cores();
  local.cores = channel.duplicate->node().cores();
  local.topology = topology_of(channel, local.hints);
  local.shares_memory =
      !local.hints.messages_only() && (local.local_ranks == 1 || channel.duplicate->segment().works());
  local.sends_at_start_only = SendsAtStartOnly::asked();
}

Agreed agree_features(const Channel &channel, std::optional<Error> fault, Local &local) {
  SaidValues values{};
  if (!fault) fault = fault_of([&] { values = std::bit_cast<SaidValues>(say(local)); });
  agree(channel.comm(), values, fault, await_driving);
  const Said most = std::bit_cast<Said>(values);
  if (most.hints != -most.hints_negative) tell_difference(channel, local.hints);
  const bool only_shared = most.shares_no_memory == 0 && count_nodes(local.topology) <= 1;
  return {.features = {.situation = {std::move(local.topology), -most.smallest_block_negative, most.largest_block,
                                     describe(static_cast<NativeFault>(most.native_fault)),
                                     most.sends_at_start_only != 0 && !only_shared},
                       .most_sent = most.sent,
                       .most_peers = most.peers,
                       .shares_memory = most.shares_no_memory == 0,
                       .turns = most.turns},
          .most_received = most.received,
          .send_mapped = most.send_not_mapped == 0,
          .receive_mapped = most.receive_not_mapped == 0,
          .on_device = most.on_device != 0};
}

}  // namespace rondo::internal
