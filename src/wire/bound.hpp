#pragma once

// A schedule bound to addresses and wires: what the executor runs, and nothing that it would have to work out at a
// start.

#include <vector>

#include "wire/bound_copy.hpp"
#include "wire/typed_copies.hpp"
#include "wire/wires.hpp"

namespace rondo::internal {

// One step in its order: the copies `before` are made, the wires begin the step, all its messages arrive, the wires
// finish the step, the copies `after` are made. These are the copies that the schedule asks for: `before` gathers
// messages into staging, `after` scatters messages from there. The prologue stands before the first step's gathering,
// the epilogue after the last step's scattering.
struct BoundStep {
  Range before;
  Range after;
};

struct BoundSchedule {
  std::vector<BoundStep> steps{};  // one at least
  std::vector<BoundCopy> copies{};
  Range meanwhile{};              // while the messages of the first step are under way
  TypedCopies typed_meanwhile{};  // likewise
  Wires wires;

  // Whether move() serves where a plan is given other buffers. If not, the schedule is bound anew.
  [[nodiscard]] bool can_move() const {
    return typed_meanwhile.empty() && wires.all([](const auto &wire) { return wire.can_move(); });
  }
  void move(const Moved &moved) {
    internal::move(copies, moved);
    wires.each([&](auto &wire) { wire.move(moved); });
  }
};

}  // namespace rondo::internal
