// An init that is refused on behalf of a caller who has found the fault himself.

#include <functional>

#include "api/fault.hpp"
#include "api/find_request.hpp"
#include "api/init_request.hpp"

namespace rondo::internal {

namespace {

// All that there was in the first version is all that is needed yet.
Error error_of(const RONDO_Error_values &values, size_t size, const char *message) {
  if (size < first_size<RONDO_Error_values>) {
    return Error(Fault::argument, "the size of the structure is smaller than that of its first version")
        .with_values(static_cast<std::int64_t>(size), first_size<RONDO_Error_values>);
  }
  if (values.code < first_code || values.code > last_code) {
    return Error(Fault::argument, "the code is none of Rondo's").with_values(values.code);
  }
  return Error(fault_of_code(values.code), message).with_peer(values.peer).with_values(values.value, values.other);
}

}  // namespace

}  // namespace rondo::internal

int RONDO_Refuse_init(MPI_Comm comm, MPI_Info info, const RONDO_Error_values *values, size_t size,
                      const char *message) {
  const auto read = [&](const rondo::internal::Channel &) -> rondo::internal::Arguments {
    rondo::internal::given("message", message);
    throw rondo::internal::error_of(rondo::internal::given("values", values), size, message);
  };
  RONDO_Request request = RONDO_REQUEST_NULL;
  return rondo::internal::init_request({std::cref(read), true}, comm, info,
                                       &request);  // where all-gathers are planned, too
}
