// A plan that makes no progress: when it gives up, and whom it names.

#include <fmt/format.h>

#include <set>
#include <utility>

#include "plan/any_plan.hpp"

namespace rondo::internal {

namespace {

std::string names_of(const std::set<int> &ranks) {
  if (ranks.empty()) return "others";  // the MPI library's own call does not tell
  return fmt::format("rank{} {}", ranks.size() > 1 ? "s" : "", fmt::join(ranks, ", "));
}

}  // namespace

// What has come until now does not count as progress later.
void AnyPlan::look_for_first_time() {
  const Hold hold(*this);
  if (!complete()) last_look_ = progress();
}

// Gives up if nothing has come since the last look.
void AnyPlan::look_for_stall(Waiting &waiting) {
  const Hold hold(*this);
  if (complete()) return;  // another thread has completed it
  const Progress now = progress();
  if (std::exchange(last_look_, now) != now) return waiting.begin_again();
  const std::set<int> missing = missing_peers();
  end_by_fault();
  throw Error(Fault::stalled, fmt::format("{}: no progress for {:.1f} s in step {} of {}, waiting for {}", name(),
                                          policy_.stall_timeout.count(), now.step + 1, steps(), names_of(missing)))
      .with_peer(missing.empty() ? -1 : *missing.begin());
}

}  // namespace rondo::internal
