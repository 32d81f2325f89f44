#pragma once

#include <string>

#include "cli/block_sizes.hpp"
#include "cli/problem.hpp"

namespace rondo::internal::cli {

// Prints the estimates that the choice for a problem is made by, of all candidates, the cheapest first, which is what
// the library would take; `turns` ranks take turns on each core. With a path gnuplot draws them to it, too (SVG).
void explain(const Problem &problem, const Case &situation, int turns, bool as_json, const std::string &svg);

}  // namespace rondo::internal::cli
