#include "model/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "exchange/error.hpp"
#include "model/obstacle.hpp"
#include "model/outline_estimate.hpp"
#include "model/route_estimate.hpp"
#include "model/scratch.hpp"
#include "model/worth_trying.hpp"

namespace rondo::internal {

namespace {

// The sizes alone say how the data is cut, whatever the parameters.
std::shared_ptr<const Cut> cut_by(const Algorithm &algorithm, const Features &features) {
  if (features.kind->blocks != Numbered::by_segment) return nullptr;
  return std::make_shared<const Cut>(algorithm.by_segments->cut(features.situation.topology, features.bytes));
}

Choice estimated(const Outlined &one, const Features &features, int nodes, std::shared_ptr<const Cut> cut) {
  const Estimate estimate = cut ? estimate_by_routes(*one.algorithm, one.parameters, features, *cut, features.costs)
                                : estimate_by_outline(*one.algorithm, *one.outline, features, nodes, one.crossing);
  return {one.algorithm, one.parameters, estimate, std::move(cut)};
}

bool fits(const Choice &choice, const Features &features, std::int64_t limit) {
  const std::int64_t most = choice.cut ? most_scratch_by_segments(*choice.algorithm, choice.estimate)
                                       : most_scratch(*choice.algorithm, choice.parameters, features);
  return most <= limit;
}

// By what candidates are compared. What the MPI library's call takes may have been measured, and is then no estimate.
double seconds_to_compare(const Choice &choice, const Features &features) {
  const bool measured = choice.algorithm->layout == Layout::native && features.costs.native.known();
  return measured ? doubt_in_estimates * choice.estimate.seconds : choice.estimate.seconds;
}

// Calls take(choice) for each candidate, in the order of the outlines.
template <class Take>
void for_each_candidate(const Features &features, const Wish &wish, const Outlines &outlines, Take &&take) {
  const Algorithm *cut_for = nullptr;
  std::shared_ptr<const Cut> cut;
  for (const Outlined &one : outlines.all) {
    if (!obstacle(*one.algorithm, features.situation, one.parameters).empty()) continue;
    if (std::exchange(cut_for, one.algorithm) != one.algorithm) cut = cut_by(*one.algorithm, features);
    Choice choice = estimated(one, features, outlines.nodes, cut);
    if (wish.algorithm.empty() && wish.scratch_limit && !fits(choice, features, *wish.scratch_limit)) continue;
    take(std::move(choice));
  }
}

Outlines outlines_for(const Features &features, const Wish &wish) {
  return outlines_on(*features.kind, features.situation.topology, wish);
}

}  // namespace

std::vector<Choice> candidates(const Features &features, const Wish &wish, const Outlines &outlines) {
  std::vector<Choice> found;
  for_each_candidate(features, wish, outlines, [&](Choice choice) { found.push_back(std::move(choice)); });
  std::stable_sort(found.begin(), found.end(), [&](const Choice &a, const Choice &b) {
    return seconds_to_compare(a, features) < seconds_to_compare(b, features);
  });
  return found;
}

std::vector<Choice> candidates(const Features &features, const Wish &wish) {
  return candidates(features, wish, outlines_for(features, wish));
}

Choice choose(const Features &features, const Wish &wish) {
  return choose(features, wish, outlines_for(features, wish));
}

Choice choose(const Features &features, const Wish &wish, const Outlines &outlines) {
  check_wish(wish, *features.kind, features.situation);
  Choice best;
  for_each_candidate(features, wish, outlines, [&](Choice choice) {
    const bool better =
        best.algorithm == nullptr || seconds_to_compare(choice, features) < seconds_to_compare(best, features);
    if (better) best = std::move(choice);
  });
  if (best.algorithm != nullptr) return best;
  const std::int64_t limit = wish.scratch_limit.value_or(-1);
  throw Error(Fault::no_memory, fmt::format("rondo_scratch_limit of {} bytes leaves no algorithm{}", limit,
                                            wish.algorithm.empty() ? "" : " (" + wish.algorithm + " may need more)"))
      .with_values(-1, limit);
}

bool leaves_choice(const Wish &wish, const Kind &kind, const Topology &topology) {
  if (wish.algorithm.empty()) return true;
  const Algorithm *const named = find_algorithm(wish.algorithm, kind);
  return named != nullptr && worth_trying(*named, topology, wish.parameters).size() > 1;
}

}  // namespace rondo::internal
