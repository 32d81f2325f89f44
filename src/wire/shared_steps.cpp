#include "wire/shared_steps.hpp"

#include <algorithm>
#include <utility>

#include "wire/shared_binding.hpp"

namespace rondo::internal {

SharedSteps::SharedSteps(const Binding &binding) : region_(binding.shared) {
  if (region_ == nullptr) return;
  banks_ = static_cast<std::uint64_t>(region_->layout().banks());
  last_begun_ = &region_->head(region_->own()).last_begun;
  bell_ = &region_->head(region_->own()).bell;
  if (region_->marks_awaited()) come_to_ = &region_->head(region_->own()).come_to;
  messages_ = bind_shared(binding);
}

// True once all messages of the step that this rank takes itself have been taken.
bool SharedSteps::take_what_is_there(const SharedStep &step, const Start &start) {
  const std::span<Taking> takings = takings_of(step);
  for (std::size_t i = takings_over_; i < takings.size(); ++i) {
    Taking &taking = takings[i];
    for (; taking.done < taking.pulls.count; ++taking.done) {
      Pull &next = messages_.pulls[taking.pulls.first + taking.done];
      if (!up(next.ready, start.number)) break;
      next.run(start);
    }
    if (taking.done == taking.pulls.count) std::swap(taking, takings[takings_over_++]);
  }
  return takings_over_ == takings.size();
}

void SharedSteps::move(const Moved &moved) {
  internal::move(messages_.pushes, moved);
  internal::move(messages_.unloads, moved);
  for (Pull &pull : messages_.pulls) pull.move(moved);
  for (RingEnd &ring : messages_.rings) ring.move(moved);
}

bool SharedSteps::needed_after_begin() const {
  const auto takes_from_others = [](const Pull &pull) { return pull.taken.flag != nullptr; };
  return !messages_.credits.empty() || !messages_.rings.empty() ||
         std::any_of(messages_.pulls.begin(), messages_.pulls.end(), takes_from_others);
}

std::uint32_t SharedSteps::arrivals(std::size_t step) const {
  std::uint32_t all = flags_up_ + acknowledged_;
  for (const Taking &taking : part(messages_.takings, messages_.steps[step].takings)) all += taking.done;
  for (const RingEnd &ring : part(messages_.rings, messages_.steps[step].rings))
    all += static_cast<std::uint32_t>(ring.moved());
  return all;
}

void SharedSteps::name_holding_up(std::size_t index, const Start &start, std::set<int> &ranks) const {
  for (const Awaited &place : part(messages_.awaited, messages_.steps[index].awaited)) {
    if (!up(place.mark, region_->mark_of(start.number, place.step))) ranks.insert(place.rank);
  }
  if (index > 0) return;
  for (const auto &[flag, rank] : messages_.credits) {
    if (!up(flag, credit_for(start))) ranks.insert(rank);
  }
}

void SharedSteps::name_missing(std::size_t index, const Start &start, std::set<int> &ranks) const {
  const SharedStep &step = messages_.steps[index];
  // An arrival counter does not say which ranks it has counted; but a rank that has not begun this start has not.
  if (step.arrival_counter >= 0) region_->name_not_begun(start.number, ranks);
  const auto name = [&](std::span<const PeerFlag> flags) {
    for (const auto &[flag, rank] : flags) {
      if (!up(flag, start.number)) ranks.insert(rank);
    }
  };
  name(part(messages_.flags, step.flags));
  for (const Taking &taking : part(messages_.takings, step.takings).subspan(takings_over_)) {
    ranks.insert(messages_.pulls[taking.pulls.first].peer);
  }
  name(part(messages_.acknowledgements, step.acknowledgements));
  for (const RingEnd &ring : part(messages_.rings, step.rings)) {
    if (!ring.done()) ranks.insert(ring.peer());
  }
}

}  // namespace rondo::internal
