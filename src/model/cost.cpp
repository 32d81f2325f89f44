#include "model/cost.hpp"

#include <algorithm>

namespace rondo::internal {

double NativeTimes::of(double block) const {
  const auto shortest = static_cast<double>(blocks[1]);
  if (block > 0 && block < shortest) return seconds[1];  // a message takes the same whatever few bytes it has
  const auto above = std::upper_bound(blocks.begin() + 1, blocks.end() - 1, static_cast<std::int64_t>(block));
  const auto high = static_cast<std::size_t>(above - blocks.begin());
  const auto from = static_cast<double>(blocks[high - 1]);
  const double share = (block - from) / (static_cast<double>(blocks[high]) - from);
  return seconds[high - 1] + share * (seconds[high] - seconds[high - 1]);
}

double synchronisation(const Estimate &given, bool shared, std::int64_t turns, const CostModel &model) {
  const double switches = turns > 1 ? static_cast<double>(turns) * model.turn : 0;
  return given.steps * ((shared ? model.shared_step : model.step) + switches) +
         given.messages * (shared ? model.shared_message : model.message);
}

}  // namespace rondo::internal
