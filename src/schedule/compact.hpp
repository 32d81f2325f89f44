#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedule/schedule.hpp"

namespace rondo::internal {

struct LayoutInput;

// What pack_resting_blocks has found a place for.
struct RestingBlocks {
  std::int64_t scratch_bytes = 0;
  // By receive entry: the first step in which the block's place is free, so that its sender may write there once this
  // rank has come to that step. 0 where nothing lay there before. Empty: 0 for all.
  std::vector<int> free_from;
};

// Puts every resting block (received here, sent on later, and for others only) into scratch for as long as it rests.
// A place is lent again when its block has left:
//
//   - to a block that this rank itself puts there when the step's messages are complete (staged): in the same step;
//   - to one that MPI may put there as soon as the step begins (datatype): in the next step;
//   - to one that a rank of the node writes there through shared memory: in the step after that, so that the writer,
//     who waits until the place is free, seldom has to wait. But only where that saves more than what such blocks of
//     two steps take; else each of them has a place that was never used before, and its writer never waits.
//
// So scratch has never more places than blocks are at rest at once, which is at most TuNA's P - (K + 1) (section
// III-C), and blocks come through shared memory in two steps; the bytes are at most that times the largest.
RestingBlocks pack_resting_blocks(const LayoutInput &input, std::span<Place> arrived);

}  // namespace rondo::internal
