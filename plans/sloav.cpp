#include "plans/digits.hpp"
#include "plans/direct.hpp"

namespace rondo::internal {

extern const Algorithm sloav;
const Algorithm sloav = {
    .name = "sloav",
    .summary = "blocks of any size by binary digits; all rest in scratch until a last scan",
    .source = "Fan 2022, section 6.1",
    .layout = Layout::gathered,
    .obstacle = no_obstacle,
    .route = digits_up,
    .outline = digits_outline,
    .sendings = digits_up_sendings,
};

}  // namespace rondo::internal
