#include "plans/digits.hpp"

namespace rondo::internal {

extern const Algorithm modified_bruck;
const Algorithm modified_bruck = {
    .name = "modified_bruck",
    .summary = "blocks travel downwards, so that the last rotation falls away",
    .source = "Träff 2014, section 2; Fan 2022, section 2.1",
    .layout = Layout::rotated_first,
    .takes_radix = true,
    .obstacle = uniform_obstacle,
    .route = digits_down,
    .outline = digits_outline,
    .sendings = digits_down_sendings,
};

}  // namespace rondo::internal
