#include "plans/digits.hpp"

namespace rondo::internal {

extern const Algorithm zero_copy_bruck;
const Algorithm zero_copy_bruck = {
    .name = "zero_copy_bruck",
    .summary = "blocks rest in the receive buffer and in scratch by turns",
    .source = "Träff 2014, section 3.3",
    .layout = Layout::alternating,
    .takes_radix = true,
    .obstacle = uniform_obstacle,
    .route = digits_down,
    .outline = digits_outline,
    .sendings = digits_down_sendings,
};

}  // namespace rondo::internal
