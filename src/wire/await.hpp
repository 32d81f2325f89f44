#pragma once

#include <mpi.h>

#include "wire/meanwhile.hpp"

namespace rondo::internal {

// Completes a request of the MPI library's. Where ranks outnumber cores this is much faster than the blocking call of a
// library that spins: it gives the core away.
void await(MPI_Request *request, Meanwhile meanwhile);

}  // namespace rondo::internal
