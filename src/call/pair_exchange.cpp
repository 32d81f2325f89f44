#include "call/pair_exchange.hpp"

#include <algorithm>
#include <array>
#include <new>

#include "plan/progress.hpp"
#include "wire/agreement.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal::call {

namespace {

// Where things are in the memory of a node with so many ranks: a bell for each rank, a ring for each ordered pair.
struct RingPlaces {
  explicit RingPlaces(int ranks) : members(static_cast<std::uint64_t>(ranks)) {
    constexpr std::uint64_t most_in_all = std::uint64_t{16} << 20;
    constexpr std::uint64_t least = 1024;
    constexpr std::uint64_t most = 65536;
    capacity = std::clamp(most_in_all / (members * members) / line * line, least, most);
  }
  [[nodiscard]] std::uint64_t bell(std::uint64_t member) const { return member * line; }
  [[nodiscard]] std::uint64_t ring(std::uint64_t from, std::uint64_t to) const {
    return members * line + (from * members + to) * (sizeof(RingCounts) + capacity);
  }
  [[nodiscard]] std::uint64_t bytes() const { return ring(members, 0); }

  std::uint64_t members;
  std::uint64_t capacity;
};

template <class End>
End end_of(std::byte *ring, const RingPlaces &places) {
  return End(reinterpret_cast<RingCounts *>(ring), ring + sizeof(RingCounts), places.capacity);
}

}  // namespace

void PairExchange::open(MPI_Comm user, const Wishes &wishes) {
  channel_ = open_channel(user, drive_what_runs);
  std::array<std::int64_t, 3> agreed{wishes.messages_only ? 1 : 0, wishes.node_size, -wishes.node_size};
  Agreement &agreement = channel_.duplicate->agreement();
  agreement.agree(agreed, wishes.fault);
  if (agreed[1] != -agreed[2]) throw Error(Fault::hint, "RONDO_NODE_SIZE is not the same on all ranks");
  const Node &node = channel_.duplicate->node();
  channel_.open_messages();
  leaves_nodes_ = agreed[0] != 0 || node.local_ranks() < ranks() || (agreed[1] > 0 && agreed[1] < ranks());
  patience_ = Patience::of(node.ranks_on_cores(), node.cores());
  bell_ = &alone_;
  // A node without memory for rings goes on without them, as all its ranks know. If a rank fails in any other way, all
  // ranks fail.
  agreement.succeed_together([&] { open_rings(agreed[0] == 0, wishes.node_size); });
}

void PairExchange::open_rings(bool wanted, int pretended_node) {
  const Node &node = channel_.duplicate->node();
  Segment &segment = channel_.duplicate->segment();
  if (!wanted || !segment.works()) return;
  const RingPlaces places(node.local_ranks());
  memory_ = segment.lend(static_cast<std::int64_t>(places.bytes()));
  if (!memory_) return;
  const auto self = static_cast<std::uint64_t>(node.local_rank());
  bell_ = new (memory_.data() + places.bell(self)) Bell;
  for (std::uint64_t from = 0; from < places.members; ++from) {
    new (memory_.data() + places.ring(from, self)) RingCounts{};
  }
  channel_.duplicate->agreement().board()->show({}, nullptr, nullptr);
  for (std::uint64_t member = 0; member < places.members; ++member) {
    const int peer = node.members()[member];
    const bool near = pretended_node == 0 || peer / pretended_node == rank() / pretended_node;
    if (peer == rank() || !near) continue;
    Link &link = links_[peer];
    link.out = end_of<RingWriter>(memory_.data() + places.ring(self, member), places);
    link.in = end_of<RingReader>(memory_.data() + places.ring(member, self), places);
    link.bell = reinterpret_cast<Bell *>(memory_.data() + places.bell(member));
    linked_.push_back(peer);
  }
  // Half a ring, so that a block finds room at once if its writer is no more than one block ahead of the reader.
  most_by_ring_ = static_cast<std::int64_t>(places.capacity / 2);
}

void PairExchange::Queue::push(RingBlock &block) {
  block.next = nullptr;
  (first == nullptr ? first : last->next) = &block;
  last = &block;
}

void PairExchange::Queue::pop() {
  first = first->next;
}

void PairExchange::Queue::forget(const std::atomic<int> *unfinished) {
  std::vector<RingBlock *> others;
  for (RingBlock *block = first; block != nullptr; block = block->next) {
    if (block->unfinished != unfinished) others.push_back(block);
  }
  first = nullptr;
  for (RingBlock *block : others) push(*block);
}

// write() and read() move what they can of a block, and say whether all of it has been moved.
bool PairExchange::write(Link &link, RingBlock &block) const {
  const std::uint64_t written = link.out.write(block.data, block.left);
  if (written > 0) link.bell->ring();
  block.data += written;
  block.left -= written;
  if (block.left == 0) block.unfinished->fetch_sub(1, std::memory_order_relaxed);
  return block.left == 0;
}

bool PairExchange::read(Link &link, RingBlock &block) const {
  const std::uint64_t taken = link.in.read(block.data, block.left);
  if (taken > 0) link.bell->ring();
  block.data += taken;
  block.left -= taken;
  if (block.left == 0) block.unfinished->fetch_sub(1, std::memory_order_relaxed);
  return block.left == 0;
}

void PairExchange::send(RingBlock &block) {
  Link &link = links_[block.peer];
  if (link.sends.first == nullptr && write(link, block)) return;
  link.sends.push(block);
}

void PairExchange::receive(RingBlock &block) {
  Link &link = links_[block.peer];
  if (link.receives.first == nullptr && read(link, block)) return;
  link.receives.push(block);
}

void PairExchange::progress() {
  for (const int peer : linked_) {
    Link &link = links_[peer];
    while (link.receives.first != nullptr && read(link, *link.receives.first)) link.receives.pop();
    while (link.sends.first != nullptr && write(link, *link.sends.first)) link.sends.pop();
  }
}

void PairExchange::forget(const std::atomic<int> *unfinished) {
  for (const int peer : linked_) {
    links_[peer].sends.forget(unfinished);
    links_[peer].receives.forget(unfinished);
  }
}

void PairExchange::check_usable() const {
  if (!broken_) return;
  throw Error::of(Fault::internal,
                  [] { return "an earlier call on this communicator has failed: its ranks are out of step"; });
}

void PairExchange::sleep() {
  bell_->sleep(std::chrono::microseconds(50), [] { return false; });
}

}  // namespace rondo::internal::call
