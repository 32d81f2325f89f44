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

// Throws Error (algorithm) where the caller names an algorithm which the kind does not have (the message lists those
// that it has), or which does not serve the case (the message gives the reason).
void check_wish(const Wish &wish, const Kind &kind, const Case &situation);

}  // namespace rondo::internal
