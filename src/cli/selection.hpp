#pragma once

#include <rondo/rondo.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/block_sizes.hpp"
#include "cli/problem.hpp"
#include "model/choose.hpp"

namespace rondo::internal::cli {

// The algorithm that a problem is about, and its parameters as they take effect.
struct Selection {
  const Algorithm *algorithm = nullptr;
  Parameters parameters;
  std::string obstacle;              // why the algorithm does not serve the problem; empty when it does
  std::shared_ptr<const Cut> cut{};  // where the problem's blocks are segments and the algorithm has a route; else null

  [[nodiscard]] bool has_route() const { return algorithm->layout != Layout::native; }
  [[nodiscard]] Route route(int rank, const Topology &topology) const {
    return algorithm->route_of(rank, topology, parameters, cut.get());
  }
};

// The algorithm that the problem names, else the one that the library would choose.
Selection select(const Problem &problem, const Case &situation);

// Of a problem whose sizes vary: what each start may take, the first start the first. Throws Error (algorithm) where
// the algorithm that the problem names does not serve it.
std::vector<Choice> candidates_of(const Problem &problem);

// What it is chosen from, the least estimate first; where the problem names an algorithm, with the parameters that are
// worth trying for it. `turns` are the ranks that take turns on a core. Not of problems whose sizes vary.
std::vector<Choice> estimates_of(const Problem &problem, const Case &situation, int turns);

// Whether all blocks travel with the size of the largest, empty ones too.
bool pads(const Selection &selection, const Case &situation);

// "tuna, radix 3".
std::string to_string(const Selection &selection);

// Those of a plan that has been made.
Parameters parameters_of(const RONDO_Report &report);

// "tuna:radix=3", as lists of contenders have it.
std::string label(std::string_view algorithm, const Parameters &parameters);

}  // namespace rondo::internal::cli
