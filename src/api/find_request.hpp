#pragma once

// What every call on requests does first with what it is given.

#include <cstddef>
#include <span>

#include "api/errhandler.hpp"
#include "api/request_table.hpp"

namespace rondo::internal {

// The refusals have functions of their own, so that the checks are short enough to be inlined.
[[noreturn]] void refuse_null_argument(const char *name);
[[noreturn]] void refuse_unknown_request();
[[noreturn]] void refuse_null_request(const char *call);
[[noreturn]] void refuse_active_request(const char *call);
[[noreturn]] void refuse_useless_request(const RONDO_Request_object &request);

// What an argument points to. Throws Error (argument) for a null pointer; `name` goes into the message.
template <class Value>
Value &given(const char *name, Value *pointer) {
  if (pointer == nullptr) [[unlikely]]
    refuse_null_argument(name);
  return *pointer;
}

inline std::span<const RONDO_Request> array_of(int count, const RONDO_Request *requests) {
  if (count < 0) throw Error(Fault::argument, "a negative number of requests").with_values(count);
  if (count > 0) given("requests", requests);
  return {requests, static_cast<std::size_t>(count)};
}

// Null for a null request. An error is then about this one.
inline RONDO_Request_object *find(RONDO_Request handle, About &about) {
  RONDO_Request_object *const request = RequestTable::find(handle);
  about = request;
  if (request == nullptr && handle != RONDO_REQUEST_NULL) [[unlikely]]
    refuse_unknown_request();
  return request;
}

// The same for calls in which a null request is an error; `call` goes into the message.
inline RONDO_Request_object &find_for(const char *call, RONDO_Request handle, About &about) {
  RONDO_Request_object *const request = find(handle, about);
  if (request == nullptr) [[unlikely]]
    refuse_null_request(call);
  return *request;
}

inline void check_inactive(const char *call, const RONDO_Request_object &request) {
  if (request.state != RONDO_Request_object::State::inactive) [[unlikely]]
    refuse_active_request(call);
}

inline RONDO_Request_object &find_inactive_for(const char *call, RONDO_Request handle, About &about) {
  RONDO_Request_object &request = find_for(call, handle, about);
  check_inactive(call, request);
  return request;
}

// A request that is going to be started: inactive, and of use still.
inline RONDO_Request_object &find_startable(RONDO_Request handle, About &about) {
  RONDO_Request_object &request = find_inactive_for("start", handle, about);
  if (request.outlived || request.failed) [[unlikely]]
    refuse_useless_request(request);
  return request;
}

}  // namespace rondo::internal
