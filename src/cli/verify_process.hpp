#pragma once

#include <span>

#include "cli/problem.hpp"
#include "cli/random_problem.hpp"

namespace rondo::internal::cli {

// Tries every problem with all its ranks in this process, several problems at once, and then those drawn at random.
// Prints the seed of those, a line per failure and the count; returns the exit status.
int verify_in_process(std::span<const Problem> problems, const RandomOrder &random, unsigned threads);

}  // namespace rondo::internal::cli
