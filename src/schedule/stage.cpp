#include "schedule/stage.hpp"

#include <algorithm>

#include "exchange/exchange.hpp"

namespace rondo {

namespace {

// Pieces of staging begin at cache lines of their own.
constexpr std::int64_t alignment = 64;

// What a step receives in place, in order of place.
std::vector<Slice> received_in_place(const Schedule &schedule, const Step &step) {
  std::vector<Slice> slices;
  for (const Transfer &receive : schedule.receives_of(step)) {
    if (receive.count == 1 && !receive.shared()) slices.push_back(schedule.slices[receive.first]);
  }
  std::sort(slices.begin(), slices.end(),
            [](const Slice &a, const Slice &b) { return std::pair(a.space, a.offset) < std::pair(b.space, b.offset); });
  return slices;
}

// Whether a slice overlaps one of those, which do not overlap each other.
bool overlaps_any(const std::vector<Slice> &sorted, const Slice &slice) {
  auto next = std::lower_bound(sorted.begin(), sorted.end(), slice, [](const Slice &a, const Slice &b) {
    return std::pair(a.space, a.offset) < std::pair(b.space, b.offset);
  });
  return (next != sorted.end() && next->overlaps(slice)) ||
         (next != sorted.begin() && std::prev(next)->overlaps(slice));
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
    const std::vector<Slice> in_place = received_in_place(schedule, step);
    for (std::size_t i = step.first_send; i < step.first_send + step.sends; ++i) {
      Transfer &send = schedule.sends[i];
      if (send.shared()) continue;
      if (send.count > 1 || overlaps_any(in_place, schedule.slices[send.first])) staging.put(send);
    }
    for (std::size_t i = step.first_receive; i < step.first_receive + step.receives; ++i) {
      if (schedule.receives[i].count > 1 && !schedule.receives[i].shared()) staging.put(schedule.receives[i]);
    }
    schedule.staging_bytes = std::max(schedule.staging_bytes, staging.used());
  }
}

}  // namespace rondo
