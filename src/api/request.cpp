// Starting, completing and freeing requests, and asking what was planned. The rules are those of MPI-4 for
// persistent collectives (sections 3.9 and 6.13): a null or inactive request is complete with an empty status.

#include "api/request.hpp"

#include <fmt/format.h>

#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "api/errhandler.hpp"
#include "api/fault.hpp"
#include "api/given_side.hpp"
#include "api/init.hpp"
#include "api/report.hpp"
#include "api/request_table.hpp"
#include "wire/mpi_call.hpp"

namespace rondo {

namespace {

using Request = RONDO_Request_object;

void set_empty(MPI_Status *status) {
  if (status == MPI_STATUS_IGNORE) return;
  *status = {};  // no elements, not cancelled; MPI's own functions may not be called after MPI_Finalize
  status->MPI_SOURCE = MPI_ANY_SOURCE;
  status->MPI_TAG = MPI_ANY_TAG;
  status->MPI_ERROR = MPI_SUCCESS;
}

MPI_Status *status_at(MPI_Status *statuses, int index) {
  return statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses + index;
}

std::span<const RONDO_Request> array_of(int count, const RONDO_Request *requests) {
  if (count < 0) throw Error(Fault::argument, "a negative number of requests").with_values(count);
  if (count > 0 && requests == nullptr) throw Error(Fault::request, "the array of requests is null");
  return {requests, static_cast<std::size_t>(count)};
}

// Null for a null request. An error is then about this one.
Request *find(RONDO_Request handle, About &about) {
  Request *const request = RequestTable::find(handle);
  about = request;
  if (request == nullptr && handle != RONDO_REQUEST_NULL) {
    throw Error(Fault::request, "the request is none: it has been freed, or was never made");
  }
  return request;
}

// The same where a null request serves nothing; `call` goes into the message.
Request &find_for(const char *call, RONDO_Request handle, About &about) {
  Request *const request = find(handle, about);
  if (request == nullptr) throw Error(Fault::request, fmt::format("{} of a null request", call));
  return *request;
}

// For a question, whose errors are nobody's but the caller's.
const Request &asked(const char *call, RONDO_Request handle) {
  About about = nullptr;
  return find_for(call, handle, about);
}

Request &find_inactive_for(const char *call, RONDO_Request handle, About &about) {
  Request &request = find_for(call, handle, about);
  if (request.state != Request::State::inactive) {
    throw Error(Fault::request, fmt::format("{} of an active request", call));
  }
  return request;
}

// A request whose exchange fails is inactive from then on, and only good for being freed.
template <class Work>
void or_fail(Request &request, Work &&work) {
  try {
    work();
  } catch (...) {
    request.state = Request::State::inactive;
    request.failed = true;
    throw;
  }
}

// From here on active, but not started yet.
Request &activate(RONDO_Request handle, About &about) {
  Request &request = find_inactive_for("start", handle, about);
  if (request.outlived) throw Error(Fault::request, "start of a request after MPI_Finalize");
  if (request.failed) throw Error(Fault::request, "start of a request whose exchange has failed before");
  request.state = Request::State::active;
  return request;
}

void start(Request &request) {
  or_fail(request, [&] { request.plan->start(); });
}

// Takes back what activate() has done to those that have not been started.
class Activated {
 public:
  explicit Activated(std::span<const RONDO_Request> requests) : requests_(requests) {}
  ~Activated() {
    for (; started_ < activated_; ++started_) at(started_).state = Request::State::inactive;
  }
  Activated(const Activated &) = delete;
  Activated &operator=(const Activated &) = delete;

  // All, or none where one cannot be started: one that is named twice cannot be, the second time.
  void activate_all(About &about) {
    for (; activated_ < requests_.size(); ++activated_) activate(requests_[activated_], about);
  }
  void start_all(About &about) {
    while (started_ < activated_) {
      about = &at(started_);
      start(at(started_++));
    }
  }

 private:
  [[nodiscard]] Request &at(std::size_t index) const { return *RequestTable::find(requests_[index]); }

