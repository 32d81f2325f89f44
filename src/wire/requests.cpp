#include "wire/requests.hpp"

#include "wire/mpi_call.hpp"

namespace rondo::internal {

OwnedRequests::~OwnedRequests() {
  if (requests_.empty() || !mpi_is_up()) return;
  for (MPI_Request &request : requests_) {
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
  }
}

}  // namespace rondo::internal
