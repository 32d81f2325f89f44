#include "api/init_request.hpp"

#include <functional>

namespace rondo::internal {

int init_request(const Call &call, MPI_Comm comm, MPI_Info info, RONDO_Request *request) {
  const auto refuse = [](const Channel &) -> Arguments { throw no_place_for_request(); };
  const Call refused{std::cref(refuse), call.takes_two_groups};
  return hand_out_request(comm, info, request, [&] { return init(request == nullptr ? refused : call, comm, info); });
}

}  // namespace rondo::internal
