#pragma once

// The choice for exchanges whose counts come with each start.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/choose.hpp"

namespace rondo::internal {

// What is known of such an exchange before it starts. `expected_bytes`: that a rank sends in a start, where the caller
// has said so; else blocks are taken to be short, as a fixed point has many starts with little to say.
Features varying_features(const Topology &topology, std::optional<std::int64_t> expected_bytes);

// Why the algorithm does not serve it; empty when it does.
std::string varying_obstacle(const Algorithm &algorithm, const Features &features, const Parameters &parameters);

// The candidates for each start, that of the least estimate first. On one node, or where there is to be one only, that
// is the only one; on several the cheapest of each family, as what messages between nodes cost is best measured. Throws
// as choose() does.
std::vector<Choice> choose_varying(const Features &features, const Wish &wish, bool one_only);

}  // namespace rondo::internal
