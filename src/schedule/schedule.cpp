#include "schedule/schedule.hpp"

#include <algorithm>

namespace rondo {

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

}  // namespace rondo
