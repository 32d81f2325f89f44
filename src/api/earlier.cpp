#include "api/earlier.hpp"

#include <utility>

namespace rondo::internal {

namespace {

std::array<std::int64_t, 2> mean_runs_of(const Inputs &inputs) {
  return {inputs.images_send ? mean_run(inputs.arguments.send) : -1,
          inputs.images_receive ? mean_run(inputs.arguments.receive) : -1};
}

}  // namespace

EarlierPlans &EarlierPlans::of(const Channel &channel) {
  std::shared_ptr<void> &kept = channel.duplicate->kept(Duplicate::Kept::plans);
  if (!kept) kept = std::make_shared<EarlierPlans>();
  return *static_cast<EarlierPlans *>(kept.get());
}

const Outlines &EarlierPlans::outlines_for(const Inputs &inputs) {
  if (outlined_kind_ == inputs.exchange.kind && outlined_hints_ == inputs.hints.text) return outlines_;
  outlined_kind_ = nullptr;  // while it is neither
  outlined_hints_ = inputs.hints.text;
  outlines_ = outlines_on(*inputs.exchange.kind, inputs.topology, inputs.hints.wish);
  outlined_kind_ = inputs.exchange.kind;
  return outlines_;
}

EarlierPlans::Entry::Entry(const Inputs &inputs, const Agreed &agreed, const WorkedOut &worked_out)
    : kind_(inputs.exchange.kind),
      send_(inputs.exchange.send),
      receive_(inputs.exchange.receive),
      figures_(agreed.own_figures),
      hints_(inputs.hints.text),
      mean_runs_(mean_runs_of(inputs)),
      worked_out_(worked_out) {
  if (inputs.sends_runs_of_plan()) runs_of_plan_ = inputs.arguments.send;
}

bool EarlierPlans::Entry::is_of(const Inputs &inputs, const FigureValues &figures) const {
  return kind_ == inputs.exchange.kind && figures_ == figures && send_ == inputs.exchange.send &&
         receive_ == inputs.exchange.receive && hints_ == inputs.hints.text && mean_runs_ == mean_runs_of(inputs) &&
         runs_of_plan_.has_value() == inputs.sends_runs_of_plan() &&
         (!runs_of_plan_ || lie_alike(*runs_of_plan_, inputs.arguments.send));
}

std::int64_t EarlierPlans::find(const Inputs &inputs, const FigureValues &figures) const {
  for (std::int64_t number = kept_; number > 0 && number > kept_ - static_cast<std::int64_t>(most); --number) {
    if (entries_[number % most]->is_of(inputs, figures)) return number;
  }
  return 0;
}

WorkedOut EarlierPlans::take(std::int64_t number) const {
  WorkedOut worked_out = entries_[number % most]->worked_out();
  worked_out.reused = true;
  return worked_out;
}

// What is attached depends on memory that may be other memory the next time. A plan that is only made to be timed would
// take the place of one that may come again.
std::unique_ptr<EarlierPlans::Entry> EarlierPlans::entry_of(const Inputs &inputs, const Agreed &agreed,
                                                            const WorkedOut &worked_out) {
  if (worked_out.reused || agreed.attaches_somewhere || inputs.for_trial) return nullptr;
  return std::make_unique<Entry>(inputs, agreed, worked_out);
}

void EarlierPlans::keep(std::unique_ptr<Entry> entry, std::shared_ptr<const NodeTables> tables) noexcept {
  if (!entry) return;
  entry->has_tables(std::move(tables));
  entries_[++kept_ % most] = std::move(entry);
}

}  // namespace rondo::internal
