#include "model/wish.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "exchange/error.hpp"
#include "exchange/nearest_name.hpp"
#include "model/obstacle.hpp"

namespace rondo::internal {

namespace {

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
    const std::vector<std::string_view> names = algorithm_names(kind);
    throw Error(Fault::algorithm,
                fmt::format("{}there is no algorithm '{}'{}{}; there are {}", asked, wish.algorithm, purpose(kind),
                            did_you_mean(wish.algorithm, names), fmt::join(names, ", ")));
  }
  const Parameters parameters = effective(*found, wish.parameters, situation.topology);
  if (const std::string reason = obstacle(*found, situation, parameters); !reason.empty()) {
    throw Error(Fault::algorithm, fmt::format("{}{} is not applicable: {}", asked, found->name, reason));
  }
}

}  // namespace rondo::internal
