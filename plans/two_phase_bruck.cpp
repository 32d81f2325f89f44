#include "plans/digits.hpp"
#include "plans/direct.hpp"

namespace rondo::internal {

extern const Algorithm two_phase_bruck;
const Algorithm two_phase_bruck = {
    .name = "two_phase_bruck",
    .summary = "blocks of any size by binary digits; P scratch slots of the largest block's size",
    .source = "Fan 2022, section 3.2",
    .layout = Layout::slots,
    .obstacle = no_obstacle,
    .route = digits_down,
    .outline = digits_outline,
    .sendings = digits_down_sendings,
};

}  // namespace rondo::internal
