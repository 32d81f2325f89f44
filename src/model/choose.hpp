#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/cost.hpp"

namespace rondo::internal {

// What the caller asks of the choice; empty or 0 where he leaves it open.
struct Wish {
  std::string algorithm;
  Parameters parameters;
  std::optional<std::int64_t> scratch_limit;  // bytes
  std::string said_by{};  // the environment variable that names the algorithm, for messages; else empty
};

struct Choice {
  const Algorithm *algorithm = nullptr;
  Parameters parameters;
  Estimate estimate;
  std::shared_ptr<const Cut> cut{};  // of an all-gather; null for native

  [[nodiscard]] Route route(int rank, const Topology &topology) const;
};

// Every algorithm that serves the case, with the parameters worth trying, cheapest first. Without a wish for one,
// native and the direct and digit-wise algorithms of the table compete alike.
std::vector<Choice> candidates(const Features &features, const Wish &wish);

// The cheapest. A pure function of what all ranks agreed on, so all choose the same. Throws Error (algorithm) when
// the wished algorithm is unknown (naming those there are) or does not serve the case (with its reason); parameters
// that an algorithm does not take are ignored, as they may come from the environment. Error (no_memory) when the
// scratch limit leaves none; one asked for by name is held against the limit when it is planned.
Choice choose(const Features &features, const Wish &wish);

}  // namespace rondo::internal
