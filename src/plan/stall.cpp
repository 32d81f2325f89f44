// A plan that makes no progress: when it gives up, and whom it names.

#include <fmt/format.h>

#include <set>
#include <utility>

#include "plan/plan.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

std::string names_of(const std::set<int> &ranks) {
  if (ranks.empty()) return "others";  // the MPI library's own call does not tell
  return fmt::format("rank{} {}", ranks.size() > 1 ? "s" : "", fmt::join(ranks, ", "));
}

}  // namespace

// Gives up if nothing has come since the last look, or since the start.
void Plan::look_for_stall(Waiting &waiting) {
  const Hold hold(*this);
  if (complete()) return;  // another thread has completed it
  const Arrived now = arrived();
  if (std::exchange(last_look_, now) != now) return waiting.begin_again();
  end_running();
  const std::set<int> missing = missing_peers();
  throw Error(Fault::stalled,
              fmt::format("{}: no progress for {:.1f} s in step {} of {}, waiting for {}", parts_.name,
                          parts_.stall_timeout.count(), step_ + 1, bound_->steps.size(), names_of(missing)))
      .with_peer(missing.empty() ? -1 : *missing.begin());
}

Plan::Arrived Plan::arrived() const {
  const Range requests = bound_->steps[step_].requests;
  std::uint32_t complete = 0;
  for (std::uint32_t i = 0; !requests_complete_ && i < requests.count; ++i) {
    complete += is_pending(bound_->requests[requests.first + i]) ? 0 : 1;
  }
  return {step_, flags_up_, pulls_done_, acknowledged_, complete};
}

std::set<int> Plan::missing_peers() const {
  const BoundStep &step = bound_->steps[step_];
  if (at_gate_) {
    const std::vector<int> late = parts_.shared->not_begun(starts_ - 1);
    return {late.begin(), late.end()};
  }
  std::set<int> missing;
  // A gathering counts ranks and does not say which; those that have not begun are known.
  if (step.gathering >= 0) {
    const std::vector<int> late = parts_.shared->not_begun(starts_);
    missing.insert(late.begin(), late.end());
  }
  for (std::uint32_t i = flags_up_; i < step.flags.count; ++i) {
    if (!up(bound_->flags[step.flags.first + i], starts_)) missing.insert(bound_->peers_of_flags[step.flags.first + i]);
  }
  for (std::uint32_t i = pulls_done_; i < step.pulls.count; ++i) {
    missing.insert(bound_->pulls[step.pulls.first + i].peer);
  }
  for (std::uint32_t i = acknowledged_; i < step.acknowledgements.count; ++i) {
    const std::uint32_t flag = step.acknowledgements.first + i;
    if (!up(bound_->acknowledgements[flag], starts_)) missing.insert(bound_->peers_of_acknowledgements[flag]);
  }
  for (std::uint32_t i = 0; !requests_complete_ && i < step.requests.count; ++i) {
    if (bound_->peers_of_requests.empty() || !is_pending(bound_->requests[step.requests.first + i])) continue;
    missing.insert(bound_->peers_of_requests[step.requests.first + i]);
  }
  return missing;
}

}  // namespace rondo::internal
