#include "schedule/sizes.hpp"

#include <algorithm>

namespace rondo::internal {

namespace {

std::vector<std::int64_t> known_sizes(std::span<const Block> blocks, const Exchange &exchange) {
  std::vector<std::int64_t> sizes;
  sizes.reserve(blocks.size());
  for (const Block &block : blocks) sizes.push_back(exchange.known_size(block));
  return sizes;
}

}  // namespace

Sizes known_sizes(const Route &route, const Exchange &exchange) {
  return {known_sizes(route.sends.blocks(), exchange), known_sizes(route.receives.blocks(), exchange)};
}

void announce(const Message &message, const Sizes &sizes, std::span<std::int64_t> numbers) {
  std::copy_n(sizes.sent.begin() + static_cast<std::ptrdiff_t>(message.first), message.count, numbers.begin());
}

void take_announced(const Message &message, std::span<const std::int64_t> numbers, Sizes &sizes) {
  std::copy_n(numbers.begin(), message.count, sizes.received.begin() + static_cast<std::ptrdiff_t>(message.first));
}

void forward_sizes(const Route &route, const ForwardingTable &forwarding, int step, Sizes &sizes) {
  for (const Message &message : route.sends.messages(step)) {
    for (std::size_t e = message.first; e < message.first + message.count; ++e) {
      if (forwarding.arrival[e] != ForwardingTable::own) sizes.sent[e] = sizes.received[forwarding.arrival[e]];
    }
  }
}

void check_sizes(const Route &route, const Exchange &exchange, const Sizes &sizes) {
  const auto blocks = route.receives.blocks();
  for (std::size_t e = 0; e < blocks.size(); ++e) {
    if (!exchange.ends_here(blocks[e])) continue;
    const std::int64_t expected = exchange.received(blocks[e]).length;
    check_sizes_meet(blocks[e].source, sizes.received[e], route.rank, expected);
  }
}

}  // namespace rondo::internal
