#include "api/agreed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "api/earlier.hpp"
#include "plan/progress.hpp"
#include "route/nodes.hpp"
#include "wire/agreement.hpp"
#include "wire/attach.hpp"
#include "wire/mpi_call.hpp"
#include "wire/shared_layout.hpp"
#include "wire/validate.hpp"

namespace rondo::internal {

namespace {

// What a rank gives to the reduction, which returns the maximum of each figure. For a minimum the negative number is
// given; for something that must be true on all ranks, whether it is false. Of the hints' fingerprint both the number
// and its negative are given: if they do not match in the result, the hints differ.
struct Figures {
  std::int64_t smallest_block_negative = INT64_MIN;
  std::int64_t largest_block = 0;
  std::int64_t sent = 0;  // bytes to others
  std::int64_t received = 0;
  std::int64_t peers = 0;  // others with a block
  std::int64_t hints = 0;
  std::int64_t hints_negative = 0;
  std::int64_t send_not_allocated = 0;
  std::int64_t receive_not_allocated = 0;
  std::int64_t shares_no_memory = 0;
  std::int64_t copies_by_messages = 0;  // may copy elements with gaps by messages to itself
  std::int64_t on_device = 0;
  std::int64_t sends_at_start_only = 0;
  std::int64_t native_fault = 0;
  std::int64_t native_piece = 0;
  std::int64_t native_piece_negative = 0;
  std::int64_t turns = 1;  // ranks of the node on each usable core
  std::int64_t node_ranks = 1;
  std::int64_t both_ways = 0;  // sends to others, and receives from others
};
static_assert(sizeof(Figures) == sizeof(FigureValues));

struct Others {
  std::int64_t bytes = 0;
  std::int64_t blocks = 0;  // that are not empty
};

// The bytes and the number of the blocks that are not of this rank itself. `what` names the sum in the error if it
// overflows.
Others of_others(const std::vector<Extent> &blocks, int rank, const char *what) {
  Others others;
  for (int peer = 0; peer < static_cast<int>(blocks.size()); ++peer) {
    const std::int64_t bytes = blocks[peer].length;
    if (peer == rank || bytes == 0) continue;
    others.bytes = checked_add(others.bytes, bytes, what);
    ++others.blocks;
  }
  return others;
}

Figures figures_of(const Channel &channel, const Inputs &inputs) {
  const Exchange &exchange = inputs.exchange;
  Figures figures;
  for (const auto *side : {&exchange.send, &exchange.receive}) {
    for (const Extent &extent : *side) {
      figures.smallest_block_negative = std::max(figures.smallest_block_negative, -extent.length);
      figures.largest_block = std::max(figures.largest_block, extent.length);
    }
  }
  if (!exchange.kind->all_sizes_known()) {  // else all sizes are learned
    const Others destinations = of_others(exchange.send, exchange.rank, "what one rank sends");
    figures.sent = destinations.bytes;
    figures.peers = destinations.blocks;
  }
  figures.received = of_others(exchange.receive, exchange.rank, "what one rank receives").bytes;
  figures.both_ways = figures.sent > 0 && figures.received > 0 ? 1 : 0;
  figures.hints = inputs.hints.fingerprint();
  figures.hints_negative = -figures.hints;
  figures.send_not_allocated = inputs.plan_buffers.send ? 0 : 1;
  figures.receive_not_allocated = inputs.plan_buffers.receive ? 0 : 1;
  figures.shares_no_memory = inputs.shares_memory ? 0 : 1;
  figures.copies_by_messages = inputs.local_ranks == 1 && (inputs.images_send || inputs.images_receive) ? 1 : 0;
  figures.on_device = inputs.on_device ? 1 : 0;
  figures.sends_at_start_only = inputs.sends_at_start_only ? 1 : 0;
  figures.native_fault = static_cast<std::int64_t>(inputs.arguments.native_fault);
  figures.native_piece = inputs.arguments.native_piece;
  figures.native_piece_negative = -figures.native_piece;
  figures.node_ranks = channel.duplicate->node().local_ranks();
  figures.turns = channel.duplicate->node().turns();
  return figures;
}

// Why `native` does not serve, or null where it does: the value of Case::native_fault.
const char *describe(NativeFault fault) {
  switch (fault) {
    case NativeFault::none: return nullptr;
    case NativeFault::types_in_place: return "MPICH 4.0 fails where the types of an alltoallw in place differ";
    case NativeFault::repeated_neighbors:
      return "this MPI library mixes up the blocks of neighbours that are the same rank";
    case NativeFault::long_own_block:
      return "Open MPI 4.1 copies more than 64 KiB of a datatype with gaps to the same rank wrongly in an alltoallw";
    case NativeFault::neighbors_uneven:
      return "MPICH 4.0 mixes up counts in a neighbor_alltoallw of a rank with more neighbours on one side";
    case NativeFault::backward_elements:
      return "MPICH 4.0 does not end an allgatherv of long blocks whose elements lie backwards";
    case NativeFault::pieces_differ:
      return "MPICH 4.0 cuts long blocks of an allgatherv by elements, which are not the same on all ranks";
    case NativeFault::some_empty_in_place:
      return "Open MPI 4.1 mixes up long blocks of an alltoallv in place that does not wait, where others are empty";
  }
  return nullptr;
}

// Whether long messages are to be read from the senders' memory. With a progress thread the receiver's thread does all
// the copying; if messages were pushed, the start would do half of it.
bool attaches(const Hints &hints, bool exceeds_inboxes, std::int64_t turns) {
  if (hints.messages_only() || hints.long_messages == LongMessages::rings) return false;
  if (hints.progress_thread) return true;
  return exceeds_inboxes && reads_senders(hints.long_messages, turns);
}

// The regions that no rank has just shown to use by this figure, where they have shown it to all: the board then holds
// what each rank has brought, and not only the maxima.
std::optional<std::uint64_t> free_regions_by(const Channel &channel, std::size_t figure) {
  const Board *const board = channel.duplicate->agreement().board();
  if (board == nullptr || channel.duplicate->node().local_ranks() < channel.ranks()) return std::nullopt;
  return ~board->any_bits(figure);
}

}  // namespace

bool reads_senders(LongMessages asked, std::int64_t turns) {
  constexpr std::int64_t most_turns = 2;
  if (asked != LongMessages::automatic) return asked == LongMessages::attach;
  return turns > most_turns || !rings_are_faster(turns);
}

void tell_difference(const Channel &channel, const Hints &hints) {
  constexpr const char *differ = "the hints are not the same on all ranks";
  std::array<char, 4096> first{};
  if (channel.rank() == 0) hints.text.copy(first.data(), first.size() - 1);
  channel.open_messages();
  check_mpi(MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_CHAR, 0, channel.comm()), "MPI_Bcast");
  const std::string_view text = first.data();
  std::optional<Error> fault;
  if (std::string_view(hints.text).substr(0, first.size() - 1) != text) {
    fault =
        Error::of(Fault::hint, [&] { return fmt::format("{}: {}", differ, difference(hints, text, 0)); }).with_peer(0);
  }
  channel.duplicate->agreement().agree({}, fault);
  throw Error::of(Fault::hint, [&] { return differ; });  // in characters that were not compared
}

