#pragma once

#include <mpi.h>

#include <new>
#include <optional>
#include <system_error>
#include <utility>

#include "exchange/error.hpp"

namespace rondo::internal::pmpi {

// Hands the error to the error handler of the communicator, or of MPI_COMM_WORLD for MPI_COMM_NULL, as MPI does with
// its own; gives what the MPI call is to return if the handler lets it. MPI has no room for the message with its values
// in a class, so it goes to standard error where the handler ends the program.
int raise(MPI_Comm comm, const Error &error);

// What work() gives, or, of what it throws, the same as raise(): what runs below a function of MPI's C interface stands
// in this. It may throw where nothing is left half done.
template <class Work>
int or_raise(MPI_Comm comm, Work &&work) {
  std::optional<Error> fault;
  try {
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
