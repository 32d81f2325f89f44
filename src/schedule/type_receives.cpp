#include "schedule/type_receives.hpp"

namespace rondo::internal {

void type_receives(Schedule &schedule, const TypedReceives &typed) {
  if (!schedule.steps_disjoint) return;
  for (Transfer &receive : schedule.receives) {
    if (typed.has(receive)) receive.wire = Wire::datatype;
  }
}

}  // namespace rondo::internal
