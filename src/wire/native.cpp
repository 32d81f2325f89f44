#include "wire/native.hpp"

#include <fmt/format.h>
#include <mpi_functions.h>

#include <limits>

#include "exchange/error.hpp"
#include "wire/counts_in_place.hpp"
#include "wire/late_messages.hpp"
#include "wire/made_comm.hpp"
#include "wire/mpi_call.hpp"
#include "wire/user_errors_returned.hpp"

namespace rondo::internal {

namespace {

#if defined(RONDO_MPI_PERSISTENT)
constexpr auto persistent_alltoallv = RONDO_MPI_PERSISTENT(Alltoallv_init);
constexpr auto persistent_alltoallw = RONDO_MPI_PERSISTENT(Alltoallw_init);
constexpr auto persistent_neighbor_alltoallv = RONDO_MPI_PERSISTENT(Neighbor_alltoallv_init);
constexpr auto persistent_neighbor_alltoallw = RONDO_MPI_PERSISTENT(Neighbor_alltoallw_init);
constexpr auto persistent_allgatherv = RONDO_MPI_PERSISTENT(Allgatherv_init);
#endif

int narrowed(std::int64_t value, const char *what) {
  if (value > std::numeric_limits<int>::max() || value < std::numeric_limits<int>::min()) {
    throw Error(Fault::algorithm, fmt::format("native: the MPI library's call takes no {} of {}", what, value))
        .with_values(value);
  }
  return static_cast<int>(value);
}

bool takes_addresses(Collective collective) {
  return collective == Collective::neighbor_alltoallw;
}

bool is_of_neighbors(Collective collective) {
  return collective == Collective::neighbor_alltoallv || collective == Collective::neighbor_alltoallw;
}

// The call goes by what the user's communicator is, and not only by its ranks: by the two groups of an
// intercommunicator, or by a topology.
bool needs_users_kind(Collective collective, const Channel &channel) {
  return channel.duplicate->second_group() > 0 || is_of_neighbors(collective);
}

bool shares_duplicate(NativeKind kind, Collective collective, const Channel &channel, bool in_place) {
  return kind == NativeKind::persistent && !needs_users_kind(collective, channel) &&
         (library_counts_in_place || !in_place);
}

}  // namespace

const char *name_of(Collective collective) {
  switch (collective) {
    case Collective::alltoallv: return "alltoallv";
    case Collective::alltoallw: return "alltoallw";
    case Collective::neighbor_alltoallv: return "neighbor_alltoallv";
    case Collective::neighbor_alltoallw: return "neighbor_alltoallw";
    case Collective::allgatherv: return "allgatherv";
  }
  return "";
}

bool has_persistent_calls() {
#if defined(RONDO_MPI_PERSISTENT)
  return true;
#else
  return false;
#endif
}

NativeCall::Given::Given(const Side &side, Collective collective)
    : buffer(side.buffer),
      held(hold_types(side)),
      counts(static_cast<std::size_t>(side.entries) + 1),  // Open MPI wants an address even where there are none
      displacements(takes_addresses(collective) ? 0 : counts.size()),
      addresses(takes_addresses(collective) ? counts.size() : 0) {
  const bool each = side.unit == Side::Unit::bytes;
  types.assign(each ? counts.size() : 1, each || held.empty() ? MPI_BYTE : held.front().type());
  for (const Part &part : side.parts) {
    put(part);
    if (each) types[part.entry] = held[part.type].type();
  }
}

void NativeCall::Given::put(const Part &part) {
  const auto entry = static_cast<std::size_t>(part.entry);
  counts[entry] = narrowed(part.count, "count");
  if (addresses.empty()) {
    displacements[entry] = narrowed(part.displacement, "displacement");
  } else {
    addresses[entry] = part.displacement;
  }
}

NativeCall::NativeCall(NativeKind kind, const Channel &channel, Collective collective, const Side &send,
                       const Side &receive, bool in_place)
    : collective_(collective),
      kind_(kind),
      channel_(channel),
      duplicate_(shares_duplicate(kind, collective, channel, in_place) ? channel.duplicate
                                                                       : std::make_shared<Duplicate>()),
      send_(in_place ? Side{} : send, collective),  // MPI does not look at the send arguments in place
      receive_(receive, collective) {
  if (!in_place) return;
  // MPI's own arguments have what an all-gather sends in place among what it receives.
  if (collective == Collective::allgatherv && !send.parts.empty()) receive_.put(send.parts.front());
  send_.buffer = MPI_IN_PLACE;
}

NativeCall::~NativeCall() {
  if (request_ != MPI_REQUEST_NULL && mpi_is_up()) MPI_Request_free(&request_);
}

void NativeCall::open() {
  const Duplicate &shared = *channel_.duplicate;
  if (duplicate_.get() != &shared) {
    const bool users = needs_users_kind(collective_, channel_);
    const UserErrorsReturned returned(*channel_.user);
    duplicate_->own(duplicate_of(users ? *channel_.user : shared.comm()));
  }
  if (kind_ == NativeKind::persistent) request_ = make_persistent();
}

// MPI_Start of MPICH before 4.1 reads the peer of a request, also of a persistent collective, whose request object has
// no peer. If an earlier request in the same memory was one to or from MPI_PROC_NULL, the start then does nothing and
// the wait never ends. MPICH reuses the memory of the request that was freed last: so this makes and frees a request
// with a real peer, just before the persistent collective is made.
void NativeCall::clear_place() const {
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40100000
  MPI_Request place = MPI_REQUEST_NULL;
  check_mpi(MPI_Recv_init(nullptr, 0, MPI_BYTE, channel_.rank(), channel_.tag, channel_.comm(), &place),
            "MPI_Recv_init");
  MPI_Request_free(&place);
#endif
}

MPI_Request NativeCall::make_persistent() const {
  MPI_Request request = MPI_REQUEST_NULL;
#if defined(RONDO_MPI_PERSISTENT)
  clear_place();
  int status = MPI_SUCCESS;
  switch (collective_) {
    case Collective::alltoallv: status = with_one_type(persistent_alltoallv, MPI_INFO_NULL, &request); break;
    case Collective::alltoallw: status = with_each_type(persistent_alltoallw, MPI_INFO_NULL, &request); break;
    case Collective::neighbor_alltoallv:
      status = with_one_type(persistent_neighbor_alltoallv, MPI_INFO_NULL, &request);
      break;
    case Collective::neighbor_alltoallw:
      status = with_each_type_and_address(persistent_neighbor_alltoallw, MPI_INFO_NULL, &request);
      break;
    case Collective::allgatherv: status = with_one_send(persistent_allgatherv, MPI_INFO_NULL, &request); break;
  }
  check_mpi(status, "the MPI library's persistent call");
#endif
  return request;
}

void NativeCall::rebind(void *send, void *receive) {
  void *const old_send = send_.buffer;
  void *const old_receive = receive_.buffer;
  if (send_.buffer != MPI_IN_PLACE) send_.buffer = send;
  receive_.buffer = receive;
  if (kind_ != NativeKind::persistent) return;
  try {
    const MPI_Request fresh = make_persistent();
    MPI_Request_free(&request_);
    request_ = fresh;
  } catch (...) {
    send_.buffer = old_send;
    receive_.buffer = old_receive;
    throw;
  }
}

void NativeCall::start() {
  under_way_ = true;
  switch (kind_) {
    case NativeKind::persistent: check_mpi(MPI_Start(&request_), "MPI_Start"); break;
    case NativeKind::nonblocking: start_nonblocking(&request_); break;
  }
}

// MPICH 4.0 fails in MPI_Testall of a persistent collective.
bool NativeCall::complete() {
  int complete = 0;
  check_mpi(MPI_Test(&request_, &complete, MPI_STATUS_IGNORE), "MPI_Test");
  under_way_ = complete == 0;
  return !under_way_;
}

void NativeCall::wait() {
  // NOLINTNEXTLINE(clang-analyzer-optin.mpi.MPI-Checker): begun in start
  check_mpi(MPI_Waitall(1, &request_, MPI_STATUSES_IGNORE), "MPI_Waitall");
  under_way_ = false;
}

bool NativeCall::ends_in_time() {
  if (!under_way_ || !mpi_is_up()) return true;
  const ErrorsReturned returned;
  return complete_in_time({&request_, 1}) || !is_pending(request_);
}

void NativeCall::start_nonblocking(MPI_Request *request) const {
  int status = MPI_SUCCESS;
  switch (collective_) {
    case Collective::alltoallv: status = with_one_type(MPI_Ialltoallv, request); break;
    case Collective::alltoallw: status = with_each_type(MPI_Ialltoallw, request); break;
    case Collective::neighbor_alltoallv: status = with_one_type(MPI_Ineighbor_alltoallv, request); break;
    case Collective::neighbor_alltoallw: status = with_each_type_and_address(MPI_Ineighbor_alltoallw, request); break;
    case Collective::allgatherv: status = with_one_send(MPI_Iallgatherv, request); break;
  }
  check_mpi(status, "the MPI library's non-blocking call");
}

template <class Call, class... Rest>
int NativeCall::with_one_type(Call call, Rest... rest) const {
  return call(send_.buffer, send_.counts.data(), send_.displacements.data(), send_.types.front(), receive_.buffer,
              receive_.counts.data(), receive_.displacements.data(), receive_.types.front(), duplicate_->comm(),
              rest...);
}

template <class Call, class... Rest>
int NativeCall::with_one_send(Call call, Rest... rest) const {
  return call(send_.buffer, send_.counts.front(), send_.types.front(), receive_.buffer, receive_.counts.data(),
              receive_.displacements.data(), receive_.types.front(), duplicate_->comm(), rest...);
}

template <class Call, class... Rest>
int NativeCall::with_each_type(Call call, Rest... rest) const {
  return call(send_.buffer, send_.counts.data(), send_.displacements.data(), send_.types.data(), receive_.buffer,
              receive_.counts.data(), receive_.displacements.data(), receive_.types.data(), duplicate_->comm(),
              rest...);
}

template <class Call, class... Rest>
int NativeCall::with_each_type_and_address(Call call, Rest... rest) const {
  return call(send_.buffer, send_.counts.data(), send_.addresses.data(), send_.types.data(), receive_.buffer,
              receive_.counts.data(), receive_.addresses.data(), receive_.types.data(), duplicate_->comm(), rest...);
}

}  // namespace rondo::internal
