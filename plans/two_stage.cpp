#include "plans/partners.hpp"

namespace rondo {

namespace {

// The ranks at one place of all subgroups; each brings the segments that it carries.
Circle column(const Partners &partners, const Cut &cut, int place) {
  Circle circle;
  for (int j = 0; j < partners.smaller().size; ++j) {
    const int member = partners.subgroup(j).rank(place);
    circle.add(member, carried_by(cut, {partners.smaller().rank(j), 1}, member));
  }
  return circle;
}

// A subgroup, after the columns: each brings what its column has gathered, and a rank that is in none nothing.
Circle row(const Partners &partners, const Cut &cut, const Party &subgroup) {
  Circle circle;
  for (int place = 0; place < subgroup.size; ++place) {
    std::vector<Block> bundle;
    if (place < partners.least()) {
      for (const std::vector<Block> &part : column(partners, cut, place).bundles) {
        bundle.insert(bundle.end(), part.begin(), part.end());
      }
    }
    circle.add(subgroup.rank(place), std::move(bundle));
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
  add_crossing(route, topology, cut);
  if (partners.smaller().holds(rank)) {
    Circle circle;
    for (int i = 0; i < partners.smaller().size; ++i) {
      const int member = partners.smaller().rank(i);
      circle.add(member, carried_by(cut, partners.subgroup(i), member));
    }
    add_all_gather(route, circle, radix, column_steps + row_steps);
    return route;
  }
  const Party subgroup = partners.subgroup(partners.subgroup_of(rank));
  const int place = rank - subgroup.first;
  if (place < partners.least()) {
    add_all_gather(route, column(partners, cut, place), radix, column_steps);
  } else {
    add_idle_steps(route, column_steps);
  }
  add_all_gather(route, row(partners, cut, subgroup), radix, row_steps);
  return route;
}

constexpr Gather gather = {
    .cut =
        [](const Topology &topology, std::span<const std::int64_t> bytes) {
          const int carriers = Partners(topology).least();
          return cut_for_partners(topology, bytes, [=](const Party &) { return carriers; });
        },
    .route = two_stage_route,
};

}  // namespace

// The paper names only the two all-gathers. Columns first, so that it serves groups of any sizes: a rank that is left
// over carries nothing, and receives all from its subgroup. Ranks of a subgroup are consecutive, and so mostly on one
// node: the second stage, which moves all but a part of the data, stays inside it.
extern const Algorithm two_stage;
const Algorithm two_stage = {
    .name = "two_stage",
    .summary = "as segmented; the larger group gathers first across its shares, then inside each",
    .source = "Kang 2019, section 4 (the form of EuroMPI 2018)",
    .layout = Layout::compact,
    .takes_radix = true,
    .obstacle = two_groups_obstacle,
    .limits = gather_limits,
    .gather = &gather,
};

}  // namespace rondo
