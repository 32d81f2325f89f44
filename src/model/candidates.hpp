#pragma once

// What the choices of all-to-alls and all-gathers have in common.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/choose.hpp"

namespace rondo::internal {

// Why the algorithm does not serve this case; empty when it does.
std::string obstacle(const Algorithm &algorithm, const Case &situation, const Parameters &parameters);

// Nothing where no algorithm is wished. Throws Error (algorithm) where the wished one is none of the table (naming
// those there are; `purpose` tells what for, or is empty), or does not serve the case (with its reason).
void check_wish(const Wish &wish, std::span<const Algorithm *const> table, std::string_view purpose,
                const Case &situation);

// Cheapest first.
void sort_by_time(std::vector<Choice> &candidates);

// The first of the candidates. Throws Error (no_memory) if the scratch limit has left none.
Choice cheapest(std::vector<Choice> candidates, const Wish &wish);

}  // namespace rondo::internal
