#include "plans/between_groups.hpp"

#include <algorithm>

#include "plans/circle.hpp"
#include "plans/cuts.hpp"

namespace rondo::internal {

namespace {

// The segments of a source that a rank carries.
std::vector<Block> carried_by(const Cut &cut, int source, int carrier) {
  std::vector<Block> blocks;
  const auto segments = cut.of(source);
  for (std::size_t part = 0; part < segments.size(); ++part) {
    if (segments[part].carrier == carrier) blocks.push_back({source, static_cast<std::int32_t>(part)});
  }
  return blocks;
}

// The rank that sends a message of a step to this one, with its segments for it.
struct Incoming {
  int source;
  std::vector<Block> blocks;
  bool has_other_carriers;
};

// In the order in which they are received.
std::vector<Incoming> incoming(const Cut &cut, const RankRange &sources, int carrier) {
  std::vector<Incoming> list;
  for (int source = sources.first; source < sources.first + sources.size; ++source) {
    std::vector<Block> blocks = carried_by(cut, source, carrier);
    if (blocks.empty()) continue;
    const bool others = blocks.size() < cut.of(source).size();
    list.push_back({source, std::move(blocks), others});
  }
  if (list.size() < 2) return list;
  if (list.front().has_other_carriers) std::rotate(list.begin(), list.begin() + 1, list.end());
  const auto last = list.end() - (list.back().source < list.front().source ? 2 : 1);
  if (last->has_other_carriers && last > list.begin()) std::rotate(list.begin(), last, last + 1);
  return list;
}

}  // namespace

void add_step_between_groups(Route &route, const Topology &topology, const Cut &cut) {
  route.begin_step();
  const auto own = cut.of(route.rank);
  for (std::size_t part = 0; part < own.size(); ++part) {
    if (part == 0 || own[part].carrier != own[part - 1].carrier) route.sends.begin_message(own[part].carrier);
    route.sends.carry({route.rank, static_cast<std::int32_t>(part)});
  }
  for (const Incoming &message : incoming(cut, other_group(topology, route.rank), route.rank)) {
    route.receives.begin_message(message.source);
    for (const Block &block : message.blocks) route.receives.carry(block);
  }
}

Route gather_between_groups(int rank, const Topology &topology, const Parameters &parameters, const Cut &cut) {
  Route route(rank, topology.ranks);
  add_step_between_groups(route, topology, cut);
  const RankRange own = own_group(topology, rank);
  const RankRange sources = other_group(topology, rank);
  Circle circle;
  for (int i = 0; i < own.size; ++i) circle.members.push_back(own.rank(i));
  circle.bundles = carried_by_each(cut, sources, own);
  add_all_gather(route, circle, parameters.radix, all_gather_steps(std::max(own.size, sources.size), parameters.radix));
  return route;
}

std::vector<Stage> stages_between_groups(const Topology &topology, const Parameters &parameters) {
  return {Stage{1}, all_gather_stage(first_group(topology).size, second_group(topology).size, parameters.radix)};
}

}  // namespace rondo::internal
