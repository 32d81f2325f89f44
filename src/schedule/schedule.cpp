#include "schedule/schedule.hpp"

#include <algorithm>

namespace rondo::internal {

bool Schedule::any_shared() const {
  const auto shared = [](const Transfer &transfer) { return transfer.shared(); };
  return std::any_of(sends.begin(), sends.end(), shared) || std::any_of(receives.begin(), receives.end(), shared);
}

Totals totals(const Schedule &schedule) {
  Totals sum;
  sum.steps = static_cast<int>(std::count_if(schedule.steps.begin(), schedule.steps.end(),
                                             [](const Step &step) { return step.sends + step.receives > 0; }));
  sum.messages = static_cast<std::int64_t>(schedule.sends.size());
  for (const Transfer &send : schedule.sends) sum.bytes += send.bytes;
  for (const auto *copies : {&schedule.prologue, &schedule.meanwhile, &schedule.epilogue}) {
    for (const Copy &copy : *copies) sum.copied_bytes += copy.from.length;
  }
  return sum;
}

}  // namespace rondo::internal
