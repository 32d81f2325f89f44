#include "pmpi/pair_exchange.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <optional>

#include "api/hints.hpp"
#include "plan/progress.hpp"
#include "wire/agreement.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal::pmpi {

namespace {

// Where things are in the memory of a node with so many ranks: a bell for each rank, a ring for each ordered pair.
struct Layout {
  explicit Layout(int ranks) : members(static_cast<std::uint64_t>(ranks)) {
    constexpr std::uint64_t most_in_all = std::uint64_t{16} << 20;
    constexpr std::uint64_t least = 1024;
    constexpr std::uint64_t most = 65536;
    capacity = std::clamp(most_in_all / (members * members) / call::line * call::line, least, most);
  }
  [[nodiscard]] std::uint64_t bell(std::uint64_t member) const { return member * call::line; }
  [[nodiscard]] std::uint64_t ring(std::uint64_t from, std::uint64_t to) const {
    return members * call::line + (from * members + to) * (sizeof(call::RingCounts) + capacity);
  }
  [[nodiscard]] std::uint64_t bytes() const { return ring(members, 0); }

  std::uint64_t members;
  std::uint64_t capacity;
};

template <class End>
End end_of(std::byte *ring, const Layout &layout) {
  return End(reinterpret_cast<call::RingCounts *>(ring), ring + sizeof(call::RingCounts), layout.capacity);
}

}  // namespace

void PairExchange::open(MPI_Comm user) {
  channel_ = open_channel(user, await_driving);
  // The hints of the environment may be wrong, or differ between ranks.
  Hints hints;
  const std::optional<Error> fault = fault_of([&] { hints = parse_hints(MPI_INFO_NULL); });
  std::array<std::int64_t, 3> agreed{hints.messages_only() ? 1 : 0, hints.node_size, -hints.node_size};
  agree(comm(), agreed, fault);
  if (agreed[1] != -agreed[2]) throw Error(Fault::hint, "RONDO_NODE_SIZE is not the same on all ranks");
  const Node &node = channel_.duplicate->node();
  leaves_nodes_ = agreed[0] != 0 || node.local_ranks() < ranks() || (agreed[1] > 0 && agreed[1] < ranks());
  patience_ = Patience::of(node.ranks_on_cores(), node.cores());
  bell_ = &alone_;
  // A node that has no memory for rings has none, and knows it; where it has none for what leads there, all give up.
  succeed_together(comm(), [&] { open_rings(agreed[0] == 0, hints.node_size); });
}

void PairExchange::open_rings(bool wanted, int pretended_node) {
  const Node &node = channel_.duplicate->node();
  Segment &segment = channel_.duplicate->segment();
  if (!wanted || !segment.works()) return;
  const Layout layout(node.local_ranks());
  memory_ = segment.lend(static_cast<std::int64_t>(layout.bytes()));
  if (!memory_) return;
  const auto self = static_cast<std::uint64_t>(node.local_rank());
  bell_ = new (memory_.data() + layout.bell(self)) Bell;
  for (std::uint64_t from = 0; from < layout.members; ++from) {
    new (memory_.data() + layout.ring(from, self)) call::RingCounts{};
  }
  check_mpi(PMPI_Barrier(node.comm()), "MPI_Barrier");
  for (std::uint64_t member = 0; member < layout.members; ++member) {
    const int peer = node.members()[member];
    const bool near = pretended_node == 0 || peer / pretended_node == rank() / pretended_node;
    if (peer == rank() || !near) continue;
    Link &link = links_[static_cast<std::size_t>(peer)];
    link.out = end_of<call::RingWriter>(memory_.data() + layout.ring(self, member), layout);
    link.in = end_of<call::RingReader>(memory_.data() + layout.ring(member, self), layout);
    link.bell = reinterpret_cast<Bell *>(memory_.data() + layout.bell(member));
    linked_.push_back(peer);
  }
  // A block of this size is in the ring when its call returns, if the one before it has been taken.
  most_by_ring_ = static_cast<std::int64_t>(layout.capacity / 2);
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

// Both give whether the block is through.
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
  Link &link = links_[static_cast<std::size_t>(block.peer)];
  if (link.sends.first == nullptr && write(link, block)) return;
  link.sends.push(block);
}

void PairExchange::receive(RingBlock &block) {
  Link &link = links_[static_cast<std::size_t>(block.peer)];
  if (link.receives.first == nullptr && read(link, block)) return;
  link.receives.push(block);
}

void PairExchange::progress() {
  for (const int peer : linked_) {
    Link &link = links_[static_cast<std::size_t>(peer)];
    while (link.receives.first != nullptr && read(link, *link.receives.first)) link.receives.pop();
    while (link.sends.first != nullptr && write(link, *link.sends.first)) link.sends.pop();
  }
}

void PairExchange::forget(const std::atomic<int> *unfinished) {
  for (const int peer : linked_) {
    links_[static_cast<std::size_t>(peer)].sends.forget(unfinished);
    links_[static_cast<std::size_t>(peer)].receives.forget(unfinished);
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

}  // namespace rondo::internal::pmpi
