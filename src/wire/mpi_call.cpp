#include "wire/mpi_call.hpp"

#include <fmt/format.h>

#include <mutex>
#include <string>

#include "exchange/error.hpp"

namespace rondo {

namespace {

// Two threads that swap handlers at once could restore each other's: they take turns.
std::mutex &handlers() {
  static std::mutex mutex;
  return mutex;
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

bool is_pending(MPI_Request request) noexcept {
  int done = 1;
  return MPI_Request_get_status(request, &done, MPI_STATUS_IGNORE) == MPI_SUCCESS && done == 0;
}

ErrorsReturned::ErrorsReturned() {
  handlers().lock();
  MPI_Comm_get_errhandler(MPI_COMM_WORLD, &world_);
  MPI_Comm_get_errhandler(MPI_COMM_SELF, &self_);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
}

ErrorsReturned::~ErrorsReturned() {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, world_);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, self_);
  MPI_Errhandler_free(&world_);
  MPI_Errhandler_free(&self_);
  handlers().unlock();
}

}  // namespace rondo
