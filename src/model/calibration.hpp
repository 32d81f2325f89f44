#pragma once

// The prices of a machine, from exchanges that have been timed on it. An estimate is a sum of acts, each by its price
// (model/cost.hpp), so the prices that come nearest to many times are a matter of least squares.

#include <array>
#include <span>
#include <vector>

#include "model/cost.hpp"
#include "model/features.hpp"
#include "model/outlines.hpp"

namespace rondo::internal {

// How often each act that has a price occurs in an exchange, in the order of machine_prices.
using Acts = std::array<double, machine_prices.size()>;

struct Timing {
  Acts acts{};
  double seconds = 0;
  // Of the fastest that was timed in the same case: what is near to it decides the choice, and counts most.
  double fastest = 0;
};

// As the estimate counts them for the busiest rank: of an algorithm with an outline that serves the case, on so many
// nodes. Their sum by prices is the estimate, but where long messages go between nodes: there the estimate has the
// longer of moving and asking, and the sum has both.
Acts acts_of(const Outlined &one, const Features &features, int nodes);

// What they take by these prices.
double seconds_of(const Acts &acts, const CostModel &model);

// How near fitted prices stay to those of before.
struct Freedom {
  double held = 1e-6;   // the more, the larger the error that it takes to move a price
  double least = 0.01;  // of a price, as a share of what it was before
};

// The prices by which the times are estimated with the least error, relative to each. What no exchange depends on, or
// what cannot be told from another price, stays near to what it was.
CostModel fitted(std::span<const Timing> timings, const CostModel &before, const Freedom &freedom = {});

// What has been timed of one exchange.
struct CaseTimes {
  std::vector<Timing> timings{};
  double native = 0;  // seconds of the MPI library's own call; 0 where it has not been timed
};

// How much longer than the fastest those take, in the mean over all cases, that are chosen by these prices: 0.1 stands
// for a tenth. A case without timings does not count.
double regret(std::span<const CaseTimes> cases, const CostModel &model);

// Of prices that are fitted with more or less freedom, and of those before, the prices by which the best are chosen.
CostModel fitted_for_choice(std::span<const CaseTimes> cases, const CostModel &before);

}  // namespace rondo::internal
