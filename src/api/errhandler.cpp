#include "api/errhandler.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

// MPI's handlers take codes that MPI knows: one for each of Rondo's, made when the first is needed.
int mpi_code(int code) {
  static std::mutex mutex;
  static std::array<int, last_code - first_code + 1> codes{};
  static bool made = false;
  const std::lock_guard lock(mutex);
  if (!std::exchange(made, true)) {
    int error_class = 0;
    MPI_Add_error_class(&error_class);
    MPI_Add_error_string(error_class, "an error of Rondo");
    for (int &own : codes) MPI_Add_error_code(error_class, &own);
  }
  return codes[code - first_code];
}

constinit thread_local bool left_to_caller = false;

}  // namespace

HandlerLeftToCaller::HandlerLeftToCaller() : before_(std::exchange(left_to_caller, true)) {}

HandlerLeftToCaller::~HandlerLeftToCaller() {
  left_to_caller = before_;
}

bool HandlerLeftToCaller::lives() {
  return left_to_caller;
}

void call_handler(MPI_Comm comm, int code) {
  if (comm == MPI_COMM_NULL || !mpi_is_up() || code < first_code || code > last_code) return;
  char text[RONDO_MAX_ERROR_STRING] = {};
  int length = 0;
  RONDO_Error_string(code, text, &length);
  text[std::min(length, MPI_MAX_ERROR_STRING - 1)] = '\0';
  const int known = mpi_code(code);
  MPI_Add_error_string(known, text);
  MPI_Comm_call_errhandler(comm, known);
}

}  // namespace rondo::internal
