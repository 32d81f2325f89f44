#include "model/candidates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "exchange/error.hpp"
#include "exchange/nearest_name.hpp"

namespace rondo::internal {

namespace {

std::string names_of(std::span<const Algorithm *const> table) {
  std::string names;
  for (const Algorithm *algorithm : table) names += (names.empty() ? "" : ", ") + std::string(algorithm->name);
  return names;
}

std::string suggestion(std::string_view word, std::span<const Algorithm *const> table) {
  std::vector<std::string_view> names;
  for (const Algorithm *algorithm : table) names.push_back(algorithm->name);
  return did_you_mean(word, names);
}

int steps_of(const Algorithm &algorithm, const Case &situation, const Parameters &parameters) {
  if (algorithm.gather == nullptr) return static_cast<int>(algorithm.outline(situation.topology, parameters).steps);
  int steps = 0;
  for (const GatherStage &stage : algorithm.gather->stages(situation.topology, parameters)) steps += stage.steps;
  return steps;
}

bool sends_at_start_only(const Algorithm &algorithm, const Case &situation, const Parameters &parameters) {
  if (algorithm.layout == Layout::native) return true;
  return algorithm.layout == Layout::direct && steps_of(algorithm, situation, parameters) <= 1;
}

}  // namespace

std::string obstacle(const Algorithm &algorithm, const Case &situation, const Parameters &parameters) {
  std::string own = algorithm.obstacle(situation, parameters);
  if (!own.empty() || !situation.sends_at_start_only || sends_at_start_only(algorithm, situation, parameters))
    return own;
  return "it sends MPI messages after its start, which need a thread where the program is in a call of its own, and so "
         "MPI_THREAD_MULTIPLE";
}

void check_wish(const Wish &wish, std::span<const Algorithm *const> table, std::string_view purpose,
                const Case &situation) {
  if (wish.algorithm.empty()) return;
  const std::string asked = wish.said_by.empty() ? std::string() : wish.said_by + ": ";
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const Algorithm *algorithm) { return algorithm->name == wish.algorithm; });
  if (found == table.end()) {
    throw Error(Fault::algorithm, fmt::format("{}there is no algorithm '{}'{}{}; there are {}", asked, wish.algorithm,
                                              purpose, suggestion(wish.algorithm, table), names_of(table)));
  }
  const Parameters parameters = effective(**found, wish.parameters, situation.topology);
  if (const std::string reason = obstacle(**found, situation, parameters); !reason.empty()) {
    throw Error(Fault::algorithm, fmt::format("{}{} is not applicable: {}", asked, (*found)->name, reason));
  }
}

void sort_by_time(std::vector<Choice> &candidates) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Choice &a, const Choice &b) { return a.estimate.seconds < b.estimate.seconds; });
}

Choice cheapest(std::vector<Choice> candidates, const Wish &wish) {
  if (!candidates.empty()) return std::move(candidates.front());
  const std::int64_t limit = wish.scratch_limit.value_or(-1);
  throw Error(Fault::no_memory, fmt::format("rondo_scratch_limit of {} bytes leaves no algorithm{}", limit,
                                            wish.algorithm.empty() ? "" : " (" + wish.algorithm + " may need more)"))
      .with_values(-1, limit);
}

}  // namespace rondo::internal