Agreed agree_on(const Channel &channel, std::optional<Error> fault, const Inputs &inputs) {
  Agreed agreed;
  std::array<std::int64_t, std::tuple_size_v<FigureValues> + 3> values{};
  if (!fault) {
    fault = fault_of([&] {
      agreed.features.situation.topology = inputs.topology;
      agreed.features.kind = inputs.exchange.kind;
      agreed.own_figures = std::bit_cast<FigureValues>(figures_of(channel, inputs));
      const std::int64_t earlier = EarlierPlans::of(channel).find(inputs, agreed.own_figures);
      auto *const further = std::copy(agreed.own_figures.begin(), agreed.own_figures.end(), values.begin());
      further[0] = earlier;
      further[1] = -earlier;
      further[2] = static_cast<std::int64_t>(channel.duplicate->segment().used_regions());
    });
  }
  // From here on no memory is taken, since other ranks could not be told if there were none.
  channel.duplicate->agreement().agree(values, fault, drive_what_runs, inputs.hints.stall_timeout);
  FigureValues maxima{};
  std::copy_n(values.begin(), maxima.size(), maxima.begin());
  const Figures most = std::bit_cast<Figures>(maxima);
  if (most.hints != -most.hints_negative) tell_difference(channel, inputs.hints);
  const bool only_shared = most.shares_no_memory == 0 && count_nodes(agreed.topology()) <= 1;
  Features &features = agreed.features;
  features.situation.smallest_block = -most.smallest_block_negative;
  features.situation.largest_block = most.largest_block;
  const bool pieces_differ = most.native_piece != -most.native_piece_negative;
  const auto native_fault = pieces_differ ? NativeFault::pieces_differ : static_cast<NativeFault>(most.native_fault);
  features.situation.native_fault = describe(native_fault);
  features.situation.sends_at_start_only = most.sends_at_start_only != 0 && !only_shared;
  features.most_sent = most.sent;
  features.most_peers = most.peers;
  features.one_way = most.sent > 0 && most.both_ways == 0;
  features.shares_memory = most.shares_no_memory == 0;
  features.turns = most.turns;
  const std::int64_t most_moved = std::max(most.sent, most.received);
  const int node_ranks = static_cast<int>(most.node_ranks);
  if (only_shared) features.banks = banks_for(features.one_way, most.turns, most_moved, node_ranks);
  agreed.needs_messages = !only_shared || most.copies_by_messages != 0;
  agreed.most_received = most.received;
  agreed.send_allocated = most.send_not_allocated == 0;
  agreed.receive_allocated = most.receive_not_allocated == 0;
  agreed.on_device = most.on_device != 0;
  agreed.exceeds_inboxes = most_moved > most_in_inboxes(node_ranks);
  agreed.attaches_somewhere = attaches(inputs.hints, agreed.exceeds_inboxes, most.turns);
  agreed.attaches = agreed.attaches_somewhere && channel.duplicate->segment().can_attach();
  const std::int64_t earlier = values[maxima.size()];
  agreed.earlier = earlier == -values[maxima.size() + 1] ? earlier : 0;
  agreed.free_regions = free_regions_by(channel, values.size() - 1);
  if (inputs.exchange.kind->all_sizes_known()) {
    features.bytes = sizes_of_all(inputs.exchange, agreed.topology(), inputs.arguments.in_place, channel);
  } else if (inputs.hints.validate) {
    validate(inputs.exchange, channel);
  }
  return agreed;
}

}  // namespace rondo::internal