  std::span<const RONDO_Request> requests_;
  std::size_t activated_ = 0;
  std::size_t started_ = 0;
};

void start_all(std::span<const RONDO_Request> requests, About &about) {
  Activated activated(requests);
  activated.activate_all(about);
  activated.start_all(about);
}

bool inactive(const Request *request) {
  return request == nullptr || request->state == Request::State::inactive;
}

// Drives an active request; true when it is complete.
bool is_complete(Request *request) {
  if (inactive(request) || request->state == Request::State::complete) {
    drive_running();
    return true;
  }
  or_fail(*request, [&] {
    if (request->plan->test()) request->state = Request::State::complete;
  });
  return request->state == Request::State::complete;
}

void retire(Request *request, MPI_Status *status) {
  if (request != nullptr) request->state = Request::State::inactive;
  set_empty(status);
}

void wait(Request *request, MPI_Status *status) {
  if (inactive(request)) {
    drive_running();
  } else {
    const bool complete = request->state == Request::State::complete;
    request->state = Request::State::inactive;
    if (!complete) or_fail(*request, [&] { request->plan->wait(); });
  }
  set_empty(status);
}

// A wait keeps the other plans moving, so the order of the waits does not matter.
void wait_all(std::span<const RONDO_Request> requests, MPI_Status *statuses, About &about) {
  for (const RONDO_Request handle : requests) find(handle, about);  // none is waited for where one is bad
  for (std::size_t i = 0; i < requests.size(); ++i) {
    wait(find(requests[i], about), status_at(statuses, static_cast<int>(i)));
  }
}

bool test_all(std::span<const RONDO_Request> requests, MPI_Status *statuses, About &about) {
  bool all = true;
  for (const RONDO_Request handle : requests) all = is_complete(find(handle, about)) && all;
  for (std::size_t i = 0; all && i < requests.size(); ++i) {
    retire(RequestTable::find(requests[i]), status_at(statuses, static_cast<int>(i)));
  }
  return all;
}

// A side in another buffer, for as long as one lives. Takes no memory: a rebind of a native plan is collective.
class InBuffer {
 public:
  InBuffer(Side &side, std::byte *buffer)
      : side_(side),
        buffer_(std::exchange(side.buffer, buffer)),
        plan_allocates_(std::exchange(side.plan_allocates, false)) {}
  ~InBuffer() {
    side_.buffer = buffer_;
    side_.plan_allocates = plan_allocates_;
  }
  InBuffer(const InBuffer &) = delete;
  InBuffer &operator=(const InBuffer &) = delete;

 private:
  Side &side_;
  void *buffer_;
  bool plan_allocates_;
};

// What a rebind gives for a side, as init was given it or not: `now` is where the plan has it.
struct GivenBuffer {
  const char *name;
  void *buffer;
  std::byte *now;
  bool in_place;
  bool of_plan;

  // Throws Error (buffer) where it is of another kind than at init.
  void check_kind() const {
    if (in_place != (buffer == MPI_IN_PLACE)) {
      throw Error(Fault::buffer,
                  fmt::format("the {} buffer is {}MPI_IN_PLACE, unlike at init", name, in_place ? "not " : ""));
    }
    if (of_plan == (buffer == RONDO_PLAN_BUFFER)) return;
    throw Error(Fault::buffer,
                fmt::format("the {} buffer is {}RONDO_PLAN_BUFFER, unlike at init", name, of_plan ? "not " : ""));
  }
  [[nodiscard]] std::byte *address() const { return in_place || of_plan ? now : static_cast<std::byte *>(buffer); }
  // Throws Error (buffer) for what init would refuse, and for what others would have to read and cannot.
  void check(const Side &side, bool others_read) const {
    check_buffers(side, name);
    if (!others_read || of_plan || others_can_read(side)) return;
    throw Error(Fault::buffer,
                fmt::format("the {} buffer lies in memory that other processes cannot read, unlike at init", name));
  }
};

struct Rebound {
  std::byte *send;
  std::byte *receive;
};

// All is checked before anything is changed, as at init.
Rebound check_rebind(Request &request, void *send, void *receive) {
  if (request.state != Request::State::inactive) throw Error(Fault::request, "rebind of an active request");
  if (request.failed) throw Error(Fault::request, "rebind of a request whose exchange has failed before");
  const CallerBuffers &now = request.plan->buffers();
  const GivenBuffer to{"receive", receive, now.receive, false, request.receive.plan_allocates};
  to.check_kind();
  const GivenBuffer from{"send", send, request.in_place ? to.address() : now.send, request.in_place,
                         request.send.plan_allocates && !request.in_place};
  from.check_kind();
  {
    const InBuffer received(request.receive, to.address());
    const InBuffer sent(request.send, from.address());
    to.check(request.receive, request.others_read_receive);
    from.check(request.send, request.others_read_send);
    if (!request.in_place) check_apart(request.send, request.receive, request.rank);
    const bool native = std::string_view(request.report.wire) == "native";
    if (!native && (is_on_device(request.send) || is_on_device(request.receive))) {
      throw Error(Fault::buffer, "a buffer is memory of a GPU, which native plans take, but not this one");
    }
  }
  return {from.address(), to.address()};
}

void rebind(RONDO_Request handle, void *send, void *receive, About &about) {
  Request &request = find_for("rebind", handle, about);
  if (request.outlived) throw Error(Fault::request, "rebind of a request after MPI_Finalize");
  Rebound checked{};
  request.plan->agree_on_rebind(fault_of([&] { checked = check_rebind(request, send, receive); }));
  request.plan->rebind(checked.send, checked.receive);
}

}  // namespace

}  // namespace rondo

