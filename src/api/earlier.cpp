#include "api/earlier.hpp"

#include <algorithm>

namespace rondo::internal {

namespace {

std::array<std::int64_t, 2> mean_runs_of(const Inputs &inputs) {
  return {inputs.images_send ? mean_run(inputs.arguments.send) : -1,
          inputs.images_receive ? mean_run(inputs.arguments.receive) : -1};
}

}  // namespace

EarlierPlans &EarlierPlans::of(const Channel &channel) {
  std::shared_ptr<void> &kept = channel.duplicate->kept();
  if (!kept) kept = std::make_shared<EarlierPlans>();
  return *static_cast<EarlierPlans *>(kept.get());
}

bool EarlierPlans::Key::is_of(const Inputs &inputs, const FigureValues &its) const {
  return kind == inputs.exchange.kind && figures == its && send == inputs.exchange.send &&
         receive == inputs.exchange.receive && hints == inputs.hints.text && mean_runs == mean_runs_of(inputs);
}

std::int64_t EarlierPlans::find(const Inputs &inputs, const FigureValues &figures) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry &entry) {
    return entry.number > 0 && entry.key.is_of(inputs, figures);
  });
  return found == entries_.end() ? 0 : found->number;
}

WorkedOut EarlierPlans::take(std::int64_t number) const {
  WorkedOut worked_out = entries_[static_cast<std::size_t>(number) % most].worked_out;
  worked_out.reused = true;
  return worked_out;
}

void EarlierPlans::keep(const Inputs &inputs, const Agreed &agreed, const WorkedOut &worked_out) noexcept {
  if (worked_out.reused || agreed.attaches) return;
  const std::int64_t number = ++inits_;
  Entry &entry = entries_[static_cast<std::size_t>(number) % most];
  entry.number = 0;
  const auto fault = fault_of([&] {
    entry.key = {inputs.exchange.kind, inputs.exchange.send, inputs.exchange.receive,
                 agreed.own_figures,   inputs.hints.text,    mean_runs_of(inputs)};
    entry.worked_out = worked_out;
  });
  if (!fault) entry.number = number;
}

}  // namespace rondo::internal
