#pragma once

#include <mpi_functions.h>

#include <cstdint>

#include "exchange/error.hpp"

namespace rondo::internal::pmpi {

// Messages with counts beyond an int, which not every library can send: where it cannot, throws Error (count).

#if defined(RONDO_MPI_HAS_BIG_COUNTS)

inline int isend(const void *buffer, std::int64_t count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                 MPI_Request *request) {
  return PMPI_Isend_c(buffer, count, type, peer, tag, comm, request);
}

inline int irecv(void *buffer, std::int64_t count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                 MPI_Request *request) {
  return PMPI_Irecv_c(buffer, count, type, peer, tag, comm, request);
}

#else

inline int as_int(std::int64_t count) {
  if (count <= INT32_MAX) return static_cast<int>(count);
  throw Error(Fault::count, "a block in place is longer than MPI_Isend can count").with_values(count, INT32_MAX);
}

inline int isend(const void *buffer, std::int64_t count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                 MPI_Request *request) {
  return PMPI_Isend(buffer, as_int(count), type, peer, tag, comm, request);
}

inline int irecv(void *buffer, std::int64_t count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                 MPI_Request *request) {
  return PMPI_Irecv(buffer, as_int(count), type, peer, tag, comm, request);
}

#endif

}  // namespace rondo::internal::pmpi
