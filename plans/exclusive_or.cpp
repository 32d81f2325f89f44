#include <fmt/format.h>

#include <bit>

#include "plans/direct.hpp"

namespace rondo::internal {

namespace {

Route exclusive_or_route(int rank, const Topology &topology, const Parameters &) {
  Route route = direct_route(rank, topology.ranks);
  for (int k = 1; k < topology.ranks; ++k) {
    route.begin_step();
    exchange_blocks(route, rank ^ k, rank ^ k);
  }
  return route;
}

std::optional<std::vector<Sending>> exclusive_or_sendings(int rank, const NodeIndex &nodes, const Parameters &) {
  std::vector<Sending> all;
  for (int k = 1; k < nodes.ranks(); ++k) all.push_back({k - 1, rank ^ k, 1});
  return all;
}

std::string exclusive_or_obstacle(const Case &situation, const Parameters &) {
  const int ranks = situation.topology.ranks;
  if (std::has_single_bit(static_cast<unsigned>(ranks))) return {};
  return fmt::format("the number of ranks must be a power of two, and is {}", ranks);
}

}  // namespace

extern const Algorithm exclusive_or;
const Algorithm exclusive_or = {
    .name = "exclusive_or",
    .summary = "in step k, both ways with the rank whose number differs by exclusive or with k",
    .source = "TuNA, section V-C",
    .layout = Layout::direct,
    .obstacle = exclusive_or_obstacle,
    .route = exclusive_or_route,
    .outline = [](const Topology &topology,
                  const Parameters &) { return direct_outline(topology.ranks, topology.ranks - 1); },
    .sendings = exclusive_or_sendings,
};

}  // namespace rondo::internal
