#pragma once

#include <string>

#include "plans/algorithm.hpp"

namespace rondo::internal {

// Why the algorithm does not serve this case; empty when it does.
std::string obstacle(const Algorithm &algorithm, const Case &situation, const Parameters &parameters);

}  // namespace rondo::internal