using rondo::Error;
using rondo::Fault;

int RONDO_Start(RONDO_Request *request) {
  return rondo::guarded_on_requests([&](rondo::About &about) {
    if (request == nullptr) throw Error(Fault::request, "the request argument is null");
    rondo::start(rondo::activate(*request, about));
  });
}

int RONDO_Startall(int count, RONDO_Request requests[]) {
  return rondo::guarded_on_requests(
      [&](rondo::About &about) { rondo::start_all(rondo::array_of(count, requests), about); });
}

int RONDO_Rebind(RONDO_Request *request, const void *sendbuf, void *recvbuf) {
  return rondo::guarded_on_requests([&](rondo::About &about) {
    if (request == nullptr) throw Error(Fault::request, "the request argument is null");
    rondo::rebind(*request, rondo::readable(sendbuf), recvbuf, about);
  });
}

int RONDO_Test(RONDO_Request *request, int *flag, MPI_Status *status) {
  return rondo::guarded_on_requests([&](rondo::About &about) {
    if (request == nullptr || flag == nullptr) throw Error(Fault::argument, "the request or flag argument is null");
    rondo::Request *const found = rondo::find(*request, about);
    *flag = rondo::is_complete(found) ? 1 : 0;
    if (*flag != 0) rondo::retire(found, status);
  });
}

int RONDO_Testall(int count, RONDO_Request requests[], int *flag, MPI_Status statuses[]) {
  return rondo::guarded_on_requests([&](rondo::About &about) {
    const auto array = rondo::array_of(count, requests);
    if (flag == nullptr) throw Error(Fault::argument, "the flag argument is null");
    *flag = rondo::test_all(array, statuses, about) ? 1 : 0;
  });
}

int RONDO_Wait(RONDO_Request *request, MPI_Status *status) {
  return rondo::guarded_on_requests([&](rondo::About &about) {
    if (request == nullptr) throw Error(Fault::request, "the request argument is null");
    rondo::wait(rondo::find(*request, about), status);
  });
}

int RONDO_Waitall(int count, RONDO_Request requests[], MPI_Status statuses[]) {
  return rondo::guarded_on_requests(
      [&](rondo::About &about) { rondo::wait_all(rondo::array_of(count, requests), statuses, about); });
}

int RONDO_Request_free(RONDO_Request *request) {
  return rondo::guarded_on_requests([&](rondo::About &about) {
    if (request == nullptr) throw Error(Fault::request, "free of a null request");
    std::unique_ptr<rondo::Plan> plan = std::move(rondo::find_inactive_for("free", *request, about).plan);
    about = nullptr;
    rondo::RequestTable::remove(std::exchange(*request, RONDO_REQUEST_NULL));
    rondo::Plan::free(std::move(plan));
  });
}

int RONDO_Request_buffers(RONDO_Request request, void **sendbuf, void **recvbuf) {
  return rondo::guarded([&] {
    const rondo::CallerBuffers &buffers = rondo::asked("buffers", request).plan->buffers();
    if (sendbuf != nullptr) *sendbuf = buffers.send;
    if (recvbuf != nullptr) *recvbuf = buffers.receive;
  });
}

int RONDO_Request_report(RONDO_Request request, RONDO_Report *report) {
  return rondo::guarded([&] {
    const rondo::Request &of = rondo::asked("report", request);
    if (report == nullptr) throw Error(Fault::argument, "the report argument is null");
    *report = of.report;
  });
}

int RONDO_Request_report_json(RONDO_Request request, char *json, int *length) {
  return rondo::guarded([&] {
    const rondo::Request &of = rondo::asked("report", request);
    if (length == nullptr) throw Error(Fault::argument, "the length argument is null");
    const std::string text = rondo::to_json(of.report);
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
