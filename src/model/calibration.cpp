#include "model/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "model/outline_estimate.hpp"

namespace rondo::internal {

namespace {

constexpr std::size_t prices = machine_prices.size();

// The normal equations of the problem in prices relative to those before: half the gradient is
// square * x - target.
struct NormalEquations {
  std::array<std::array<double, prices>, prices> square{};
  std::array<double, prices> target{};
};

NormalEquations equations_of(std::span<const Timing> timings, const CostModel &before, double held) {
  NormalEquations equations;
  double weights = 0;
  for (const Timing &timing : timings) {
    const double weight = timing.fastest / timing.seconds;
    weights += weight;
    Acts relative{};  // what a price as it was before makes of the time
    for (std::size_t k = 0; k < prices; ++k) {
      relative[k] = timing.acts[k] * before.*machine_prices[k].of / timing.seconds;
    }
    for (std::size_t k = 0; k < prices; ++k) {
      for (std::size_t l = 0; l < prices; ++l) equations.square[k][l] += weight * relative[k] * relative[l];
      equations.target[k] += weight * relative[k];
    }
  }
  for (std::size_t k = 0; k < prices; ++k) {
    equations.square[k][k] += weights * held;
    equations.target[k] += weights * held;
  }
  return equations;
}

}  // namespace

Acts acts_of(const Outlined &one, const Features &features, int nodes) {
  Acts acts{};
  Features priced = features;
  for (std::size_t k = 0; k < prices; ++k) {
    priced.costs = CostModel{.native_overhead = 0};
    for (const Price &price : machine_prices) priced.costs.*price.of = 0;
    priced.costs.*machine_prices[k].of = 1;
    acts[k] = estimate_by_outline(*one.algorithm, *one.outline, priced, nodes, one.crossing).seconds;
  }
  return acts;
}

double seconds_of(const Acts &acts, const CostModel &model) {
  double seconds = 0;
  for (std::size_t k = 0; k < prices; ++k) seconds += acts[k] * model.*machine_prices[k].of;
  return seconds;
}

// One price after the other is put where the error is least for the others as they are. The error is a convex function,
// so this comes to its least value within the bounds.
CostModel fitted(std::span<const Timing> timings, const CostModel &before, const Freedom &freedom) {
  if (timings.empty()) return before;
  constexpr int most_rounds = 10000;
  constexpr double still = 1e-9;
  const NormalEquations equations = equations_of(timings, before, freedom.held);
  std::array<double, prices> x;
  x.fill(1);
  for (int round = 0; round < most_rounds; ++round) {
    double moved = 0;
    for (std::size_t k = 0; k < prices; ++k) {
      double rest = equations.target[k];
      for (std::size_t l = 0; l < prices; ++l) rest -= l == k ? 0 : equations.square[k][l] * x[l];
      const double best = std::max(freedom.least, rest / equations.square[k][k]);
      moved = std::max(moved, std::abs(best - x[k]));
      x[k] = best;
    }
    if (moved < still) break;
  }
  CostModel model = before;
  for (std::size_t k = 0; k < prices; ++k) model.*machine_prices[k].of *= x[k];
  return model;
}

double regret(std::span<const CaseTimes> cases, const CostModel &model) {
  double sum = 0;
  int counted = 0;
  for (const CaseTimes &one : cases) {
    if (one.timings.empty()) continue;
    const auto cheapest = std::min_element(
        one.timings.begin(), one.timings.end(),
        [&](const Timing &a, const Timing &b) { return seconds_of(a.acts, model) < seconds_of(b.acts, model); });
    const bool native_is_known = one.native > 0;
    const bool native_is_taken = native_is_known && doubt_in_estimates * one.native < seconds_of(cheapest->acts, model);
    const double taken = native_is_taken ? one.native : cheapest->seconds;
    sum += taken / (native_is_known ? std::min(cheapest->fastest, one.native) : cheapest->fastest) - 1;
    ++counted;
  }
  return counted == 0 ? 0 : sum / counted;
}

// The more freedom prices have, the more of them come out as next to nothing, where all that has been timed depends on
// others more: what else is exchanged later may depend on just these. So a fit with more freedom must choose clearly
// better than one with less. Where those of before choose better, the times did not tell what any fit has made of them.
CostModel fitted_for_choice(std::span<const CaseTimes> cases, const CostModel &before) {
  constexpr double clearly = 0.005;
  std::vector<Timing> all;
  for (const CaseTimes &one : cases) all.insert(all.end(), one.timings.begin(), one.timings.end());
  std::optional<CostModel> best;
  double least = 0;
  const auto consider = [&](const CostModel &model) {
    const double its = regret(cases, model);
    if (best && its >= least - clearly) return;
    best = model;
    least = its;
  };
  for (const double least_price : {0.3, 0.01}) {
    for (const double held : {1e-6, 1e-4, 1e-3, 1e-2}) consider(fitted(all, before, {held, least_price}));
  }
  consider(before);
  return *best;
}

}  // namespace rondo::internal
