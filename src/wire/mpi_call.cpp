#include "wire/mpi_call.hpp"

#include <fmt/format.h>
#include <mpi_functions.h>

#include <mutex>
#include <string>

namespace rondo::internal {

namespace {

// The program's own error handlers, while any thread has an ErrorsReturned. The first such thread saves and replaces
// them, the last one restores them.
struct Handlers {
  std::mutex mutex;
  int users = 0;
  MPI_Errhandler world = MPI_ERRHANDLER_NULL;
  MPI_Errhandler self = MPI_ERRHANDLER_NULL;
};

Handlers &handlers() {
  static auto *const one = new Handlers;
  return *one;
}

}  // namespace

void check_mpi(int code, const char *call) {
  if (code == MPI_SUCCESS) [[likely]]
    return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw Error(Fault::mpi, fmt::format("{} failed: {}", call, std::string_view(text, static_cast<std::size_t>(length))))
      .with_values(code);
}

bool mpi_is_up() noexcept {
  int finalized = 0;
  MPI_Finalized(&finalized);
  return finalized == 0;
}

bool has_world() noexcept {
  int initialized = 0;
  MPI_Initialized(&initialized);
  return initialized != 0 && mpi_is_up();
}

bool threads_call_at_once() noexcept {
  int given = MPI_THREAD_MULTIPLE;
  return !has_world() || MPI_Query_thread(&given) != MPI_SUCCESS || given == MPI_THREAD_MULTIPLE;
}

void check_mpi_is_up(Fault kind) {
  if (!mpi_is_up()) throw Error(kind, "MPI has been finalized");
#if !defined(RONDO_MPI_HAS_SESSIONS)  // else the program may have a session without MPI_Init
  if (!has_world()) throw Error(kind, "MPI has not been initialized");
#endif
}

void check_mpi_is_up_for(MPI_Comm comm) {
  check_mpi_is_up(Fault::comm);
  if (has_world() || (comm != MPI_COMM_WORLD && comm != MPI_COMM_SELF)) return;
  throw Error(Fault::comm, fmt::format("{} is no communicator before MPI_Init",
                                       comm == MPI_COMM_WORLD ? "MPI_COMM_WORLD" : "MPI_COMM_SELF"));
}

bool is_pending(MPI_Request request) noexcept {
  int done = 1;
  return MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done == 0;
}

ErrorsReturned::ErrorsReturned() : has_world_(has_world()) {
  if (!has_world_) return;
  Handlers &own = handlers();
  const std::lock_guard lock(own.mutex);
  if (own.users++ > 0) return;
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &own.world);
  MPI_Comm_get_errhandler(MPI_COMM_SELF, &own.self);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
}

ErrorsReturned::~ErrorsReturned() {
  if (!has_world_) return;
  Handlers &own = handlers();
  const std::lock_guard lock(own.mutex);
  if (--own.users > 0) return;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, own.world);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, own.self);
  MPI_Errhandler_free(&own.world);
  MPI_Errhandler_free(&own.self);
}

}  // namespace rondo::internal
