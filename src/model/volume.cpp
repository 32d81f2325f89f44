#include "model/volume.hpp"

#include <algorithm>

#include "exchange/exchange.hpp"

namespace rondo::internal {

namespace {

std::int64_t bytes_in_step(const Traffic &traffic, int step, const Cut &cut) {
  std::int64_t bytes = 0;
  for (const Message &message : traffic.messages(step)) {
    for (const Block &block : traffic.blocks(message)) {
      bytes = checked_add(bytes, cut.of(block.source)[block.part].length, "a step");
    }
  }
  return bytes;
}

std::int64_t time_of(std::span<const std::int64_t> steps, int ring) {
  if (steps.empty()) return 0;
  if (ring > 0) return checked_multiply(ring, *std::max_element(steps.begin(), steps.end()), "a ring");
  std::int64_t bytes = 0;
  for (const std::int64_t step : steps) bytes = checked_add(bytes, step, "a stage");
  return bytes;
}

}  // namespace

Volume volume_of(std::span<const Route> routes, const Topology &topology, const Cut &cut) {
  Volume volume;
  if (routes.empty()) return volume;
  for (auto &steps : volume.in_step) steps.resize(routes.front().steps());
  for (const Route &route : routes) {
    const bool second = topology.two_groups() && route.rank >= topology.second_group;
    std::int64_t sent = 0;
    std::int64_t received = 0;
    for (int step = 0; step < route.steps(); ++step) {
      const std::int64_t out = bytes_in_step(route.sends, step, cut);
      const std::int64_t in = bytes_in_step(route.receives, step, cut);
      std::int64_t &most = volume.in_step[second ? 1 : 0][step];
      most = std::max({most, out, in});
      sent = checked_add(sent, out, "what a rank sends");
      received = checked_add(received, in, "what a rank receives");
    }
    volume.sent = std::max(volume.sent, sent);
    volume.received = std::max(volume.received, received);
    volume.messages = std::max(volume.messages, static_cast<std::int64_t>(route.sends.messages().size()));
  }
  return volume;
}

std::int64_t bytes_in_turn(const Volume &volume, std::span<const Stage> stages) {
  std::int64_t bytes = 0;
  std::size_t first = 0;
  for (const Stage &stage : stages) {
    const auto steps = static_cast<std::size_t>(stage.steps);
    std::int64_t longest = 0;
    for (std::size_t group = 0; group < volume.in_step.size(); ++group) {
      const auto in_stage = std::span(volume.in_step[group]).subspan(first, steps);
      longest = std::max(longest, time_of(in_stage, stage.rings[group]));
    }
    bytes = checked_add(bytes, longest, "an all-gather");
    first += steps;
  }
  return bytes;
}

}  // namespace rondo::internal
