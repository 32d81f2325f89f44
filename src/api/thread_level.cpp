#include "api/thread_level.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <optional>

#include "exchange/error.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

const char *name_of(int level) {
  switch (level) {
    case MPI_THREAD_SINGLE: return "MPI_THREAD_SINGLE";
    case MPI_THREAD_FUNNELED: return "MPI_THREAD_FUNNELED";
    case MPI_THREAD_SERIALIZED: return "MPI_THREAD_SERIALIZED";
    case MPI_THREAD_MULTIPLE: return "MPI_THREAD_MULTIPLE";
    default: return "an unknown thread level";
  }
}

// The thread level of MPI_Init_thread. Nothing for a program that has only sessions: MPI tells the level of a session
// only for the session's handle, and a communicator does not lead to that.
std::optional<int> thread_level() {
  if (!has_world()) return std::nullopt;
  int given = MPI_THREAD_SINGLE;
  check_mpi(MPI_Query_thread(&given), "MPI_Query_thread");
  return given;
}

}  // namespace

void check_thread_level(bool thread_calls_mpi) {
  const int needed = thread_calls_mpi ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED;
  const std::optional<int> level = thread_level();
  if (!level)
    throw Error(Fault::hint, "rondo_progress=thread needs MPI_Init_thread: what a session gives is not known");
  const int given = *level;
  if (given >= needed) return;
  throw Error(Fault::hint,
              fmt::format("rondo_progress=thread needs {} where messages go through {}; the program has {}",
                          name_of(needed), thread_calls_mpi ? "MPI" : "shared memory only", name_of(given)))
      .with_values(given, needed);
}

}  // namespace rondo::internal
