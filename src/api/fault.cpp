#include "api/fault.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

namespace rondo {

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
    default: return "not an error code of Rondo";
  }
}

void write(std::string_view text, char *string, int *length) {
  const std::size_t size = std::min<std::size_t>(text.size(), RONDO_MAX_ERROR_STRING - 1);
  std::memcpy(string, text.data(), size);
  string[size] = '\0';
  *length = static_cast<int>(size);
}

}  // namespace

int remember(const Error &error) noexcept {
  LastError &last = last_error();
  const int code = first_code + static_cast<int>(error.fault) - 1;
  last.values = {code, error.rank, error.peer, error.value, error.other};
  // A fault found by one rank says so; one that all see alike needs no rank.
  const char *what = error.message().empty() ? meaning(code) : error.what();  // see Error::of
  const int written = error.rank >= 0
                          ? std::snprintf(last.message, sizeof(last.message), "rank %d: %s", error.rank, what)
                          : std::snprintf(last.message, sizeof(last.message), "%s", what);
  if (written < 0) last.message[0] = '\0';
  return code;
}

}  // namespace rondo

int RONDO_Error_string(int code, char *string, int *length) {
  if (string == nullptr || length == nullptr) return RONDO_ERR_ARG;
  const rondo::LastError &last = rondo::last_error();
  const bool is_last = code >= rondo::first_code && code <= rondo::last_code && code == last.values.code;
  rondo::write(is_last ? last.message : rondo::meaning(code), string, length);
  return MPI_SUCCESS;
}

int RONDO_Error_last(RONDO_Error_values *values) {
  if (values == nullptr) return RONDO_ERR_ARG;
  *values = rondo::last_error().values;
  return MPI_SUCCESS;
}
