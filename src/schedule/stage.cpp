#include "schedule/stage.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

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

// The bytes of some transfers, in order of place and apart.
template <class Which>
std::vector<Slice> slices_of_those(const Schedule &schedule, std::span<const Transfer> transfers, Which &&which) {
  std::vector<Slice> slices;
  for (const Transfer &transfer : transfers) {
    if (!which(transfer)) continue;
    const auto own = schedule.slices_of(transfer);
    slices.insert(slices.end(), own.begin(), own.end());
  }
  return joined(std::move(slices));
}

bool overlaps_any(const Schedule &schedule, const Transfer &transfer, const std::vector<Slice> &sorted) {
  const auto slices = schedule.slices_of(transfer);
  return std::any_of(slices.begin(), slices.end(), [&](const Slice &slice) { return overlaps_any(sorted, slice); });
}

bool all_are_shared(std::span<const Transfer> transfers) {
  return std::all_of(transfers.begin(), transfers.end(), [](const Transfer &transfer) { return transfer.shared(); });
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
    if (all_are_shared(schedule.sends_of(step)) && all_are_shared(schedule.receives_of(step))) continue;
    Staging staging;
    // What other ranks may read for as long as the step lasts.
    const std::vector<Slice> read_by_others = slices_of_those(
        schedule, schedule.sends_of(step), [&](const Transfer &s) { return s.shared() && schedule.steps_disjoint; });
    const auto in_place = [&](const Transfer &receive) {
      return received_in_place(schedule, receive) && !overlaps_any(schedule, receive, read_by_others);
    };
    const std::vector<Slice> written = slices_of_those(schedule, schedule.receives_of(step),
                                                       [&](const Transfer &r) { return !r.shared() && in_place(r); });
    for (std::size_t i = step.first_send; i < step.first_send + step.sends; ++i) {
      Transfer &send = schedule.sends[i];
      if (!send.shared() && (send.scattered() || overlaps_any(schedule, send, written))) staging.put(send);
    }
    for (std::size_t i = step.first_receive; i < step.first_receive + step.receives; ++i) {
      Transfer &receive = schedule.receives[i];
      if (!receive.shared() && !in_place(receive)) staging.put(receive);
    }
    schedule.staging_bytes = std::max(schedule.staging_bytes, staging.used());
  }
}

}  // namespace rondo::internal
