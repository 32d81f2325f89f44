// Completing requests, one or several. The rules are those of MPI-4.0 for persistent collectives
// (sections 3.7.3, 3.7.5, 3.7.6, 3.9 and 6.13): a null or inactive request is complete with an empty status, and of
// several requests each is told what has become of it.

#include "api/completion.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <span>
#include <thread>
#include <utility>

#include "api/errhandler.hpp"
#include "api/fault.hpp"
#include "api/find_request.hpp"
#include "plan/progress.hpp"
#include "wire/agreement.hpp"
#include "wire/status.hpp"

namespace rondo::internal {

namespace {

using Request = RONDO_Request_object;
using State = Request::State;
using Requests = std::span<const RONDO_Request>;

constexpr std::chrono::microseconds nap{50};  // a wait for several plans has no bell: it sleeps briefly, and looks

void check_statuses(const MPI_Status *statuses, const MPI_Status *ignored, const char *name) {
  if (statuses != ignored) given(name, statuses);
}

void set_status(MPI_Status *status, int error = MPI_SUCCESS) {
  set_empty(status);
  if (status != MPI_STATUS_IGNORE) status->MPI_ERROR = error;
}

bool is_inactive(const Request *request) {
  return request == nullptr || request->state == State::inactive;
}

// Whether the request's exchange has to be driven. One that is complete, but of which no call has told yet, has not.
bool is_under_way(const Request *request) {
  return request != nullptr && request->state == State::active;
}

// Whether the exchange of an active request has ended, with or without an error. look(plan) says whether it has ended
// without one, and throws the error of one that has failed.
template <class Look>
bool is_complete(Request &request, Look &&look) {
  if (request.state == State::complete) return true;
  bool complete = false;
  auto fault = fault_of([&] { complete = look(*request.plan); });
  if (fault) {
    request.failed = true;
    request.fault = std::move(fault);
  } else if (!complete) {
    return false;
  }
  request.state = State::complete;
  return true;
}

bool test(AnyPlan &plan) {
  return plan.test();
}
bool look(AnyPlan &plan) {
  return plan.look();
}
bool wait(AnyPlan &plan) {
  plan.wait();
  return true;
}

// Drives this request and all plans of the process. Says whether this request is complete; one that is not active
// counts as complete.
bool is_complete(Request *request) {
  if (is_under_way(request)) return is_complete(*request, test);
  drive_running();
  return true;
}

void complete(Request *request) {
  if (is_under_way(request)) {
    is_complete(*request, wait);
  } else {
    drive_running();
  }
}

// Makes a complete request inactive; gives what its exchange has met.
std::optional<Error> retire(Request *request) {
  if (request == nullptr) return std::nullopt;
  request->state = State::inactive;
  return std::exchange(request->fault, std::nullopt);
}

// The same, but throws that.
void retire_or_throw(Request &request) {
  if (request.fault) [[unlikely]]
    throw *retire(&request);
  request.state = State::inactive;
}

void tell(Request *request, MPI_Status *status) {
  set_status(status);
  if (request != nullptr) retire_or_throw(*request);
}

// ---- Several -----------------------------------------------------------------------------------------------

// Refuses all where one has been freed.
void check_all(Requests requests, About &about) {
  for (const RONDO_Request handle : requests) find(handle, about);
}

// What one look at an array has found.
struct Seen {
  int active = 0;  // complete ones included
  int complete = 0;
  std::size_t first_complete = 0;
};

// Looks once at each request. For the first one that is under way this is a full test, which also moves the other plans
// of the process and the MPI library; the others are only looked at.
Seen look_at(Requests requests) {
  Seen seen;
  bool tested = false;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    Request *const request = RequestTable::find(requests[i]);
    if (is_inactive(request)) continue;
    const bool under_way = is_under_way(request);
    const bool complete = is_complete(*request, tested ? look : test);
    tested = tested || under_way;
    ++seen.active;
    if (complete && seen.complete++ == 0) seen.first_complete = i;
  }
  if (!tested) drive_running();
  return seen;
}

template <class With>
void for_each_active(Requests requests, With &&with) {
  for (const RONDO_Request handle : requests) {
    Request *const request = RequestTable::find(handle);
    if (!is_inactive(request)) with(*request);
  }
}

Patience patience_of(Requests requests) {
  std::optional<Patience> patience;
  for_each_active(requests, [&](const Request &request) {
    const Patience &own = request.plan->patience();
    patience = patience ? Patience::of_both(*patience, own) : own;
  });
  return patience.value_or(Patience{});
}

// Waits until one of the requests is complete, or none is active.
Seen wait_for_one(Requests requests) {
  for (Waiting waiting(patience_of(requests));;) {
    const Seen seen = look_at(requests);
    if (seen.active == 0 || seen.complete > 0) return seen;
    if (seen.active == 1) {
      for_each_active(requests, [](Request &request) { is_complete(request, wait); });
      continue;
    }
    for_each_active(requests, [&](Request &request) {
      is_complete(request, [&](AnyPlan &plan) {
        plan.look_around(waiting);
        return false;
      });
    });
    if (!waiting.pause()) std::this_thread::sleep_for(nap);
  }
}

// Writes the statuses of a call on several requests, and keeps the first error of these.
class Telling {
 public:
  Telling(MPI_Status *statuses, About &about) : statuses_(statuses), about_(about) {
    check_statuses(statuses, MPI_STATUSES_IGNORE, "statuses");
  }

