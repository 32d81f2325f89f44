// Other buffers for a plan.

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "api/errhandler.hpp"
#include "api/fault.hpp"
#include "api/find_request.hpp"
#include "wire/given_side.hpp"

namespace rondo::internal {

namespace {

using Request = RONDO_Request_object;

// Gives a side another buffer for as long as an object of this class lives. Takes no memory, as the rebind of a native
// plan is collective and must not fail on one rank alone.
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

// The buffer that a rebind gives for one side. `now` is the plan's buffer of that side so far; `in_place` and `of_plan`
// say what init was given.
struct GivenBuffer {
  const char *name;
  void *buffer;
  std::byte *now;
  bool in_place;
  bool of_plan;

  // Throws Error (buffer) where only one of init and rebind is given MPI_IN_PLACE, or only one RONDO_PLAN_BUFFER.
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
  // Throws Error (buffer) for a buffer that init would refuse, and for one that other ranks would have to read but
  // cannot.
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
  const CallerBuffers &now = request.fixed->buffers();
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
  if (request.fixed == nullptr) throw Error(Fault::request, "rebind of a request whose buffers come with each start");
  Rebound checked{};
  request.fixed->agree_on_rebind(fault_of([&] { checked = check_rebind(request, send, receive); }));
  request.fixed->rebind(checked.send, checked.receive);
}

}  // namespace

}  // namespace rondo::internal

int RONDO_Rebind(RONDO_Request *request, const void *sendbuf, void *recvbuf) {
  return rondo::internal::guarded_on_requests([&](rondo::internal::About &about) {
    rondo::internal::rebind(rondo::internal::given("request", request), rondo::internal::readable(sendbuf), recvbuf,
                            about);
  });
}
