#include "api/find_request.hpp"

#include <fmt/format.h>

namespace rondo::internal {

void refuse_null_argument(const char *name) {
  throw Error(Fault::argument, fmt::format("the {} argument is null", name));
}

void refuse_unknown_request() {
  throw Error(Fault::request, "the request is none: it has been freed, or was never made");
}

void refuse_null_request(const char *call) {
  throw Error(Fault::request, fmt::format("{} of a null request", call));
}

void refuse_useless_request(const RONDO_Request_object &request) {
  throw Error(Fault::request, request.outlived ? "start of a request after MPI_Finalize"
                                               : "start of a request whose exchange has failed before");
}

void refuse_active_request(const char *call) {
  throw Error(Fault::request, fmt::format("{} of an active request", call));
}

}  // namespace rondo::internal
