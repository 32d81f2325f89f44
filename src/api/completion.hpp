#pragma once

#include "api/request.hpp"

namespace rondo::internal {

// Does what can be done without waiting for the exchange of an active request, and for no other plan of the process.
// True once the exchange is complete; throws its error if it has failed. In both cases the request is inactive then.
// Local.
bool complete_alone(RONDO_Request_object &request);

// RONDO_Wait and RONDO_Test of a request, active or not, and without a status; they throw what its exchange has met.
void wait_for(RONDO_Request_object &request);
bool test_for(RONDO_Request_object &request);

}  // namespace rondo::internal
