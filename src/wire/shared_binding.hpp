#pragma once

#include "wire/shared_messages.hpp"
#include "wire/wire_steps.hpp"

namespace rondo::internal {

// What a start of one bank has to do, from what both ends of each message have told of it (SharedRegion). Two messages
// from a to b in a step match in order. Local. Throws Error (mismatch) when the other end of a message expects another
// size.
SharedMessages bind_shared(const Binding &binding);

}  // namespace rondo::internal
