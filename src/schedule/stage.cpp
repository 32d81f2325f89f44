#include "schedule/stage.hpp"

#include <algorithm>

#include "exchange/exchange.hpp"
#include "schedule/slice_order.hpp"

namespace rondo::internal {

namespace {

// Each piece of staging begins at a multiple of this, which is a cache line on most machines. It is a constant, so that
// the schedule of an exchange is the same on all machines.
constexpr std::int64_t alignment = 64;

// Whether MPI writes a message straight to its slices. A message of several slices on the datatype wire is received so
// only in a schedule that is steps_disjoint. In any other, its slices might overlap what the step sends, which would
// then have to be staged: scattering what has arrived costs no more (Träff 2014, section 3.1, unpacks there as well).
bool received_in_place(const Schedule &schedule, const Transfer &receive) {
  return !receive.scattered() && (receive.count == 1 || schedule.steps_disjoint);
}

// What a step receives in place, in order of place.
std::vector<Slice> slices_received_in_place(const Schedule &schedule, const Step &step) {
  std::vector<Slice> slices;
  for (const Transfer &receive : schedule.receives_of(step)) {
    if (receive.shared() || !received_in_place(schedule, receive)) continue;
    const auto own = schedule.slices_of(receive);
    slices.insert(slices.end(), own.begin(), own.end());
  }
  std::sort(slices.begin(), slices.end(), by_place);
  return slices;
}

class Staging {
 public:
  void put(Transfer &transfer) {
    transfer.staging = used_;
    const std::int64_t rounded_up = checked_add(transfer.bytes, alignment - 1, "staging") / alignment * alignment;
    used_ = checked_add(used_, rounded_up, "staging");
  }
  [[nodiscard]] std::int64_t used() const { return used_; }

 private:
  std::int64_t used_ = 0;
};

}  // namespace

void stage(Schedule &schedule) {
  for (const Step &step : schedule.steps) {
    Staging staging;
    const std::vector<Slice> in_place = slices_received_in_place(schedule, step);
    for (std::size_t i = step.first_send; i < step.first_send + step.sends; ++i) {
      Transfer &send = schedule.sends[i];
      if (send.shared()) continue;
      const auto slices = schedule.slices_of(send);
      const bool overwritten =
          std::any_of(slices.begin(), slices.end(), [&](const Slice &slice) { return overlaps_any(in_place, slice); });
      if (send.scattered() || overwritten) staging.put(send);
    }
    for (std::size_t i = step.first_receive; i < step.first_receive + step.receives; ++i) {
      Transfer &receive = schedule.receives[i];
      if (!receive.shared() && !received_in_place(schedule, receive)) staging.put(receive);
    }
    schedule.staging_bytes = std::max(schedule.staging_bytes, staging.used());
  }
}

}  // namespace rondo::internal
