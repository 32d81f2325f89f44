// Starting, completing and freeing requests, and asking what was planned. The rules are those of MPI-4 for
// persistent collectives (sections 3.9 and 6.13): a null or inactive request is complete with an empty status.

#include "api/request.hpp"

#include <fmt/format.h>

#include <cstring>
#include <span>
#include <utility>

#include "api/errhandler.hpp"
#include "api/fault.hpp"
#include "api/given_side.hpp"
#include "api/init.hpp"
#include "api/report.hpp"
#include "wire/mpi_call.hpp"

namespace rondo {

namespace {

using Request = RONDO_Request_object;

void set_empty(MPI_Status *status) {
  if (status == MPI_STATUS_IGNORE) return;
  status->MPI_SOURCE = MPI_ANY_SOURCE;
  status->MPI_TAG = MPI_ANY_TAG;
  status->MPI_ERROR = MPI_SUCCESS;
  MPI_Status_set_elements(status, MPI_BYTE, 0);
  MPI_Status_set_cancelled(status, 0);
}

MPI_Status *status_at(MPI_Status *statuses, int index) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + index;
}

void check_array(int count, const RONDO_Request *requests) {
  if (count < 0) throw Error(Fault::argument, "a negative number of requests").with_values(count);
  if (count > 0 && requests == nullptr) throw Error(Fault::request, "the array of requests is null");
}

// A request whose exchange fails is inactive from then on, and only good for being freed.
template <class Work>
void or_fail(Request *request, Work &&work) {
  try {
    work();
  } catch (...) {
    request->state = Request::State::inactive;
    request->failed = true;
    throw;
  }
}

void start(Request *request) {
  blame(request);
  if (request == RONDO_REQUEST_NULL) throw Error(Fault::request, "start of a null request");
  if (request->state != Request::State::inactive) throw Error(Fault::request, "start of an active request");
  if (request->failed) throw Error(Fault::request, "start of a request whose exchange has failed before");
  request->state = Request::State::active;
  or_fail(request, [&] { request->plan->start(); });
}

bool inactive(const Request *request) {
  return request == RONDO_REQUEST_NULL || request->state == Request::State::inactive;
}

// Drives an active request; true when it is complete.
bool is_complete(Request *request) {
  blame(request);
  if (inactive(request) || request->state == Request::State::complete) return true;
  or_fail(request, [&] {
    if (request->plan->test()) request->state = Request::State::complete;
  });
  return request->state == Request::State::complete;
}

void retire(Request *request, MPI_Status *status) {
  if (request != RONDO_REQUEST_NULL) request->state = Request::State::inactive;
  set_empty(status);
}

void wait(Request *request) {
  blame(request);
  if (inactive(request)) return;
  const bool complete = request->state == Request::State::complete;
  request->state = Request::State::inactive;
  if (!complete) or_fail(request, [&] { request->plan->wait(); });
}

// The address to bind: `now` where the plan allocates it. Throws Error (buffer) for what init would refuse, and for
// another kind of buffer than init was given.
std::byte *rebound(const Request::Buffer &given, void *buffer, std::byte *now, const char *name) {
  if (given.in_place != (buffer == MPI_IN_PLACE)) {
    throw Error(Fault::buffer,
                fmt::format("the {} buffer is {}MPI_IN_PLACE, unlike at init", name, given.in_place ? "not " : ""));
  }
  if (given.of_plan != (buffer == RONDO_PLAN_BUFFER)) {
    throw Error(Fault::buffer,
                fmt::format("the {} buffer is {}RONDO_PLAN_BUFFER, unlike at init", name, given.of_plan ? "not " : ""));
  }
  if (given.of_plan) return now;
  if (buffer == nullptr && given.has_data) throw Error(Fault::buffer, fmt::format("the {} buffer is null", name));
  return static_cast<std::byte *>(buffer);
}

void rebind(Request *request, void *send, void *receive) {
  blame(request);
  if (request == RONDO_REQUEST_NULL) throw Error(Fault::request, "rebind of a null request");
  if (request->state != Request::State::inactive) throw Error(Fault::request, "rebind of an active request");
  const CallerBuffers &now = request->plan->buffers();
  std::byte *const to_receive = rebound(request->receive, receive, now.receive, "receive");
  std::byte *const to_send = rebound(request->send, send, now.send, "send");
  request->plan->rebind(request->send.in_place ? to_receive : to_send, to_receive);
}

bool test_all(std::span<const RONDO_Request> requests) {
  bool all = true;
  for (Request *request : requests) all = is_complete(request) && all;
  return all;
}

}  // namespace

}  // namespace rondo

using rondo::Error;
using rondo::Fault;

