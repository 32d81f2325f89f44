// Starting and freeing requests, and asking what was planned. The rules are those of MPI-4 for persistent collectives
// (sections 3.9 and 6.13).

#include "api/request.hpp"

#include <fmt/format.h>

#include <cstring>
#include <span>
#include <utility>

#include "api/errhandler.hpp"
#include "api/fault.hpp"
#include "api/find_request.hpp"
#include "api/report.hpp"
#include "api/request_table.hpp"

namespace rondo::internal {

namespace {

using Request = RONDO_Request_object;

// The request of a question. Errors of a question do not go to an error handler.
const Request &asked(const char *call, RONDO_Request handle) {
  About about = nullptr;
  return find_for(call, handle, about);
}

// Where the algorithm is chosen anew for each start, the report is that of the last one.
const RONDO_Report &report_on(const Request &request) {
  return request.varying != nullptr ? request.reports[request.varying->candidate()] : request.report;
}

// Makes a request active that is going to be started.
Request &activate(RONDO_Request handle, About &about) {
  Request &request = find_startable(handle, about);
  if (request.fixed == nullptr) throw Error(Fault::request, "start without counts of a request that takes them");
  request.state = Request::State::active;
  return request;
}

// Starts an active request. If that fails, the request is inactive and can only be freed.
void start(Request &request) {
  try {
    request.fixed->start();
  } catch (...) {
    request.state = Request::State::inactive;
    request.failed = true;
    throw;
  }
}

// Requests that are started together. Those that have been made active and could not be started become inactive again
// in the destructor.
class Activated {
 public:
  explicit Activated(std::span<const RONDO_Request> requests) : requests_(requests) {}
  ~Activated() {
    for (; started_ < activated_; ++started_) at(started_).state = Request::State::inactive;
  }
  Activated(const Activated &) = delete;
  Activated &operator=(const Activated &) = delete;

  // Throws at the first request that cannot be started, such as one that stands in the array twice.
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

}  // namespace

}  // namespace rondo::internal

using rondo::internal::Error;
using rondo::internal::Fault;
using rondo::internal::given;

int RONDO_Start(RONDO_Request *request) {
  return rondo::internal::guarded_on_requests([&](rondo::internal::About &about) {
    rondo::internal::start(rondo::internal::activate(given("request", request), about));
  });
}

int RONDO_Startall(int count, RONDO_Request requests[]) {
  return rondo::internal::guarded_on_requests([&](rondo::internal::About &about) {
    rondo::internal::start_all(rondo::internal::array_of(count, requests), about);
  });
}

int RONDO_Request_free(RONDO_Request *request) {
  return rondo::internal::guarded_on_requests([&](rondo::internal::About &about) {
    RONDO_Request &handle = given("request", request);
    std::unique_ptr<rondo::internal::AnyPlan> plan =
        std::move(rondo::internal::find_inactive_for("free", handle, about).plan);
    about = nullptr;
    rondo::internal::RequestTable::remove(std::exchange(handle, RONDO_REQUEST_NULL));
    rondo::internal::AnyPlan::free(std::move(plan));
  });
}

int RONDO_Request_buffers(RONDO_Request request, void **sendbuf, void **recvbuf) {
  return rondo::internal::guarded([&] {
    const rondo::internal::Plan *const plan = rondo::internal::asked("buffers", request).fixed;
    if (plan == nullptr) throw Error(Fault::request, "the buffers of this request come with each start");
    const rondo::internal::CallerBuffers &buffers = plan->buffers();
    if (sendbuf != nullptr) *sendbuf = buffers.send;
    if (recvbuf != nullptr) *recvbuf = buffers.receive;
  });
}

int RONDO_Request_report(RONDO_Request request, RONDO_Report *report, size_t size) {
  return rondo::internal::guarded([&] {
    const rondo::internal::Request &of = rondo::internal::asked("report", request);
    rondo::internal::copy_known(rondo::internal::report_on(of), &given("report", report), size, 0);
  });
}

int RONDO_Request_report_json(RONDO_Request request, char *json, int *length) {
  return rondo::internal::guarded([&] {
    const rondo::internal::Request &of = rondo::internal::asked("report", request);
    const int room = given("length", length);
    const std::string text = rondo::internal::to_json(rondo::internal::report_on(of));
    *length = static_cast<int>(text.size());
    if (json == nullptr) return;
    if (room <= *length) throw Error(Fault::argument, "too little room for the report").with_values(room, *length + 1);
    std::memcpy(json, text.c_str(), text.size() + 1);
  });
}

const char *RONDO_Version(void) {
  return RONDO_VERSION_STRING;
}
