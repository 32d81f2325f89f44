#include "plans/between_groups.hpp"
#include "plans/circle.hpp"
#include "plans/group_cases.hpp"
#include "plans/partners.hpp"

namespace rondo::internal {

namespace {

// The segments of the smaller group's data by the place in its subgroup of the rank that carries them.
std::vector<std::vector<Block>> carried_by_places(const Partners &partners, const Cut &cut) {
  std::vector<std::vector<Block>> places(partners.least());
  for (int j = 0; j < partners.smaller().size; ++j) {
    const RankRange subgroup = partners.subgroup(j);
    const auto carried = carried_by_each(cut, {partners.smaller().rank(j), 1}, subgroup);
    for (std::size_t place = 0; place < places.size(); ++place) {
      places[place].insert(places[place].end(), carried[place].begin(), carried[place].end());
    }
  }
  return places;
}

// The ranks at one place of all subgroups; each brings the segments that it carries, of its partner's data.
Circle column(const Partners &partners, const std::vector<Block> &carried, int place) {
  Circle circle;
  for (int j = 0; j < partners.smaller().size; ++j) circle.add(partners.subgroup(j).rank(place), {});
  for (const Block &block : carried) {
    circle.bundles[block.source - partners.smaller().first].push_back(block);
  }
  return circle;
}

// A subgroup, after the columns: each brings what its column has gathered, and a rank that is in none nothing.
Circle row(const RankRange &subgroup, std::vector<std::vector<Block>> places) {
  places.resize(subgroup.size);
  Circle circle;
  for (int place = 0; place < subgroup.size; ++place) {
    circle.add(subgroup.rank(place), std::move(places[place]));
  }
  return circle;
}

void add_idle_steps(Route &route, int steps) {
  for (int i = 0; i < steps; ++i) route.begin_step();
}

Route two_stage_route(int rank, const Topology &topology, const Parameters &parameters, const Cut &cut) {
  const Partners partners(topology);
  const int radix = parameters.radix;
  const int column_steps = all_gather_steps(partners.smaller().size, radix);
  const int row_steps = all_gather_steps(partners.subgroup(0).size, radix);
  Route route(rank, topology.ranks);
  add_step_between_groups(route, topology, cut);
  if (partners.smaller().holds(rank)) {
    Circle circle;
    for (int i = 0; i < partners.smaller().size; ++i) circle.members.push_back(partners.smaller().rank(i));
    circle.bundles = carried_by_each(cut, partners.larger(), partners.smaller());
    add_all_gather(route, circle, radix, column_steps + row_steps);
    return route;
  }
  const RankRange subgroup = partners.subgroup(partners.subgroup_of(rank));
  const int place = rank - subgroup.first;
  std::vector<std::vector<Block>> places = carried_by_places(partners, cut);
  if (place < partners.least()) {
    add_all_gather(route, column(partners, places[place], place), radix, column_steps);
  } else {
    add_idle_steps(route, column_steps);
  }
  add_all_gather(route, row(subgroup, std::move(places)), radix, row_steps);
  return route;
}

constexpr BySegments by_segments = {
    .cut =
        [](const Topology &topology, std::span<const std::int64_t> bytes) {
          const int carriers = Partners(topology).least();
          return cut_for_partners(topology, bytes, [=](const RankRange &) { return carriers; });
        },
    .route = two_stage_route,
    .stages =
        [](const Topology &topology, const Parameters &parameters) {
          const Partners partners(topology);
          const int columns = partners.smaller().size;
          const int row = partners.subgroup(0).size;
          const bool first_is_larger = partners.larger().first == 0;
          return std::vector{Stage{1}, all_gather_stage(columns, columns, parameters.radix),
                             all_gather_stage(first_is_larger ? row : 0, first_is_larger ? 0 : row, parameters.radix)};
        },
};

}  // namespace

// The paper names only the two all-gathers. Columns first, so that it serves groups of any sizes: a rank that is left
// over carries nothing, and receives all from its subgroup. Ranks of a subgroup are consecutive: where a node holds
// them all, the second stage, which moves all but a part of the data, stays inside it.
extern const Algorithm two_stage;
const Algorithm two_stage = {
    .name = "two_stage",
    .summary = "as segmented; the larger group gathers first across its shares, then inside each",
    .source = "Kang 2019, section 4 (the form of EuroMPI 2018)",
    .layout = Layout::compact,
    .takes_radix = true,
    .obstacle = two_groups_obstacle,
    .limits = gather_limits,
    .by_segments = &by_segments,
};

}  // namespace rondo::internal
