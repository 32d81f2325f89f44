#pragma once

#include <mpi.h>

#include <span>

namespace rondo::internal {

// What to do with messages that are under way when an exchange is given up. MPI may still read or write the memory of
// those that cannot be cancelled. None of these functions throws; the caller holds an ErrorsReturned around them.

// Cancels the receives that are pending, and leaves those that are inactive or complete as they are.
void cancel_pending(std::span<MPI_Request> receives) noexcept;

// Waits for at most a tenth of a second, as other ranks may be sending or receiving these messages at this moment.
// True when all are complete.
bool complete_in_time(std::span<MPI_Request> requests) noexcept;

// How many of the requests have been started and are not complete.
[[nodiscard]] int count_pending(std::span<const MPI_Request> requests) noexcept;

}  // namespace rondo::internal
