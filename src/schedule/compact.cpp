#include "schedule/compact.hpp"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <map>
#include <utility>
#include <vector>

#include "schedule/layout.hpp"

namespace rondo::internal {

namespace {

// Slots of scratch that are lent to blocks. A slot grows to the largest block that it ever holds.
class Slots {
 public:
  using Free = std::multimap<std::int64_t, std::size_t>;  // by room

  std::size_t add(std::int64_t bytes) {
    room_.push_back(bytes);
    return room_.size() - 1;
  }

  // The free slot of these that fits best: the smallest that is large enough, else the largest, which then grows. The
  // earlier list is preferred.
  std::size_t lend(std::int64_t bytes, std::initializer_list<Free *> lists) {
    for (Free *free : lists) {
      if (const auto fit = free->lower_bound(bytes); fit != free->end()) return take(*free, fit, bytes);
    }
    Free *largest = nullptr;
    for (Free *free : lists) {
      if (!free->empty() && (largest == nullptr || free->rbegin()->first > largest->rbegin()->first)) largest = free;
    }
    return largest == nullptr ? add(bytes) : take(*largest, std::prev(largest->end()), bytes);
  }
  void take_back(std::size_t slot, Free &free) const { free.emplace(room_[slot], slot); }

  // The offset of each slot, and at the end the bytes of all.
  [[nodiscard]] std::vector<std::int64_t> offsets() const {
    std::vector<std::int64_t> offsets{0};
    for (const std::int64_t room : room_) offsets.push_back(checked_add(offsets.back(), room, "scratch"));
    return offsets;
  }

 private:
  std::size_t take(Free &free, Free::iterator chosen, std::int64_t bytes) {
    const std::size_t slot = chosen->second;
    free.erase(chosen);
    room_[slot] = std::max(room_[slot], bytes);
    return slot;
  }

  std::vector<std::int64_t> room_;
};

constexpr std::size_t no_slot = static_cast<std::size_t>(-1);

// Calls visit(entry, peer) for each block that rests here of those that arrive in the step.
template <class Visit>
void for_each_resting(const LayoutInput &p, int step, Visit &&visit) {
  const auto blocks = p.route.receives.blocks();
  for (const Message &message : p.route.receives.messages(step)) {
    for (std::size_t e = message.first; e < message.first + message.count; ++e) {
      const bool rests = p.forwarding.departure[e] != ForwardingTable::final && !p.exchange.ends_here(blocks[e]) &&
                         p.sizes.received[e] > 0;
      if (rests) visit(e, message.peer);
    }
  }
}

// Who gets which slot.
struct Loans {
  Slots slots{};
  std::vector<std::size_t> slot{};  // by receive entry: of each whose block rests here
  std::vector<int> free_from{};     // by receive entry
};

// Whether blocks that come through shared memory get places that others have left.
enum class WritersReuse : bool { no, yes };

Loans lend_slots(const LayoutInput &p, WritersReuse writers_reuse) {
  const std::size_t entries = p.route.receives.blocks().size();
  Loans loans{.slot = std::vector<std::size_t>(entries, no_slot), .free_from = std::vector<int>(entries, 0)};
  std::vector<int> left;  // by slot: the step after that in which the last block has left it
  std::vector<std::vector<std::size_t>> leaving(p.route.steps());  // entries, by step
  Slots::Free before;                                              // two steps ago, or earlier: writers may have them
  Slots::Free lately;
  const auto lent = [&](std::size_t entry, int peer) {
    const std::int64_t bytes = p.sizes.received[entry];
    if (!p.shares_memory_with(peer)) return loans.slots.lend(bytes, {&lately, &before});
    return writers_reuse == WritersReuse::yes ? loans.slots.lend(bytes, {&before}) : loans.slots.add(bytes);
  };
  const auto take_back = [&](int step) {
    for (const std::size_t entry : leaving[step]) {
      loans.slots.take_back(loans.slot[entry], lately);
      left[loans.slot[entry]] = step + 1;
    }
  };
  const auto ripen = [&](int step) {
    for (auto slot = lately.begin(); slot != lately.end();) {
      const auto next = std::next(slot);
      if (left[slot->second] < step) before.insert(lately.extract(slot));
      slot = next;
    }
  };
  for (int step = 0; step < p.route.steps(); ++step) {
    if (writers_reuse == WritersReuse::yes) ripen(step);
    if (p.wire != Wire::packed && step > 0) take_back(step - 1);
    if (p.wire == Wire::packed) take_back(step);
    for_each_resting(p, step, [&](std::size_t entry, int peer) {
      const std::size_t slot = lent(entry, peer);
      left.resize(std::max(left.size(), slot + 1), 0);
      loans.slot[entry] = slot;
      loans.free_from[entry] = left[slot];
      leaving[p.forwarding.departure[entry]].push_back(entry);
    });
  }
  return loans;
}

// The bytes that are at rest at once, at most, and those that come through shared memory to rest here in two steps.
std::int64_t needed_bytes(const LayoutInput &p) {
  std::vector<std::int64_t> change(static_cast<std::size_t>(p.route.steps()) + 1, 0);  // by step
  std::vector<std::int64_t> written(change.size(), 0);
  for (int step = 0; step < p.route.steps(); ++step) {
    for_each_resting(p, step, [&](std::size_t entry, int peer) {
      const std::int64_t bytes = p.sizes.received[entry];
      change[step] += bytes;
      change[p.forwarding.departure[entry]] -= bytes;
      if (p.shares_memory_with(peer)) written[step] += bytes;
    });
  }
  std::int64_t resting = 0;
  std::int64_t most_resting = 0;
  std::int64_t most_written = 0;
  for (int step = 0; step < p.route.steps(); ++step) {
    resting += change[step];
    most_resting = std::max(most_resting, resting);
    most_written = std::max(most_written, written[step] + written[step + 1]);
  }
  return checked_add(most_resting, most_written, "scratch");
}

}  // namespace

RestingBlocks pack_resting_blocks(const LayoutInput &input, std::span<Place> arrived) {
  Loans loans = lend_slots(input, WritersReuse::no);
  std::vector<std::int64_t> offsets = loans.slots.offsets();
  if (!input.shares_memory.empty() && offsets.back() > needed_bytes(input)) {
    loans = lend_slots(input, WritersReuse::yes);
    offsets = loans.slots.offsets();
  }
  for (std::size_t e = 0; e < loans.slot.size(); ++e) {
    if (loans.slot[e] != no_slot) arrived[e] = {offsets[loans.slot[e]], Space::scratch};
  }
  return {offsets.back(), std::move(loans.free_from)};
}

}  // namespace rondo::internal
