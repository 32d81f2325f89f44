#include "plans/digits.hpp"

namespace rondo::internal {

extern const Algorithm tuna;
const Algorithm tuna = {
    .name = "tuna",
    .summary = "blocks of any size by the digits of their distance; scratch for resting blocks only",
    .source = "TuNA, section III",
    .layout = Layout::compact,
    .takes_radix = true,
    .obstacle = radix_obstacle,
    .route = digits_down,
    .outline = digits_outline,
    .sendings = digits_down_sendings,
};

}  // namespace rondo::internal
