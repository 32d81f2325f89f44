#include "model/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

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

Choice estimated(const Algorithm &algorithm, const Parameters &parameters, const Features &features,
                 const std::shared_ptr<const Cut> &cut) {
  return {&algorithm, parameters,
          cut ? estimate_by_routes(algorithm, parameters, features, *cut)
              : estimate_by_outline(algorithm, parameters, features),
          cut};
}

bool fits(const Choice &choice, const Features &features, std::int64_t limit) {
  const std::int64_t most = choice.cut ? most_scratch_by_segments(*choice.algorithm, choice.estimate)
                                       : most_scratch(*choice.algorithm, choice.parameters, features);
  return most <= limit;
}

}  // namespace

std::vector<Choice> candidates(const Features &features, const Wish &wish) {
  const Case &situation = features.situation;
  std::vector<Choice> found;
  for (const Algorithm *algorithm : algorithms(*features.kind)) {
    if (!wish.algorithm.empty() && algorithm->name != wish.algorithm) continue;
    std::shared_ptr<const Cut> cut;
    for (const Parameters &parameters : worth_trying(*algorithm, situation.topology, wish.parameters)) {
      if (!obstacle(*algorithm, situation, parameters).empty()) continue;
      if (!cut) cut = cut_by(*algorithm, features);
      Choice choice = estimated(*algorithm, parameters, features, cut);
      if (wish.algorithm.empty() && wish.scratch_limit && !fits(choice, features, *wish.scratch_limit)) continue;
      found.push_back(std::move(choice));
    }
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Choice &a, const Choice &b) { return a.estimate.seconds < b.estimate.seconds; });
  return found;
}

Choice choose(const Features &features, const Wish &wish) {
  check_wish(wish, *features.kind, features.situation);
  std::vector<Choice> all = candidates(features, wish);
  if (!all.empty()) return std::move(all.front());
  const std::int64_t limit = wish.scratch_limit.value_or(-1);
  throw Error(Fault::no_memory, fmt::format("rondo_scratch_limit of {} bytes leaves no algorithm{}", limit,
                                            wish.algorithm.empty() ? "" : " (" + wish.algorithm + " may need more)"))
      .with_values(-1, limit);
}

}  // namespace rondo::internal