int RONDO_Start(RONDO_Request *request) {
  return rondo::guarded_on_requests([&] {
    if (request == nullptr) throw Error(Fault::request, "the request argument is null");
    rondo::start(*request);
  });
}

int RONDO_Startall(int count, RONDO_Request requests[]) {
  return rondo::guarded_on_requests([&] {
    rondo::check_array(count, requests);
    for (int i = 0; i < count; ++i) rondo::start(requests[i]);
  });
}

int RONDO_Rebind(RONDO_Request *request, const void *sendbuf, void *recvbuf) {
  return rondo::guarded_on_requests([&] {
    if (request == nullptr) throw Error(Fault::request, "the request argument is null");
    rondo::rebind(*request, rondo::readable(sendbuf), recvbuf);
  });
}

int RONDO_Test(RONDO_Request *request, int *flag, MPI_Status *status) {
  return rondo::guarded_on_requests([&] {
    if (request == nullptr || flag == nullptr) throw Error(Fault::argument, "the request or flag argument is null");
    *flag = rondo::is_complete(*request) ? 1 : 0;
    if (*flag != 0) rondo::retire(*request, status);
  });
}

int RONDO_Testall(int count, RONDO_Request requests[], int *flag, MPI_Status statuses[]) {
  return rondo::guarded_on_requests([&] {
    rondo::check_array(count, requests);
    if (flag == nullptr) throw Error(Fault::argument, "the flag argument is null");
    *flag = rondo::test_all({requests, static_cast<std::size_t>(count)}) ? 1 : 0;
    for (int i = 0; *flag != 0 && i < count; ++i) rondo::retire(requests[i], rondo::status_at(statuses, i));
  });
}

int RONDO_Wait(RONDO_Request *request, MPI_Status *status) {
  return rondo::guarded_on_requests([&] {
    if (request == nullptr) throw Error(Fault::request, "the request argument is null");
    rondo::wait(*request);
    rondo::set_empty(status);
  });
}

int RONDO_Waitall(int count, RONDO_Request requests[], MPI_Status statuses[]) {
  return rondo::guarded_on_requests([&] {
    rondo::check_array(count, requests);
    // A wait keeps the other plans moving, so the order of the waits does not matter.
    for (int i = 0; i < count; ++i) {
      rondo::wait(requests[i]);
      rondo::set_empty(rondo::status_at(statuses, i));
    }
  });
}

int RONDO_Request_free(RONDO_Request *request) {
  return rondo::guarded_on_requests([&] {
    if (request == nullptr || *request == RONDO_REQUEST_NULL) throw Error(Fault::request, "free of a null request");
    rondo::blame(*request);
    if ((*request)->state != rondo::Request::State::inactive) throw Error(Fault::request, "free of an active request");
    rondo::blame(nullptr);
    const std::unique_ptr<rondo::Request> freed(std::exchange(*request, RONDO_REQUEST_NULL));
    rondo::Plan::free(std::move(freed->plan));
  });
}

int RONDO_Request_buffers(RONDO_Request request, void **sendbuf, void **recvbuf) {
  return rondo::guarded([&] {
    if (request == RONDO_REQUEST_NULL) throw Error(Fault::request, "buffers of a null request");
    const rondo::CallerBuffers &buffers = request->plan->buffers();
    if (sendbuf != nullptr) *sendbuf = buffers.send;
    if (recvbuf != nullptr) *recvbuf = buffers.receive;
  });
}

int RONDO_Request_report(RONDO_Request request, RONDO_Report *report) {
  return rondo::guarded([&] {
    if (request == RONDO_REQUEST_NULL) throw Error(Fault::request, "report of a null request");
    if (report == nullptr) throw Error(Fault::argument, "the report argument is null");
    *report = request->report;
  });
}

int RONDO_Request_report_json(RONDO_Request request, char *json, int *length) {
  return rondo::guarded([&] {
    if (request == RONDO_REQUEST_NULL) throw Error(Fault::request, "report of a null request");
    if (length == nullptr) throw Error(Fault::argument, "the length argument is null");
    const std::string text = rondo::to_json(request->report);
    const int room = *length;
    *length = static_cast<int>(text.size());
    if (json == nullptr) return;
    if (room <= *length) throw Error(Fault::argument, "too little room for the report").with_values(room, *length + 1);
    std::memcpy(json, text.c_str(), text.size() + 1);
  });
}

int RONDO_Comm_size(MPI_Comm comm, int *size) {
  return rondo::guarded([&] {
    if (size == nullptr) throw Error(Fault::argument, "the size argument is null");
    rondo::check_communicator(comm);
    rondo::check_mpi(MPI_Comm_size(comm, size), "MPI_Comm_size");
  });
}

const char *RONDO_Version(void) {
  return RONDO_VERSION_STRING;
}
