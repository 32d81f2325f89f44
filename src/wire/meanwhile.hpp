#pragma once

namespace rondo::internal {

// What a rank does while it waits for others that may not have come yet: it moves what this process has started, which
// they may be waiting for. Takes no memory and throws nothing. Null where all are known to have come.
using Meanwhile = void (*)();

}  // namespace rondo::internal
