#pragma once

#include <mpi.h>

namespace rondo::internal {

// Makes a status that of a null, inactive or collective request (MPI-4.0, section 3.7.3): of no elements, not
// cancelled. MPI_ERROR stays as it is; the status may be MPI_STATUS_IGNORE. Without the MPI library's functions for
// that, which may not be called after MPI_Finalize.
inline void set_empty(MPI_Status *status) {
  if (status == MPI_STATUS_IGNORE) return;
  const int error = status->MPI_ERROR;
  *status = {};
  status->MPI_SOURCE = MPI_ANY_SOURCE;
  status->MPI_TAG = MPI_ANY_TAG;
  status->MPI_ERROR = error;
}

// Of the index-th status of an array, which may be MPI_STATUSES_IGNORE.
template <class Index>
MPI_Status *status_at(MPI_Status *statuses, Index index) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + index;
}

}  // namespace rondo::internal
