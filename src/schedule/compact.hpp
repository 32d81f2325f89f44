#pragma once

#include <cstdint>
#include <span>

#include "schedule/schedule.hpp"

namespace rondo::internal {

struct LayoutInput;

// Whether a place is used again. Within a step: a block that leaves makes room for one that arrives in the same
// step, which is right where messages are gathered before anything is written.
enum class Reuse { within_step, never };

// Puts every resting block (received here, sent on later, and for others only) into scratch for as long as it rests,
// and returns the bytes of scratch that this takes. With reuse there are never more slots than blocks at rest at once,
// which is at most TuNA's P - (K + 1) (section III-C), and the bytes are at most that times the largest.
std::int64_t pack_resting_blocks(const LayoutInput &input, Reuse reuse, std::span<Place> arrived);

}  // namespace rondo::internal
