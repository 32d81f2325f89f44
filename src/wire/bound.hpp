#pragma once

// A schedule bound to addresses and wires: what the executor runs, and nothing that it would have to work out at a
// start.

#include <vector>

#include "wire/bound_copy.hpp"
#include "wire/typed_copies.hpp"
#include "wire/wires.hpp"

namespace rondo::internal {

// `before` is copied, then the wires begin the step; when all of it has arrived, the wires finish it, and then `after`
// is copied. They are the schedule's own copies: before a message, into staging; after it, out of staging; and the
// prologue and the epilogue.
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
};

}  // namespace rondo::internal
