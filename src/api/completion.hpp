#pragma once

#include "api/request.hpp"

namespace rondo::internal {

// Does what can be done without waiting for the exchange of an active request, and for no other plan of the process.
// True once the exchange is complete; throws its error if it has failed. In both cases the request is inactive then.
// Local.
bool complete_alone(RONDO_Request_object &request);

}  // namespace rondo::internal
