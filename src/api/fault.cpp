#include "api/fault.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

struct LastError {
  RONDO_Error_values values{MPI_SUCCESS, -1, -1, -1, -1};
  char message[RONDO_MAX_ERROR_STRING] = "";
};

// A C interface has no better place for a message with values than the thread that made the call.
LastError &last_error() {
  static thread_local LastError last;
  return last;
}

const char *meaning(int code) {
  switch (code) {
    case MPI_SUCCESS: return "no error";
    case MPI_ERR_IN_STATUS: return "a request of several has failed: its status has the code";
    case RONDO_ERR_COUNT: return "a count is negative or too large";
    case RONDO_ERR_BUFFER: return "a buffer or array is null";
    case RONDO_ERR_OVERLAP: return "receive ranges overlap, or what is sent is overwritten";
    case RONDO_ERR_TYPE: return "a datatype is null, freed or not committed";
    case RONDO_ERR_COMM: return "a communicator is null, freed, unsuitable or of another MPI";
    case RONDO_ERR_REQUEST: return "a request is null or in the wrong state";
    case RONDO_ERR_HINT: return "a hint is unknown, does not parse or differs between ranks";
    case RONDO_ERR_ALGORITHM: return "the algorithm does not serve this case";
    case RONDO_ERR_MISMATCH: return "sizes sent and received differ";
    case RONDO_ERR_NO_MEMORY: return "not enough memory";
    case RONDO_ERR_MPI: return "an MPI call failed";
    case RONDO_ERR_ARG: return "an argument is wrong";
    case RONDO_ERR_INTERNAL: return "a fault inside Rondo";
    case RONDO_ERR_STALLED: return "nothing came for rondo_stall_timeout";
    case RONDO_ERR_CAPACITY: return "more has been received than the buffer holds";
    default: return "not an error code of Rondo";
  }
}

void write(std::string_view text, char *string, int *length) {
  const std::size_t size = std::min<std::size_t>(text.size(), RONDO_MAX_ERROR_STRING - 1);
  std::memcpy(string, text.data(), size);
  string[size] = '\0';
  *length = static_cast<int>(size);
}

int class_of_mpi_code(std::int64_t code) {
  int error_class = MPI_ERR_OTHER;
  if (code > 0 && mpi_is_up()) MPI_Error_class(static_cast<int>(code), &error_class);
  return error_class;
}

}  // namespace

int class_of(const Error &error) {
  switch (error.fault) {
    case Fault::count: return MPI_ERR_COUNT;
    case Fault::buffer:
    case Fault::overlap: return MPI_ERR_BUFFER;
    case Fault::type: return MPI_ERR_TYPE;
    case Fault::comm: return MPI_ERR_COMM;
    case Fault::request: return MPI_ERR_REQUEST;
    case Fault::hint: return MPI_ERR_INFO_VALUE;
    case Fault::algorithm: return MPI_ERR_UNSUPPORTED_OPERATION;
    case Fault::capacity:
    case Fault::mismatch: return MPI_ERR_TRUNCATE;
    case Fault::no_memory: return MPI_ERR_NO_MEM;
    case Fault::mpi: return class_of_mpi_code(error.value);
    case Fault::argument: return MPI_ERR_ARG;
    case Fault::none:
    case Fault::internal:
    case Fault::stalled: break;
  }
  return MPI_ERR_OTHER;
}

int remember(const Error &error) noexcept {
  LastError &last = last_error();
  const int code = code_of(error.fault);
  last.values = {code, error.rank, error.peer, error.value, error.other};
  // The message names the rank that has found the fault, unless all ranks have found it alike.
  const char *what = error.message().empty() ? meaning(code) : error.what();  // see Error::of
  const int written = error.rank >= 0
                          ? std::snprintf(last.message, sizeof(last.message), "rank %d: %s", error.rank, what)
                          : std::snprintf(last.message, sizeof(last.message), "%s", what);
  if (written < 0) last.message[0] = '\0';
  return code;
}

}  // namespace rondo::internal

int RONDO_Error_string(int code, char *string, int *length) {
  if (string == nullptr || length == nullptr) return RONDO_ERR_ARG;
  const rondo::internal::LastError &last = rondo::internal::last_error();
  const bool any = last.values.code != MPI_SUCCESS;
  const bool is_last = any && (code == last.values.code || code == MPI_ERR_IN_STATUS);
  rondo::internal::write(is_last ? last.message : rondo::internal::meaning(code), string, length);
  return MPI_SUCCESS;
}

int RONDO_Error_last(RONDO_Error_values *values, size_t size) {
  if (values == nullptr || size < rondo::internal::first_size<RONDO_Error_values>) return RONDO_ERR_ARG;
  rondo::internal::copy_known(rondo::internal::last_error().values, values, size, 0xff);  // integers of -1
  return MPI_SUCCESS;
}

int RONDO_Error_class(int code, int *errorclass) {
  if (errorclass == nullptr) return RONDO_ERR_ARG;
  const bool of_rondo = code >= rondo::internal::first_code && code <= rondo::internal::last_code;
  if (!of_rondo && code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS) return RONDO_ERR_ARG;
  const RONDO_Error_values &last = rondo::internal::last_error().values;
  rondo::internal::Error error(of_rondo ? rondo::internal::fault_of_code(code) : rondo::internal::Fault::none, {});
  if (code == last.code) error.value = last.value;
  *errorclass = of_rondo ? rondo::internal::class_of(error) : code;
  return MPI_SUCCESS;
}
