// The calls of the C interface for plans whose counts come with each start.

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "api/completion.hpp"
#include "api/errhandler.hpp"
#include "api/fault.hpp"
#include "api/find_request.hpp"
#include "api/init_request.hpp"
#include "api/varying_init.hpp"

namespace rondo::internal {

namespace {

using Request = RONDO_Request_object;

[[noreturn]] void refuse_fixed(const char *call) {
  throw Error(Fault::request, fmt::format("{} with counts, of a request that has its counts from init", call));
}

void check_varying(const char *call, const Request &request) {
  if (request.varying == nullptr) [[unlikely]]
    refuse_fixed(call);
}

// A request that a call with counts is for.
inline Request &find_varying(const char *call, RONDO_Request handle, About &about) {
  Request &request = find_for(call, handle, about);
  check_varying(call, request);
  return request;
}

// In each of the calls that start: a call of it would take a tenth of what it does.
[[gnu::always_inline]] inline void start(RONDO_Request handle, const VaryingBlocks &blocks, About &about) {
  Request &request = find_startable(handle, about);
  check_varying("start", request);
  request.varying->prepare(blocks);
  try {
    request.varying->start();
  } catch (...) {
    request.failed = true;
    throw;
  }
  request.state = Request::State::active;
}

[[noreturn]] void refuse_failed() {
  throw Error(Fault::request, "a question for what has come, of a request that has failed");
}

VaryingPlan &received_by(const Request &request) {
  check_inactive("a question for what has come", request);
  if (request.failed) [[unlikely]]
    refuse_failed();
  return *request.varying;
}

void tell_received(const Request &request, void **buffer, MPI_Count *counts, MPI_Aint *displacements) {
  given("recvbuf", buffer) = received_by(request).received(counts, displacements);
}

}  // namespace

}  // namespace rondo::internal

using rondo::internal::About;
using rondo::internal::Error;
using rondo::internal::Fault;
using rondo::internal::given;
using rondo::internal::Request;

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

int RONDO_Send_memory(RONDO_Request request, int rank, MPI_Count bytes, void **memory) {
  return rondo::internal::guarded_on_requests([&](About &about) {
    void *&place = given("memory", memory);
    Request &found = rondo::internal::find_startable(request, about);
    rondo::internal::check_varying("memory for a start", found);
    place = found.varying->send_memory(rank, bytes);
  });
}

int RONDO_Start_blocks(RONDO_Request *request, const void *const blocks[], const MPI_Count counts[]) {
  return rondo::internal::guarded_on_requests([&](About &about) {
    if (blocks == nullptr) throw Error(Fault::buffer, "blocks is null");
    if (counts == nullptr) throw Error(Fault::buffer, "counts is null");
    rondo::internal::start(given("request", request), {nullptr, counts, nullptr, blocks}, about);
  });
}

int RONDO_Received_blocks(RONDO_Request request, const void *blocks[], MPI_Count counts[]) {
  return rondo::internal::guarded_on_requests([&](About &about) {
    given("blocks", blocks);
    rondo::internal::received_by(rondo::internal::find_varying("a question", request, about))
        .received_blocks(blocks, counts);
  });
}

int RONDO_Received(RONDO_Request request, void **recvbuf, MPI_Count recvcounts[], MPI_Aint rdispls[]) {
  return rondo::internal::guarded_on_requests([&](About &about) {
    rondo::internal::tell_received(rondo::internal::find_varying("a question", request, about), recvbuf, recvcounts,
                                   rdispls);
  });
}

int RONDO_Received_into(RONDO_Request request, void *recvbuf, MPI_Count capacity, MPI_Count recvcounts[],
                        MPI_Aint rdispls[]) {
  return rondo::internal::guarded_on_requests([&](About &about) {
    rondo::internal::received_by(rondo::internal::find_varying("a question", request, about))
        .copy_received(recvbuf, capacity, recvcounts, rdispls);
  });
}

int RONDO_Wait_counts(RONDO_Request *request, void **recvbuf, MPI_Count recvcounts[], MPI_Aint rdispls[]) {
  return rondo::internal::guarded_on_requests([&](About &about) {
    given("recvbuf", recvbuf);
    Request &found = rondo::internal::find_varying("wait", given("request", request), about);
    rondo::internal::wait_for(found);
    rondo::internal::tell_received(found, recvbuf, recvcounts, rdispls);
  });
}

int RONDO_Test_counts(RONDO_Request *request, int *flag, void **recvbuf, MPI_Count recvcounts[], MPI_Aint rdispls[]) {
  return rondo::internal::guarded_on_requests([&](About &about) {
    given("flag", flag);
    given("recvbuf", recvbuf);
    Request &found = rondo::internal::find_varying("test", given("request", request), about);
    *flag = rondo::internal::test_for(found) ? 1 : 0;
    if (*flag != 0) rondo::internal::tell_received(found, recvbuf, recvcounts, rdispls);
  });
}
