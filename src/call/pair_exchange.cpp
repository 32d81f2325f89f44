#include "call/pair_exchange.hpp"

#include <array>
#include <optional>
#include <vector>

#include "plan/progress.hpp"
#include "route/nodes.hpp"
#include "varying/metadata.hpp"
#include "wire/agreement.hpp"
#include "wire/device_memory.hpp"

namespace rondo::internal::call {

namespace {

// A block that would go round the ring so many times goes by MPI: with rings of 128 KiB, from 4 MiB on. What has gaps
// is packed as a whole for a link, so there is a limit to the memory which that takes; and two copies through a ring
// are the faster way up to there (docs/interposer.md).
constexpr std::int64_t long_data_rounds = 32;

// Blocks that are shorter go by a link. A library that knows GPUs copies from one to another faster than by way of the
// processors' memory. Where ranks take turns, and cannot read each other's memory, each cut would need a turn of both.
std::int64_t least_by_message(const NodeLinks &links, bool may_have_device_memory, bool takes_turns) {
  if (!links.memory) return 0;
  const bool only_short = may_have_device_memory || (takes_turns && !links.reads_others);
  return only_short ? links.ring_bytes / 4 : long_data_rounds * links.ring_bytes;
}

}  // namespace

void PairExchange::open(MPI_Comm user, const Wishes &wishes) {
  channel_ = open_channel(user, drive_what_runs);
  std::array<std::int64_t, 6> agreed{
      wishes.messages_only ? 1 : 0,       wishes.node_size,       -wishes.node_size, may_have_device_memory() ? 1 : 0,
      channel_.duplicate->node().turns(), wishes.repeated ? 1 : 0};
  const Node &node = channel_.duplicate->node();
  std::vector<int> node_of;
  std::optional<Error> fault = wishes.fault;
  if (!fault) {
    fault = fault_of(
        [&] { node_of = wishes.node_size > 0 ? pretend_nodes(node.node_of(), wishes.node_size) : node.node_of(); });
  }
  Agreement &agreement = channel_.duplicate->agreement();
  agreement.agree(agreed, fault);
  if (agreed[1] != -agreed[2]) throw Error(Fault::hint, "RONDO_NODE_SIZE is not the same on all ranks");
  channel_.open_messages();
  leaves_nodes_ = agreed[0] != 0 || node.local_ranks() < ranks() || (agreed[1] > 0 && agreed[1] < ranks());
  repeated_neighbors_ = agreed[5] != 0;
  patience_ = Patience::of(node.ranks_on_cores(), node.cores());
  // A node without memory for links goes on without them, as all its ranks know. If a rank fails in any other way, all
  // ranks fail.
  agreement.succeed_together([&] {
    if (agreed[0] != 0) return;
    links_ = open_node_links(channel_, node_of, Metadata::joined, long_data_rounds);
    least_by_message_ = least_by_message(links_, agreed[3] != 0, agreed[4] > 1);
  });
}

// What has been begun to be sent may change from now on.
void PairExchange::break_off() {
  broken_ = true;
  for (const auto &link : links_.to) {
    if (link) link->withdraw();
  }
}

void PairExchange::check_usable() const {
  if (!broken_) return;
  throw Error::of(Fault::internal,
                  [] { return "an earlier call on this communicator has failed: its ranks are out of step"; });
}

void PairExchange::sleep() {
  Bell *const bell = links_.memory ? links_.bell : &alone_;
  bell->sleep(std::chrono::microseconds(50), [] { return false; });
}

}  // namespace rondo::internal::call
