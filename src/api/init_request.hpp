#pragma once

#include "api/init.hpp"

namespace rondo::internal {

// What every init call of the C interface ends in: plans, hands out the request or the code of the error, and tells the
// communicator's error handler where it is asked to.
int init_request(const Call &call, MPI_Comm comm, MPI_Info info, RONDO_Request *request);

}  // namespace rondo::internal