  // Retires a complete request, which stands at this index in the array of the call, and fills in the next status.
  void tell(std::size_t index, Request *request) {
    auto fault = retire(request);
    set_status(status_at(statuses_, told_++), fault ? code_of(fault->fault) : MPI_SUCCESS);
    if (!fault || first_) return;
    first_ = std::move(fault);
    index_ = index;
    about_ = request;
  }

  // Throws the first error, if there is one. Before that sets in_status to whether the statuses tell all errors.
  void throw_first(bool &in_status) {
    if (!first_) return;
    in_status = statuses_ != MPI_STATUSES_IGNORE;
    throw Error::of(first_->fault, [&] { return fmt::format("requests[{}]: {}", index_, first_->what()); })
        .with_peer(first_->peer)
        .with_values(first_->value, first_->other);
  }

 private:
  MPI_Status *statuses_;
  About &about_;
  std::size_t told_ = 0;
  std::optional<Error> first_{};
  std::size_t index_ = 0;
};

// As guarded_on_requests(), for calls that fill in a status for each request. If one has failed, they return
// MPI_ERR_IN_STATUS, or the first error where the caller passes MPI_STATUSES_IGNORE.
template <class Work>
int guarded_on_several(Work &&work) {
  bool in_status = false;
  const int code = guarded_on_requests([&](About &about) { work(about, in_status); });
  return in_status ? MPI_ERR_IN_STATUS : code;
}

void tell_all(Requests requests, Telling &telling, bool &in_status) {
  for (std::size_t i = 0; i < requests.size(); ++i) telling.tell(i, RequestTable::find(requests[i]));
  telling.throw_first(in_status);
}

void tell_one(Requests requests, const Seen &seen, int &index, MPI_Status *status, About &about) {
  index = seen.complete > 0 ? static_cast<int>(seen.first_complete) : MPI_UNDEFINED;
  if (seen.complete > 0) return tell(find(requests[seen.first_complete], about), status);
  about = nullptr;
  if (seen.active == 0) set_status(status);
}

void tell_some(Requests requests, const Seen &seen, int &count, int *indices, Telling &telling, bool &in_status) {
  count = seen.active == 0 ? MPI_UNDEFINED : 0;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    Request *const request = RequestTable::find(requests[i]);
    if (request == nullptr || request->state != State::complete) continue;
    indices[count++] = static_cast<int>(i);
    telling.tell(i, request);
  }
  telling.throw_first(in_status);
}

struct SomeArguments {
  int incount;
  RONDO_Request *requests;
  int *outcount;
  int *indices;
  MPI_Status *statuses;
};

// Completes the requests of which look(array) has seen that they have ended.
int complete_some(Seen (*look)(Requests), const SomeArguments &some) {
  return guarded_on_several([&](About &about, bool &in_status) {
    const Requests array = array_of(some.incount, some.requests);
    given("outcount", some.outcount);
    if (!array.empty()) given("indices", some.indices);
    Telling telling(some.statuses, about);
    check_all(array, about);
    tell_some(array, look(array), *some.outcount, some.indices, telling, in_status);
  });
}

}  // namespace

bool complete_alone(RONDO_Request_object &request) {
  if (!is_complete(request, look)) return false;
  tell(&request, MPI_STATUS_IGNORE);
  return true;
}

void wait_for(RONDO_Request_object &request) {
  complete(&request);
  retire_or_throw(request);
}

bool test_for(RONDO_Request_object &request) {
  if (!is_complete(&request)) return false;
  retire_or_throw(request);
  return true;
}

}  // namespace rondo::internal

