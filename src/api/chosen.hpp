#pragma once

// Choose: the third phase of an init, and what it gives.

#include <vector>

#include "api/agreed.hpp"
#include "model/choose.hpp"

namespace rondo::internal {

// The algorithm, and what carries its messages.
struct Chosen {
  Choice choice;
  std::vector<char> shares{};    // by rank: whether this rank shares memory with it; empty where it shares none
  Wire wire = Wire::packed;      // of messages that are not shared: packed, or datatypes; this rank's affair alone
  bool halves_messages = false;  // between nodes: see schedule/halve.hpp
  bool types_receives = false;   // see schedule/type_receives.hpp; this rank's affair alone
  double measured = 0;           // seconds of an exchange, where that is why it has been chosen; else 0

  [[nodiscard]] Layout layout() const { return choice.algorithm->layout; }
  [[nodiscard]] bool native() const { return layout() == Layout::native; }
  [[nodiscard]] bool shares_any() const;
};

// Bytes in a run of the elements with gaps of one side, in the mean; 0 where it is not known.
std::int64_t mean_run(const Side &side);

// Throws, on all ranks alike, Error (algorithm, no_memory) where nothing serves the case, and Error (buffer) where an
// algorithm has been named for memory of a GPU that cannot read it. Local.
Chosen choose_for(const Channel &channel, const Inputs &inputs, const Agreed &agreed);

}  // namespace rondo::internal
