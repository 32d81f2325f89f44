#pragma once

// Agree: the second phase of an init, and what it gives.

#include <array>
#include <cstdint>
#include <optional>

#include "api/inputs.hpp"
#include "model/features.hpp"

namespace rondo::internal {

// What a rank brings to the reduction: `Figures` in agreed.cpp, as numbers.
using FigureValues = std::array<std::int64_t, 19>;

// What all ranks know of all.
struct Agreed {
  Features features;
  // Whether data may go by messages of MPI's, if only by those of a rank to itself. What else needs MPI's duplicate
  // (learning of sizes, `native`) makes it where it is chosen.
  bool needs_messages = false;
  std::int64_t most_received = 0;  // bytes that one rank receives from others
  bool send_allocated = false;     // on all ranks the plan allocates the send space
  bool receive_allocated = false;
  bool on_device = false;           // a buffer of any rank
  bool exceeds_inboxes = false;     // a rank sends or receives more than most_in_inboxes of the largest node
  bool attaches_somewhere = false;  // large messages may be, on a node of any rank
  bool attaches = false;     // large messages are read from the senders' memory by attaching, where ranks share a node
  std::int64_t earlier = 0;  // the number of the plan that all ranks have made like this before; 0: none
  FigureValues own_figures{};  // what this rank has brought
  // The regions of the segment that no rank uses, where all ranks share a node.
  std::optional<std::uint64_t> free_regions{};

  [[nodiscard]] const Topology &topology() const { return features.situation.topology; }
};

// Whether a plan is to read long data from other processes' memory, if these can be read, where so many ranks take
// turns on a core. Unless it is asked for one of the ways, where many do: parts wait for the turns of their senders,
// and in programs whose ranks come at different times these are at something else.
[[nodiscard]] bool reads_senders(LongMessages asked, std::int64_t turns);

// For hints that differ between ranks: throws, on all ranks, the same error, in which the lowest rank that differs from
// rank 0 says in what. Collective. Takes no memory but for the message, which may be missing (see Error::of).
[[noreturn]] void tell_difference(const Channel &channel, const Hints &hints);

// By one reduction all ranks learn the features, or all throw the fault of the lowest rank that has one. `fault` is
// this rank's fault; with a fault, `inputs` are not looked at. Throws Error (hint) when the hints are not the same on
// all ranks. Then, for a kind in which all ranks know all sizes, the ranks learn these; for another, with
// rondo_validate=1, they compare the sizes that are sent with those that are received. Collective.
Agreed agree_on(const Channel &channel, std::optional<Error> fault, const Inputs &inputs);

}  // namespace rondo::internal
