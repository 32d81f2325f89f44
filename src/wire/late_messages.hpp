#pragma once

#include <mpi.h>

#include <span>

namespace rondo::internal {

// Messages that are under way when an exchange is given up: what cannot be cancelled may still be read or written by
// MPI. None of these throws; errors are the caller's to have returned (ErrorsReturned).

// Of receives, some of which may be inactive or complete, and may not be cancelled.
void cancel_pending(std::span<MPI_Request> receives) noexcept;

// Gives MPI a tenth of a second for what other ranks may be at just now. True when all are complete.
bool complete_in_time(std::span<MPI_Request> requests) noexcept;

// Of the requests: those that have been started and are not complete.
[[nodiscard]] int count_pending(std::span<const MPI_Request> requests) noexcept;

}  // namespace rondo::internal
