#include "plans/digits.hpp"

namespace rondo::internal {

extern const Algorithm padded_bruck;
const Algorithm padded_bruck = {
    .name = "padded_bruck",
    .summary = "zero_rotation_bruck over blocks padded to the largest",
    .source = "Fan 2022, section 3.1; Padded poster",
    .layout = Layout::padded,
    .takes_radix = true,
    .obstacle = radix_obstacle,
    .route = digits_down,
    .outline = digits_outline,
    .sendings = digits_down_sendings,
};

}  // namespace rondo::internal
