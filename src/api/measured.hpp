#pragma once

// Choices that have been measured, by the case that they are for.

#include <map>
#include <string>

#include "api/agreed.hpp"
#include "model/choose.hpp"

namespace rondo::internal {

struct MeasuredChoice {
  std::string algorithm;
  Parameters parameters{};
  double seconds = 0;  // of one exchange, when it was measured

  [[nodiscard]] bool is(const Choice &choice) const {
    return choice.algorithm->name == algorithm && choice.parameters == parameters;
  }
};

using MeasuredChoices = std::map<std::string, MeasuredChoice, std::less<>>;

// What a measured choice holds for: the call, the ranks and nodes, the hints that bear on it, and the sizes, of which
// each stands for all from a sixth below to a fifth above. The same on all ranks.
std::string case_name(const Agreed &agreed, const Inputs &inputs);

}  // namespace rondo::internal
