// The calls of the C interface for plans whose counts come with each start.

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "api/errhandler.hpp"
#include "api/fault.hpp"
#include "api/find_request.hpp"
#include "api/init_request.hpp"
#include "api/varying_init.hpp"

namespace rondo::internal {

namespace {

using Request = RONDO_Request_object;

// A request that a call with counts is for.
VaryingPlan &varying_of(const char *call, RONDO_Request handle, About &about) {
  Request &request = find_for(call, handle, about);
  if (request.varying == nullptr) {
    throw Error(Fault::request, fmt::format("{} with counts of a request that has its counts from init", call));
  }
  return *request.varying;
}

void start(RONDO_Request handle, const VaryingBlocks &blocks, About &about) {
  VaryingPlan &plan = varying_of("start", handle, about);
  Request &request = find_inactive_for("start", handle, about);
  if (request.outlived) throw Error(Fault::request, "start of a request after MPI_Finalize");
  if (request.failed) throw Error(Fault::request, "start of a request whose exchange has failed before");
  plan.prepare(blocks);
  try {
    plan.start();
  } catch (...) {
    request.failed = true;
    throw;
  }
  request.state = Request::State::active;
}

VaryingPlan &received_by(RONDO_Request handle, About &about) {
  VaryingPlan &plan = varying_of("what has been received", handle, about);
  const Request &request = find_inactive_for("what has been received", handle, about);
  if (request.failed) throw Error(Fault::request, "what has been received by a request whose exchange has failed");
  return plan;
}

int received(RONDO_Request handle, void **buffer, MPI_Count *counts, MPI_Aint *displacements) {
  return guarded_on_requests([&](About &about) {
    void *const data = received_by(handle, about).received(counts, displacements);
    given("recvbuf", buffer) = data;
  });
}

}  // namespace

}  // namespace rondo::internal

using rondo::internal::About;
using rondo::internal::Error;
using rondo::internal::Fault;
using rondo::internal::given;

int RONDO_Alltoallv_varying_init(MPI_Datatype sendtype, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                 RONDO_Request *request) {
  return rondo::internal::hand_out_request(comm, info, request, [&] {
    std::optional<Error> refusal;
    if (request == nullptr) refusal = rondo::internal::no_place_for_request();
    return rondo::internal::init_varying(sendtype, recvtype, comm, info, std::move(refusal));
  });
}

int RONDO_Start_counts(RONDO_Request *request, const void *sendbuf, const MPI_Count sendcounts[],
                       const MPI_Aint sdispls[]) {
  return rondo::internal::guarded_on_requests([&](About &about) {
    if (sendcounts == nullptr) throw Error(Fault::buffer, "sendcounts is null");
    rondo::internal::start(given("request", request), {sendbuf, sendcounts, sdispls}, about);
  });
}

int RONDO_Received(RONDO_Request request, void **recvbuf, MPI_Count recvcounts[], MPI_Aint rdispls[]) {
  return rondo::internal::received(request, recvbuf, recvcounts, rdispls);
}

int RONDO_Received_into(RONDO_Request request, void *recvbuf, MPI_Count capacity, MPI_Count recvcounts[],
                        MPI_Aint rdispls[]) {
  return rondo::internal::guarded_on_requests([&](About &about) {
    rondo::internal::received_by(request, about).copy_received(recvbuf, capacity, recvcounts, rdispls);
  });
}

int RONDO_Wait_counts(RONDO_Request *request, void **recvbuf, MPI_Count recvcounts[], MPI_Aint rdispls[]) {
  const int code = RONDO_Wait(request, MPI_STATUS_IGNORE);
  return code != MPI_SUCCESS ? code : rondo::internal::received(*request, recvbuf, recvcounts, rdispls);
}

int RONDO_Test_counts(RONDO_Request *request, int *flag, void **recvbuf, MPI_Count recvcounts[], MPI_Aint rdispls[]) {
  const int code = RONDO_Test(request, flag, MPI_STATUS_IGNORE);
  return code != MPI_SUCCESS || *flag == 0 ? code
                                           : rondo::internal::received(*request, recvbuf, recvcounts, rdispls);
}
