// An init that is refused on behalf of a caller who has found the fault himself.

#include <functional>

#include "api/fault.hpp"
#include "api/init_request.hpp"

namespace rondo {

namespace {

Error error_of(const RONDO_Error_values *values, const char *message) {
  if (values == nullptr || message == nullptr) return {Fault::argument, "the values or message argument is null"};
  if (values->code < first_code || values->code > last_code) {
    return Error(Fault::argument, "the code is none of Rondo's").with_values(values->code);
  }
  return Error(static_cast<Fault>(values->code - first_code + 1), message)
      .with_peer(values->peer)
      .with_values(values->value, values->other);
}

}  // namespace

}  // namespace rondo

int RONDO_Refuse_init(MPI_Comm comm, MPI_Info info, const RONDO_Error_values *values, const char *message) {
  const auto read = [&](const rondo::Channel &) -> rondo::Arguments { throw rondo::error_of(values, message); };
  RONDO_Request request = RONDO_REQUEST_NULL;
  return rondo::init_request({std::cref(read)}, comm, info, &request);
}
