#include "route/arrivals.hpp"

#include <algorithm>
#include <utility>

namespace rondo::internal {

Arrivals::Arrivals(const Route &route) {
  arrivals_.reserve(route.receives.blocks().size());
  for (int step = 0; step < route.steps(); ++step) {
    for (const Message &message : route.receives.messages(step)) {
      for (const Block &block : route.receives.blocks(message)) {
        arrivals_.push_back({block, step, static_cast<std::uint32_t>(arrivals_.size())});
      }
    }
  }
  std::sort(arrivals_.begin(), arrivals_.end(), [](const Arrival &a, const Arrival &b) {
    return std::pair(a.block, a.entry) < std::pair(b.block, b.entry);
  });
}

const Arrival *Arrivals::find(const Block &block) const {
  const auto found = std::lower_bound(arrivals_.begin(), arrivals_.end(), block,
                                      [](const Arrival &arrival, const Block &key) { return arrival.block < key; });
  return found == arrivals_.end() || found->block != block ? nullptr : &*found;
}

}  // namespace rondo::internal
