#include "plans/digits.hpp"

namespace rondo::internal {

extern const Algorithm zero_rotation_bruck;
const Algorithm zero_rotation_bruck = {
    .name = "zero_rotation_bruck",
    .summary = "an index replaces the first rotation as well",
    .source = "Fan 2022, section 2.1",
    .layout = Layout::unrotated,
    .takes_radix = true,
    .obstacle = uniform_obstacle,
    .route = digits_down,
    .outline = digits_outline,
    .sendings = digits_down_sendings,
};

}  // namespace rondo::internal
