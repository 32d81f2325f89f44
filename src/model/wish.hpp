#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "plans/algorithm.hpp"

namespace rondo::internal {

// What the caller asks of the choice; empty or 0 where he leaves it open.
struct Wish {
  std::string algorithm;
  Parameters parameters;
  std::optional<std::int64_t> scratch_limit;  // bytes
  std::string said_by{};  // the environment variable that names the algorithm, for messages; else empty
};

// Nothing where no algorithm is wished. Throws Error (algorithm) where the kind has no such algorithm (naming those
// there are), or it does not serve the case (with its reason).
void check_wish(const Wish &wish, const Kind &kind, const Case &situation);

}  // namespace rondo::internal
