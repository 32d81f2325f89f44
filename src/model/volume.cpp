#include "model/volume.hpp"

#include <algorithm>

namespace rondo {

std::int64_t bytes_in_step(const Traffic &traffic, int step, const Cut &cut) {
  std::int64_t bytes = 0;
  for (const Message &message : traffic.messages(step)) {
    for (const Block &block : traffic.blocks(message)) {
      bytes += cut.of(block.source)[static_cast<std::size_t>(block.part)].length;
    }
  }
  return bytes;
}

Volume volume_of(std::span<const Route> routes, const Cut &cut) {
  Volume volume;
  if (routes.empty()) return volume;
  volume.steps = routes.front().steps();
  std::vector<std::int64_t> busiest(static_cast<std::size_t>(volume.steps));
  for (const Route &route : routes) {
    std::int64_t sent = 0;
    std::int64_t received = 0;
    for (int step = 0; step < route.steps(); ++step) {
      const std::int64_t out = bytes_in_step(route.sends, step, cut);
      const std::int64_t in = bytes_in_step(route.receives, step, cut);
      std::int64_t &most = busiest[static_cast<std::size_t>(step)];
      most = std::max({most, out, in});
      sent += out;
      received += in;
    }
    volume.sent = std::max(volume.sent, sent);
    volume.received = std::max(volume.received, received);
    volume.messages = std::max(volume.messages, static_cast<std::int64_t>(route.sends.messages().size()));
  }
  for (const std::int64_t bytes : busiest) volume.bytes += bytes;
  return volume;
}

}  // namespace rondo
