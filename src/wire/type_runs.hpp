#pragma once

// Where the bytes of an element of a datatype lie.

#include <mpi.h>

#include <optional>
#include <vector>

#include "exchange/exchange.hpp"

namespace rondo::internal {

// The runs of bytes of one element, in the order in which MPI sends them, from the element's address. Empty optional
// where there are more than a million, and where they cannot be found: of a constructor that is not known here, if its
// elements span more than 16 MiB. `packing` is any communicator whose errors are returned: such constructors are
// asked for their bytes by MPI_Pack.
std::optional<std::vector<Extent>> byte_runs(MPI_Datatype type, MPI_Comm packing);

}  // namespace rondo::internal