using rondo::internal::About;
using rondo::internal::given;
using rondo::internal::Request;
using rondo::internal::Requests;

int RONDO_Test(RONDO_Request *request, int *flag, MPI_Status *status) {
  return rondo::internal::guarded_on_requests([&](About &about) {
    given("flag", flag);
    rondo::internal::check_statuses(status, MPI_STATUS_IGNORE, "status");
    Request *const found = rondo::internal::find(given("request", request), about);
    *flag = rondo::internal::is_complete(found) ? 1 : 0;
    if (*flag != 0) rondo::internal::tell(found, status);
  });
}

int RONDO_Wait(RONDO_Request *request, MPI_Status *status) {
  return rondo::internal::guarded_on_requests([&](About &about) {
    rondo::internal::check_statuses(status, MPI_STATUS_IGNORE, "status");
    Request *const found = rondo::internal::find(given("request", request), about);
    rondo::internal::complete(found);
    rondo::internal::tell(found, status);
  });
}

int RONDO_Request_get_status(RONDO_Request request, int *flag, MPI_Status *status) {
  return rondo::internal::guarded_on_requests([&](About &about) {
    given("flag", flag);
    rondo::internal::check_statuses(status, MPI_STATUS_IGNORE, "status");
    Request *const found = rondo::internal::find(request, about);
    *flag = rondo::internal::is_complete(found) ? 1 : 0;
    if (*flag == 0) return;
    const bool failed = found != nullptr && found->fault;
    rondo::internal::set_status(status, failed ? rondo::internal::code_of(found->fault->fault) : MPI_SUCCESS);
  });
}

int RONDO_Testall(int count, RONDO_Request requests[], int *flag, MPI_Status statuses[]) {
  return rondo::internal::guarded_on_several([&](About &about, bool &in_status) {
    const Requests array = rondo::internal::array_of(count, requests);
    given("flag", flag);
    rondo::internal::Telling telling(statuses, about);
    rondo::internal::check_all(array, about);
    const rondo::internal::Seen seen = rondo::internal::look_at(array);
    *flag = seen.complete == seen.active ? 1 : 0;
    if (*flag != 0) rondo::internal::tell_all(array, telling, in_status);
  });
}

// A wait keeps the other plans moving, so the order of the waits does not matter.
int RONDO_Waitall(int count, RONDO_Request requests[], MPI_Status statuses[]) {
  return rondo::internal::guarded_on_several([&](About &about, bool &in_status) {
    const Requests array = rondo::internal::array_of(count, requests);
    rondo::internal::Telling telling(statuses, about);
    rondo::internal::check_all(array, about);
    for (const RONDO_Request handle : array) rondo::internal::complete(rondo::internal::RequestTable::find(handle));
    rondo::internal::tell_all(array, telling, in_status);
  });
}

int RONDO_Testany(int count, RONDO_Request requests[], int *index, int *flag, MPI_Status *status) {
  return rondo::internal::guarded_on_requests([&](About &about) {
    const Requests array = rondo::internal::array_of(count, requests);
    given("index", index);
    given("flag", flag);
    rondo::internal::check_statuses(status, MPI_STATUS_IGNORE, "status");
    rondo::internal::check_all(array, about);
    const rondo::internal::Seen seen = rondo::internal::look_at(array);
    *flag = seen.complete > 0 || seen.active == 0 ? 1 : 0;
    rondo::internal::tell_one(array, seen, *index, status, about);
  });
}

int RONDO_Waitany(int count, RONDO_Request requests[], int *index, MPI_Status *status) {
  return rondo::internal::guarded_on_requests([&](About &about) {
    const Requests array = rondo::internal::array_of(count, requests);
    given("index", index);
    rondo::internal::check_statuses(status, MPI_STATUS_IGNORE, "status");
    rondo::internal::check_all(array, about);
    rondo::internal::tell_one(array, rondo::internal::wait_for_one(array), *index, status, about);
  });
}

int RONDO_Testsome(int incount, RONDO_Request requests[], int *outcount, int indices[], MPI_Status statuses[]) {
  return rondo::internal::complete_some(rondo::internal::look_at, {incount, requests, outcount, indices, statuses});
}

int RONDO_Waitsome(int incount, RONDO_Request requests[], int *outcount, int indices[], MPI_Status statuses[]) {
  return rondo::internal::complete_some(rondo::internal::wait_for_one,
                                        {incount, requests, outcount, indices, statuses});
}
