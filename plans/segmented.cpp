#include "plans/between_groups.hpp"
#include "plans/group_cases.hpp"
#include "plans/partners.hpp"

namespace rondo::internal {

namespace {

constexpr BySegments by_segments = {
    .cut =
        [](const Topology &topology, std::span<const std::int64_t> bytes) {
          return cut_for_partners(topology, bytes, [](const RankRange &subgroup) { return subgroup.size; });
        },
    .route = gather_between_groups,
    .stages = stages_between_groups,
};

}  // namespace

extern const Algorithm segmented;
const Algorithm segmented = {
    .name = "segmented",
    .summary = "each rank of the smaller group exchanges with its share of the larger, to which it sends segments",
    .source = "Kang 2019, Algorithm 1",
    .layout = Layout::compact,
    .takes_radix = true,
    .obstacle = two_groups_obstacle,
    .limits = gather_limits,
    .by_segments = &by_segments,
};

}  // namespace rondo::internal
