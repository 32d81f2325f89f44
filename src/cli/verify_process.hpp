#pragma once

#include <span>

#include "cli/problem.hpp"

namespace rondo::cli {

// Tries every problem with all its ranks in this process, several problems at once. Prints a line per failure
// and the count; returns the exit status.
int verify_in_process(std::span<const Problem> problems, unsigned threads);

}  // namespace rondo::cli
