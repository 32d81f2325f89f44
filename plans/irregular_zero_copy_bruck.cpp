#include "plans/digits.hpp"
#include "plans/direct.hpp"

namespace rondo::internal {

extern const Algorithm irregular_zero_copy_bruck;
const Algorithm irregular_zero_copy_bruck = {
    .name = "irregular_zero_copy_bruck",
    .summary = "blocks of any size by binary digits; they rest in two buffers of P slots by turns",
    .source = "Träff 2014, section 3.5",
    .layout = Layout::alternating_slots,
    .obstacle = no_obstacle,
    .route = digits_down,
    .outline = digits_outline,
    .sendings = digits_down_sendings,
};

}  // namespace rondo::internal
