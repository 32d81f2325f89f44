#include "schedule/compact.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "schedule/layout.hpp"

namespace rondo::internal {

namespace {

// Slots of scratch that are lent to blocks. A slot grows to the largest block that it ever holds.
class Slots {
 public:
  // The free slot that fits best: the smallest that is large enough, else the largest, which then grows.
  std::size_t lend(std::int64_t bytes) {
    auto fit = free_.lower_bound(bytes);
    if (fit == free_.end() && fit != free_.begin()) --fit;
    std::size_t slot = room_.size();
    if (fit == free_.end()) {
      room_.push_back(0);
    } else {
      slot = fit->second;
      free_.erase(fit);
    }
    room_[slot] = std::max(room_[slot], bytes);
    return slot;
  }
  void take_back(std::size_t slot) { free_.emplace(room_[slot], slot); }

  // The offset of each slot, and at the end the bytes of all.
  [[nodiscard]] std::vector<std::int64_t> offsets() const {
    std::vector<std::int64_t> offsets{0};
    for (const std::int64_t room : room_) offsets.push_back(checked_add(offsets.back(), room, "scratch"));
    return offsets;
  }

 private:
  std::vector<std::int64_t> room_;
  std::multimap<std::int64_t, std::size_t> free_;
};

constexpr std::size_t no_slot = static_cast<std::size_t>(-1);

// The slot of each receive entry whose block rests here.
std::vector<std::size_t> lend_slots(const LayoutInput &p, Reuse reuse, Slots &slots) {
  const Route &route = p.route;
  const auto blocks = route.receives.blocks();
  const auto rests = [&](std::size_t entry) {
    return p.forwarding.departure[entry] != ForwardingTable::final && !p.exchange.ends_here(blocks[entry]) &&
           p.sizes.received[entry] > 0;
  };
  std::vector<std::size_t> slot(blocks.size(), no_slot);
  std::vector<std::vector<std::size_t>> leaving(route.steps());  // entries, by step
  for (int step = 0; step < route.steps(); ++step) {
    for (const std::size_t entry : leaving[step]) slots.take_back(slot[entry]);
    for (const Message &message : route.receives.messages(step)) {
      for (std::size_t e = message.first; e < message.first + message.count; ++e) {
        if (!rests(e)) continue;
        slot[e] = slots.lend(p.sizes.received[e]);
        if (reuse == Reuse::never) continue;
        leaving[p.forwarding.departure[e]].push_back(e);
      }
    }
  }
  return slot;
}

}  // namespace

std::int64_t pack_resting_blocks(const LayoutInput &input, Reuse reuse, std::span<Place> arrived) {
  Slots slots;
  const std::vector<std::size_t> slot = lend_slots(input, reuse, slots);
  const std::vector<std::int64_t> offsets = slots.offsets();
  for (std::size_t e = 0; e < slot.size(); ++e) {
    if (slot[e] != no_slot) arrived[e] = {offsets[slot[e]], Space::scratch};
  }
  return offsets.back();
}

}  // namespace rondo::internal
