#pragma once

// The wires that there are. docs/adding-a-wire.md adds one.

#include "wire/message_steps.hpp"
#include "wire/native_steps.hpp"
#include "wire/shared_steps.hpp"
#include "wire/wire_steps.hpp"

namespace rondo::internal {

// In the order in which they are told to begin a step. Shared memory comes first, as other ranks may be waiting for it.
using Wires = WireList<SharedSteps, MessageSteps, NativeSteps>;

}  // namespace rondo::internal
