#pragma once

#include <mpi.h>

#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "exchange/error.hpp"
#include "wire/held_type.hpp"

namespace rondo::internal::pmpi {

// Calls the error handler of the communicator, or of MPI_COMM_WORLD for MPI_COMM_NULL, as MPI does for its own errors.
// Returns what the MPI call is to return if the handler returns. The handler gets an MPI error class, which says
// nothing of the message and its values: where the handler ends the program, they are printed on standard error.
int raise(MPI_Comm comm, const Error &error);

// Returns what work() returns; what work() throws goes to raise(). Every entry point of MPI's C interface runs its work
// in this. work() may throw only where nothing is left half done. (Nothing else is caught, not even to let it go on:
// the end of a thread that passes by would end the program, where it comes in the midst of another exception's
// handling.)
template <class Work>
[[gnu::always_inline]] inline int or_raise(MPI_Comm comm, Work &&work) {
  std::optional<Error> fault;
  try {
    const TypesFreedAtEnd types_freed_at_end;
    return work();
  } catch (Error &error) {
    fault = std::move(error);
  } catch (const std::bad_alloc &) {
    fault = Error::of(Fault::no_memory, [] { return "out of memory"; });
  } catch (const std::system_error &error) {
    fault = Error::of(Fault::internal, [&] { return error.what(); });
  }
  return raise(comm, *fault);
}

// The same for the code that a call of Rondo's C interface has just returned on this thread.
Error error_of(int rondo_code);

}  // namespace rondo::internal::pmpi
