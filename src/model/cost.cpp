#include "model/cost.hpp"

namespace rondo::internal {

double synchronisation(const Estimate &given, bool shared, std::int64_t turns, const CostModel &model) {
  const double switches = turns > 1 ? static_cast<double>(turns) * model.turn : 0;
  return given.steps * ((shared ? model.shared_step : model.step) + switches) +
         given.messages * (shared ? model.shared_message : model.message);
}

}  // namespace rondo::internal
