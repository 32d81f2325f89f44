#include "wire/shared_region.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>
#include <utility>

#include "exchange/error.hpp"

namespace rondo::internal {

std::int64_t sum_of_areas(std::span<const std::int64_t> areas) {
  return std::accumulate(areas.begin(), areas.end(), std::int64_t{0});
}

SharedRegion::SharedRegion(SharedLayout layout, const NodeAccess &node, std::shared_ptr<const NodeTables> known)
    : layout_(std::move(layout)),
      index_of_(static_cast<std::size_t>(node.ranks()), -1),
      peers_(layout_.group().members.size()) {
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    peers_[i].rank = layout_.group().members[i];
    index_of_[peers_[i].rank] = static_cast<int>(i);
    if (peers_[i].rank == node.rank()) own_ = i;
  }
  if (known) {
    area_bytes_ = known->areas();
    know(std::move(known));
  } else {
    area_bytes_.resize(node.members().size());
  }
}

void SharedRegion::know(std::shared_ptr<const NodeTables> tables) {
  tables_ = std::move(tables);
  for (std::size_t place = 0; place < peers_.size(); ++place) peers_[place].table = &tables_->peer(place);
}

void SharedRegion::open(NodeAccess &node, const std::byte *send_base, const std::byte *receive_base) {
  place_areas(node);
  write_area();
  move_to(send_base, receive_base);
}

void SharedRegion::place_areas(NodeAccess &node) {
  const std::int64_t total = sum_of_areas(area_bytes_);
  lease_ = node.lend(total);
  if (!lease_) throw Error(Fault::no_memory, "shared memory for a plan cannot be had").with_values(total);

  std::int64_t offset = 0;
  for (int local = 0; local < static_cast<int>(area_bytes_.size()); ++local) {
    const int member = index_of_[node.members()[local]];
    if (member >= 0) {
      peers_[member].area = offset;
      peers_[member].process = node.process(local);
    }
    offset += area_bytes_[local];
  }
}

// Clears what an earlier plan has left in this memory: its flags would look raised, and its data must not show in
// buffers that the plan allocates. Inboxes and scratch are not cleared. What a start reads there it has written before,
// except for padding, which is not used.
void SharedRegion::write_area() {
  std::memset(area(own()), 0, layout_.offsets().banks);
  AreaHead &head = *new (area(own())) AreaHead{};
  head.offsets = layout_.offsets();
  head.reads_once = layout_.reads_once() ? 1 : 0;
  for (int bank = 0; bank < layout_.banks(); ++bank) lower_flags(bank);
  const auto clear = [](std::byte *base, const std::optional<Extent> &buffer) {
    if (buffer) std::memset(base + buffer->offset, 0, buffer->length);
  };
  clear(send_base(), layout_.buffers().send);
  clear(receive_base(), layout_.buffers().receive);
  layout_.table().write(area(own()) + sizeof(AreaHead), head);
}

void SharedRegion::lower_flags(int bank) const {
  std::byte *const base = own_bank(bank);
  auto *counters = reinterpret_cast<ArrivalCounter *>(base);
  for (int step = 0; step < layout_.arrival_counters(); ++step) new (&counters[step]) ArrivalCounter{};
  const auto lower = [&](const SharedEnd &end, int flags) {
    for (int flag = 0; flag < flags; ++flag) new (base + end.flag + flag * cache_line) Flag{};
  };
  for (const SharedEnd &end : layout_.table().receives) lower(end, layout_.flags_of_receive(end.bytes));
  for (const SharedEnd &end : layout_.table().sends) lower(end, layout_.flags_of_send(end.bytes));
}

void SharedRegion::read_tables() {
  auto tables = std::make_shared<NodeTables>(area_bytes_, layout_.table().full, peers_.size());
  for (const Peer &peer : peers_) tables->add(head(peer), area(peer) + sizeof(AreaHead), own().rank);
  know(std::move(tables));
}

void SharedRegion::move_to(const std::byte *send_base, const std::byte *receive_base) const {
  ProcessBases &bases = head(own()).process;
  bases.send.store(reinterpret_cast<std::intptr_t>(send_base), std::memory_order_relaxed);
  bases.receive.store(reinterpret_cast<std::intptr_t>(receive_base), std::memory_order_relaxed);
}

void SharedRegion::withdraw() const {
  head(own()).process.withdrawn.store(1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
}

std::byte *SharedRegion::address(const Peer &owner, int bank, const Piece &piece) const {
  const AreaOffsets &offsets = owner.table->offsets;
  switch (piece.base) {
    case Base::bank: return bank_base(owner, bank) + piece.offset;
    case Base::scratch: return bank_base(owner, bank) + offsets.scratch + piece.offset;
    case Base::send_buffer: return area(owner) + offsets.send_buffer + piece.offset;
    case Base::receive_buffer: return area(owner) + offsets.receive_buffer + piece.offset;
    case Base::process_send:
    case Base::process_receive: break;
  }
  throw Error(Fault::internal, "a message lies in memory that is not shared");
}

bool SharedRegion::marks_awaited() const {
  const auto &receives = layout_.table().receives;
  return std::any_of(receives.begin(), receives.end(), [](const SharedEnd &end) { return end.free_from > 0; });
}

void SharedRegion::name_not_begun(std::uint64_t start, std::set<int> &ranks) const {
  for (const Peer &peer : peers_) {
    if (!up(&head(peer).last_begun, start)) ranks.insert(peer.rank);
  }
}

}  // namespace rondo::internal
