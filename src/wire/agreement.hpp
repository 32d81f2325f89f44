#pragma once

#include <mpi.h>

#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "exchange/error.hpp"

namespace rondo::internal {

// Completes a request of the MPI library's, and keeps what this rank has started moving meanwhile. A collective that
// ranks come to from elsewhere is waited for in this way: a rank that is late may be waiting for what this one has
// started. Takes no memory and throws nothing that one rank alone could meet.
using AwaitRequest = void (*)(MPI_Request *request);

// Collective, and always to be reached by all ranks: each value becomes its maximum over the ranks. If any rank
// brings a fault, all ranks throw the fault of the lowest of them, with its rank and values, so that an init
// fails everywhere or nowhere. Takes no memory, which may be what there is none of. The rank is that in comm, unless
// the fault has one already. `await` is given, on all ranks or on none, where ranks may not have met yet.
void agree(MPI_Comm comm, std::span<std::int64_t> maxima, const std::optional<Error> &fault,
           AwaitRequest await = nullptr);

// Collective: returns when all ranks have come.
void barrier(MPI_Comm comm, AwaitRequest await);

// Runs work() and returns the fault that it threw, if any; std::bad_alloc becomes Fault::no_memory.
template <class Work>
std::optional<Error> fault_of(Work &&work) {
  try {
    work();
  } catch (Error &error) {
    return std::move(error);
  } catch (const std::bad_alloc &) {
    return Error(Fault::no_memory, "out of memory");
  } catch (const std::exception &error) {
    return Error::of(Fault::internal, [&] { return error.what(); });
  }
  return std::nullopt;
}

// Collective. Runs work() on every rank; throws on all when it throws on any.
template <class Work>
void succeed_together(MPI_Comm comm, Work &&work) {
  agree(comm, {}, fault_of(work));
}

}  // namespace rondo::internal
