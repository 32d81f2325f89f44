#pragma once

// Agree: the second phase of an init, and what it gives.

#include <array>
#include <cstdint>
#include <optional>

#include "api/inputs.hpp"
#include "model/features.hpp"

namespace rondo::internal {

// What a rank brings to the reduction: `Figures` in agreed.cpp, as numbers.
using FigureValues = std::array<std::int64_t, 14>;

// What all ranks know of all.
struct Agreed {
  Features features;
  std::int64_t most_received = 0;  // bytes that one rank receives from others
  bool send_allocated = false;     // on all ranks the plan allocates the send space
  bool receive_allocated = false;
  bool on_device = false;    // a buffer of any rank
  bool attaches = false;     // large messages are read from the senders' memory by attaching, where ranks share a node
  std::int64_t earlier = 0;  // the number of the plan that all ranks have made like this before; 0: none
  FigureValues own_figures{};  // what this rank has brought

  [[nodiscard]] const Topology &topology() const { return features.situation.topology; }
};

// By one reduction all ranks learn the features, or throw the fault of the lowest that has one; `fault` is this rank's,
// which then has no inputs. Throws Error (hint) when the hints are not the same everywhere. Where the kind has all
// ranks know the sizes of all, they learn them here; else rondo_validate=1 holds here what is sent against what is
// received. Collective.
Agreed agree_on(const Channel &channel, std::optional<Error> fault, const Inputs &inputs);

}  // namespace rondo::internal
