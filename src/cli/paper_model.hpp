#pragma once

#include "cli/problem.hpp"
#include "model/fan2022.hpp"

namespace rondo::internal::cli {

// Prints what Fan 2022 predicts of a problem on two ranks or more: for people, or one JSON object.
void print_fan2022(const Problem &problem, std::int64_t largest_block, const Fan2022Prices &prices, bool as_json);

}  // namespace rondo::internal::cli
