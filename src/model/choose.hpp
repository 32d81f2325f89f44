#pragma once

#include <memory>
#include <vector>

#include "model/cost.hpp"
#include "model/features.hpp"
#include "model/outlines.hpp"
#include "model/wish.hpp"

namespace rondo::internal {

struct Choice {
  const Algorithm *algorithm = nullptr;
  Parameters parameters;
  Estimate estimate;
  std::shared_ptr<const Cut> cut{};  // of a kind whose blocks are segments; else null

  [[nodiscard]] Route route(int rank, const Topology &topology) const {
    return algorithm->route_of(rank, topology, parameters, cut.get());
  }
};

// Every algorithm for this kind of exchange that serves the case, with the parameters worth trying, cheapest first. If
// the caller names an algorithm, that one alone. `outlines` are those of the features' kind and topology, and of the
// wish.
std::vector<Choice> candidates(const Features &features, const Wish &wish, const Outlines &outlines);
std::vector<Choice> candidates(const Features &features, const Wish &wish);

// The cheapest. A pure function of what all ranks agreed on, so all choose the same. Throws Error (algorithm) when
// the wished algorithm is unknown (naming those there are) or does not serve the case (with its reason); parameters
// that an algorithm does not take are ignored, as they may come from the environment. Error (no_memory) when the
// scratch limit leaves none; one asked for by name is held against the limit when it is planned.
Choice choose(const Features &features, const Wish &wish, const Outlines &outlines);
Choice choose(const Features &features, const Wish &wish);

// Whether a wish leaves a choice: of the algorithm, or of parameters of the one that it names. Not so for a name that
// there is not.
bool leaves_choice(const Wish &wish, const Kind &kind, const Topology &topology);

}  // namespace rondo::internal
