#include "varying/node_links.hpp"

#include <algorithm>
#include <bit>
#include <new>

#include "varying/slot_places.hpp"
#include "wire/agreement.hpp"
#include "wire/attach.hpp"
#include "wire/make_pages.hpp"
#include "wire/page.hpp"

namespace rondo::internal {

namespace {

// Where things are in the memory of the node: a bell for each rank, then slots and data for each ordered pair.
struct LinkPlaces {
  explicit LinkPlaces(std::int64_t ranks) : members(ranks), slots(places_of_pair(ranks)) {}
  [[nodiscard]] std::int64_t bell(std::int64_t member) const { return member * cache_line; }
  [[nodiscard]] std::int64_t slots_of(std::int64_t from, std::int64_t to) const { return slots_of(pair(from, to)); }
  [[nodiscard]] std::int64_t all_data() const { return up_to(page, slots_of(pairs(members))); }
  [[nodiscard]] std::int64_t data(std::int64_t from, std::int64_t to) const { return data(pair(from, to)); }
  [[nodiscard]] std::int64_t bytes() const { return data(pairs(members)); }
  // What is there from the beginning: the slots, and all where that is little.
  [[nodiscard]] std::int64_t made() const { return bytes() <= little ? bytes() : all_data(); }
  [[nodiscard]] SlotMemory link(std::byte *memory, std::int64_t from, std::int64_t to) const {
    return {memory + slots_of(from, to), memory + data(from, to), made() == bytes()};
  }

  static constexpr std::int64_t little = std::int64_t{1} << 20;
  static constexpr std::int64_t most_mapped = 2 * little;  // the slots of twenty ranks

  std::int64_t members;
  SlotPlaces slots;

 private:
  // Ordered pairs of two ranks, and the number of one of them.
  static std::int64_t pairs(std::int64_t ranks) { return ranks * (ranks - 1); }
  [[nodiscard]] std::int64_t pair(std::int64_t from, std::int64_t to) const {
    return from * (members - 1) + to - (to > from ? 1 : 0);
  }
  [[nodiscard]] std::int64_t slots_of(std::int64_t pair) const { return bell(members) + pair * slots.slots_bytes(); }
  [[nodiscard]] std::int64_t data(std::int64_t pair) const { return all_data() + pair * slots.data_bytes(); }

  static SlotPlaces places_of_pair(std::int64_t ranks) {
    constexpr std::int64_t most_in_all = std::int64_t{32} << 20;
    const std::int64_t slots = most_slots_among(ranks);
    const std::int64_t most = SlotPlaces{.slots = slots, .ring_bytes = 128 << 10, .tray_bytes = 128 << 10}.bytes();
    return SlotPlaces::within(
        std::clamp(most_in_all / std::max<std::int64_t>(1, pairs(ranks)), SlotPlaces::least_bytes, most), slots);
  }
  // As many as let the slots of all links of a rank, which it goes through in turn, stay near its core, and no fewer
  // than leave a full ring its parts.
  static std::int64_t most_slots_among(std::int64_t ranks) {
    constexpr std::int64_t most_of_rank = 80 << 10;
    const std::int64_t links = 2 * std::max<std::int64_t>(1, ranks - 1);
    const auto wanted = static_cast<std::uint64_t>(most_of_rank / SlotPlaces::slot_bytes / links);
    return std::clamp(static_cast<std::int64_t>(std::bit_floor(wanted)), 2 * SlotPlaces::most_parts,
                      SlotPlaces::most_slots);
  }
};

// Memory of the links' own, of which few ranks' is mapped as far as it is there: each page would take a microsecond or
// more when it is used first, which is in the program's first calls. (What is lent may be mapped already.)
Lease lend_mapped(Segment &segment, const LinkPlaces &places) {
  Lease memory = segment.lend_zeroed(places.bytes(), places.made());
  if (memory && places.made() <= LinkPlaces::most_mapped) make_pages(memory.data(), places.made());
  return memory;
}

// Collective over the node: takes the memory of the links inside it, and clears this rank's part, unless all is zero.
// Empty where there is none.
Lease meet_node(const Channel &channel, const LinkPlaces &places, LinkMemory kind) {
  Segment &segment = channel.duplicate->segment();
  if (!segment.works()) return Lease();
  if (kind == LinkMemory::own) return lend_mapped(segment, places);
  Lease memory = segment.lend_growing(places.bytes(), places.made());
  if (!memory) return memory;
  const int self = channel.duplicate->node().local_rank();
  new (memory.data() + places.bell(self)) Bell;
  for (std::int64_t from = 0; from < places.members; ++from) {
    if (from == self) continue;
    SlotEnd::clear(memory.data() + places.slots_of(from, self), places.slots);
  }
  channel.duplicate->agreement().board()->show({}, nullptr, nullptr);
  return memory;
}

// Data of so many bytes is read from where it lies. Up to twice what the ring has room for, the writer needs one turn
// more on its core at most; from there on it takes less time to read than to wait for turns.
std::int64_t least_read(std::int64_t ring_bytes, std::int64_t turns) {
  return rings_are_faster(turns) ? 2 * ring_bytes : ring_bytes;
}

}  // namespace

NodeLinks open_node_links(const Channel &channel, std::span<const int> node_of, const LinkUse &use) {
  const Node &node = channel.duplicate->node();
  const Segment &segment = channel.duplicate->segment();
  const LinkPlaces places(node.local_ranks());
  NodeLinks links{.memory = meet_node(channel, places, use.memory)};
  if (!links.memory) return links;
  std::byte *const memory = links.memory.data();
  const int self = node.local_rank();
  links.bell = reinterpret_cast<Bell *>(memory + places.bell(self));
  links.ring_bytes = places.slots.ring_bytes;
  links.reads_others = use.beyond_ring == BeyondRing::read && segment.can_attach();
  links.to.resize(channel.ranks());
  for (int member = 0; member < node.local_ranks(); ++member) {
    const int peer = node.members()[member];
    if (member == self || node_of[peer] != node_of[channel.rank()]) continue;
    SlotPeer other{peer, reinterpret_cast<Bell *>(memory + places.bell(member))};
    other.has_core = node.turns() == 1;
    other.send_memory = use.send_memory;
    if (links.reads_others) {
      other.process = segment.process(member);
      other.least_read = least_read(links.ring_bytes, node.turns());
    }
    links.to[peer] = std::make_unique<SlotLink>(places.link(memory, self, member), places.link(memory, member, self),
                                                places.slots, other, use.metadata, use.mark);
  }
  return links;
}

}  // namespace rondo::internal
