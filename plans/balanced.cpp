#include "plans/between_groups.hpp"
#include "plans/cuts.hpp"
#include "plans/group_cases.hpp"

namespace rondo::internal {

namespace {

constexpr BySegments by_segments = {
    .cut = balanced_cut,
    .route = gather_between_groups,
    .stages = stages_between_groups,
};

}  // namespace

extern const Algorithm balanced;
const Algorithm balanced = {
    .name = "balanced",
    .summary = "cuts each group's data into equal parts for the ranks of the other, which gather them",
    .source = "Kang 2019, Algorithm 2",
    .layout = Layout::compact,
    .takes_radix = true,
    .obstacle = two_groups_obstacle,
    .limits = gather_limits,
    .by_segments = &by_segments,
};

}  // namespace rondo::internal
