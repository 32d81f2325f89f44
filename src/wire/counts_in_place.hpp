#pragma once

#include <mpi.h>

namespace rondo::internal {

// Open MPI numbers the non-blocking and persistent collectives of a communicator to match them between ranks. In an
// all-to-all in place a rank that has no data does not count the call as the others do: its next such collective has
// another number than theirs, and waits for ever.
#if defined(OPEN_MPI)
constexpr bool library_counts_in_place = false;
#else
constexpr bool library_counts_in_place = true;
#endif

}  // namespace rondo::internal
