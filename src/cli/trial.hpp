#pragma once

#include <string>

#include "cli/problem.hpp"

namespace rondo::internal::cli {

// How a problem came out. Where it is not right, the text says why and ends with the problem that reproduces it.
struct Verdict {
  enum class Kind : std::uint8_t { right, wrong, not_served };

  Kind kind = Kind::right;
  std::string text;
};

// Plans the problem for all ranks in this process, proves the rules of its routes and schedules, and runs it
// three times with new data each time. `not_served` when the algorithm has an obstacle; `native` has none but
// no route either, and is not served here. Throws nothing but what running out of memory throws.
Verdict try_problem(const Problem &problem);

}  // namespace rondo::internal::cli
