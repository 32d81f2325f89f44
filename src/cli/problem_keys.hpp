#pragma once

#include <span>
#include <string>
#include <string_view>

#include "cli/problem.hpp"

namespace rondo::internal::cli {

// One `key=value` word of a problem. The table of them is what parsing, printing and the help text share.
struct ProblemKey {
  std::string_view name;
  std::string (*expected)(const Problem &so_far);     // what its value may be, for people
  bool (*read)(std::string_view value, Problem &to);  // false when the value is not what is expected
  std::string (*write)(const Problem &from);          // empty when the word is better left out
};

std::span<const ProblemKey> problem_keys();

}  // namespace rondo::internal::cli
