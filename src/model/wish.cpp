#include "model/wish.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "exchange/error.hpp"
#include "exchange/nearest_name.hpp"
#include "model/obstacle.hpp"

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

// Most exchanges are all-to-alls, of which nothing need be said.
std::string purpose(const Kind &kind) {
  return &kind == &all_to_all ? "" : fmt::format(" for {}s", kind.name);
}

}  // namespace

void check_wish(const Wish &wish, const Kind &kind, const Case &situation) {
  if (wish.algorithm.empty()) return;
  const std::string asked = wish.said_by.empty() ? std::string() : wish.said_by + ": ";
  const Algorithm *found = find_algorithm(wish.algorithm, kind);
  if (found == nullptr) {
    const auto table = algorithms(kind);
    throw Error(Fault::algorithm, fmt::format("{}there is no algorithm '{}'{}{}; there are {}", asked, wish.algorithm,
                                              purpose(kind), suggestion(wish.algorithm, table), names_of(table)));
  }
  const Parameters parameters = effective(*found, wish.parameters, situation.topology);
  if (const std::string reason = obstacle(*found, situation, parameters); !reason.empty()) {
    throw Error(Fault::algorithm, fmt::format("{}{} is not applicable: {}", asked, found->name, reason));
  }
}

}  // namespace rondo::internal
