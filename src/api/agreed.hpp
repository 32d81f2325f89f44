#pragma once

// Agree: the second phase of an init, and what it gives.

#include <cstdint>
#include <optional>

#include "api/inputs.hpp"
#include "model/features.hpp"

namespace rondo::internal {

// What all ranks know of all.
struct Agreed {
  Features features;
  std::int64_t most_received = 0;  // bytes that one rank receives from others
  bool send_allocated = false;     // on all ranks the plan allocates the send space
  bool receive_allocated = false;
  bool on_device = false;  // a buffer of any rank

  [[nodiscard]] const Topology &topology() const { return features.situation.topology; }
};

// By one reduction all ranks learn the features, or all throw the fault of the lowest rank that has one. `fault` is
// this rank's fault; with a fault, `inputs` are not looked at. Throws Error (hint) when the hints are not the same on
// all ranks. Then, for a kind in which all ranks know all sizes, the ranks learn these; for another, with
// rondo_validate=1, they compare the sizes that are sent with those that are received. Collective.
Agreed agree_on(const Channel &channel, std::optional<Error> fault, const Inputs &inputs);

}  // namespace rondo::internal
