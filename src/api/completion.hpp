#pragma once

#include "api/request.hpp"

namespace rondo::internal {

// Of an active request: does what can be done for its plan alone, and leaves the others of the process as they are.
// True once the exchange is at its end; the request is inactive then, and what the exchange has met is thrown. Local.
bool complete_alone(RONDO_Request_object &request);

}  // namespace rondo::internal
