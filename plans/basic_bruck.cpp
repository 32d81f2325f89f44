#include "plans/digits.hpp"

namespace rondo::internal {

extern const Algorithm basic_bruck;
const Algorithm basic_bruck = {
    .name = "basic_bruck",
    .summary = "blocks travel by the digits of their distance; rotated first and last",
    .source = "Träff 2014, section 2; Fan 2022, section 2.1",
    .layout = Layout::rotated,
    .takes_radix = true,
    .obstacle = uniform_obstacle,
    .route = digits_up,
    .outline = digits_outline,
    .sendings = digits_up_sendings,
};

}  // namespace rondo::internal
