// Rondo: persistent, non-uniform all-to-all exchanges on MPI. The C++ interface.
//
// RAII over spans, on top of the C interface: a Request owns its plan, faults are typed exceptions whose
// members are the offending values, and a start costs what RONDO_Start costs. What rondo.h says of threads, progress,
// MPI_Finalize and hints holds here too.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RONDO_RONDO_HPP
#define RONDO_RONDO_HPP

#if defined(__has_include)
#if __has_include(<version>)
#include <version>
#endif
#endif
#ifndef __cpp_lib_span
#error "rondo.hpp needs C++20, for std::span: compile with -std=c++20. rondo.h serves C and older C++."
#else

#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <rondo/rondo.h>

namespace rondo {

// ---- Faults ----------------------------------------------------------------------------------------

// Any fault that a call of Rondo reports. code() is the RONDO_ERR_ code, error_class() the MPI error class of it
// (RONDO_Error_class), rank() the rank that found it (-1: no rank in particular); what() has the whole message, values
// included. There is a type for each code.
class Error : public std::runtime_error {
 public:
  Error(const std::string &message, const RONDO_Error_values &values)
      : std::runtime_error(message), code_(values.code), rank_(values.rank) {
    RONDO_Error_class(code_, &error_class_);
  }
  [[nodiscard]] int code() const noexcept { return code_; }
  [[nodiscard]] int error_class() const noexcept { return error_class_; }
  [[nodiscard]] int rank() const noexcept { return rank_; }

 private:
  int code_;
  int rank_;
  int error_class_ = MPI_ERR_OTHER;
};

// A count is negative, or a size in bytes does not fit in 64 bits.
struct CountError : Error {
  CountError(const std::string &message, const RONDO_Error_values &values)
      : Error(message, values), peer(values.peer), value(values.value) {}
  int peer;         // the rank that the count belongs to; -1 for elements that ranks cannot share equally
  long long value;  // the count as given, or the number of the elements
};

// A buffer or array is null although counts say that there is data in it, or a span is too short.
struct BufferError : Error {
  BufferError(const std::string &message, const RONDO_Error_values &values)
      : Error(message, values), peer(values.peer), value(values.value) {}
  int peer;         // the first rank whose data should be in it; -1 for a span of counts or displacements
  long long value;  // the count for that rank, or the entries of the span
};

// What is received from one rank would overwrite what is received from another, or what is sent.
struct OverlapError : Error {
  OverlapError(const std::string &message, const RONDO_Error_values &values)
      : Error(message, values), peer(values.peer), other_peer(static_cast<int>(values.other)), offset(values.value) {}
  int peer;          // of two ranges that are received, the rank of the one that begins first; else the rank sent to
  int other_peer;    // the rank from which the other range is received
  long long offset;  // the first shared byte, counted from the receive buffer
};

// What one rank sends to another has not the size that this one receives. Plans that
// send each block to its destination at once, by messages of MPI, look for it only with rondo_validate=1.
struct MismatchError : Error {
  MismatchError(const std::string &message, const RONDO_Error_values &values)
      : Error(message, values), source(values.peer), sent(values.value), expected(values.other) {}
  int source;          // the sender; rank() is the receiver
  long long sent;      // bytes
  long long expected;  // bytes
};

// A hint is unknown, does not parse, or is not the same on all ranks.
struct HintError : Error {
  using Error::Error;
};
// The algorithm that was asked for does not serve this case; what() gives the reason.
struct AlgorithmError : Error {
  using Error::Error;
};
// A null, freed or unsuitable communicator, or one of another MPI than Rondo was built on.
struct CommunicatorError : Error {
  using Error::Error;
};
// A null, freed or uncommitted datatype.
struct DatatypeError : Error {
  using Error::Error;
};
// A request that is empty, freed or in the wrong state: a start of an active one, a free of an active one.
struct RequestError : Error {
  using Error::Error;
};
// Memory ran out on some rank, or rondo_scratch_limit forbids the plan.
struct MemoryError : Error {
  MemoryError(const std::string &message, const RONDO_Error_values &values)
      : Error(message, values), needed(values.value), limit(values.other) {}
  long long needed;  // bytes, -1 where unknown
  long long limit;   // bytes, -1 where no limit was set
};
// An MPI call inside Rondo has failed; error_class() is the class of its code.
struct MpiError : Error {
  MpiError(const std::string &message, const RONDO_Error_values &values)
      : Error(message, values), mpi_code(values.value) {}
  long long mpi_code;  // what the call returned
};
// A null pointer, or another bad argument.
struct ArgumentError : Error {
  using Error::Error;
};
// Nothing came for rondo_stall_timeout. The plan is of no more use.
struct StalledError : Error {
  StalledError(const std::string &message, const RONDO_Error_values &values)
      : Error(message, values), peer(values.peer) {}
  int peer;  // one of the ranks that are missing, all of which what() names; -1 where that is not known
};
// More has come than the buffer holds; nothing of it is lost.
struct CapacityError : Error {
  CapacityError(const std::string &message, const RONDO_Error_values &values)
      : Error(message, values), needed(values.value), capacity(values.other) {}
  long long needed;    // elements
  long long capacity;  // elements
};
// A fault of Rondo's own: please report it.
struct InternalError : Error {
  using Error::Error;
};

namespace detail {

inline std::string text_of(int code) {
  char text[RONDO_MAX_ERROR_STRING];
  int length = 0;
  RONDO_Error_string(code, text, &length);
  return {text, static_cast<std::size_t>(length)};
}

[[noreturn]] inline void raise(int code) {
  RONDO_Error_values values{};
  RONDO_Error_last(&values, sizeof(values));
  const std::string message = text_of(code);
  values.code = code;
  switch (code) {
    case RONDO_ERR_COUNT: throw CountError(message, values);
    case RONDO_ERR_BUFFER: throw BufferError(message, values);
    case RONDO_ERR_OVERLAP: throw OverlapError(message, values);
    case RONDO_ERR_MISMATCH: throw MismatchError(message, values);
    case RONDO_ERR_HINT: throw HintError(message, values);
    case RONDO_ERR_ALGORITHM: throw AlgorithmError(message, values);
    case RONDO_ERR_COMM: throw CommunicatorError(message, values);
    case RONDO_ERR_TYPE: throw DatatypeError(message, values);
    case RONDO_ERR_REQUEST: throw RequestError(message, values);
    case RONDO_ERR_NO_MEMORY: throw MemoryError(message, values);
    case RONDO_ERR_MPI: throw MpiError(message, values);
    case RONDO_ERR_ARG: throw ArgumentError(message, values);
    case RONDO_ERR_STALLED: throw StalledError(message, values);
    case RONDO_ERR_CAPACITY: throw CapacityError(message, values);
    case RONDO_ERR_INTERNAL: throw InternalError(message, values);
    default: throw Error(message, values);
  }
}

inline void check(int code) {
  if (code != MPI_SUCCESS) [[unlikely]]
    raise(code);
}

// Reports a failure on standard error, for destructors, which cannot throw.
inline void say(const char *what, int code) noexcept {
  if (code == MPI_SUCCESS) return;
  char text[RONDO_MAX_ERROR_STRING];
  int length = 0;
  RONDO_Error_string(code, text, &length);
  std::fprintf(stderr, "Rondo: a rondo::Request could not be %s: %s\n", what, text);
}

}  // namespace detail

// ---- Element types -----------------------------------------------------------------------------------

// The MPI datatype of a C++ element type. Specialise it for types of your own.
template <class T>
struct Datatype;

#define RONDO_DATATYPE(T, NAME)  \
  template <>                    \
  struct Datatype<T> {           \
    static MPI_Datatype type() { \
      return NAME;               \
    }                            \
  }
RONDO_DATATYPE(char, MPI_CHAR);
RONDO_DATATYPE(signed char, MPI_SIGNED_CHAR);
RONDO_DATATYPE(unsigned char, MPI_UNSIGNED_CHAR);
RONDO_DATATYPE(std::byte, MPI_BYTE);
RONDO_DATATYPE(short, MPI_SHORT);
RONDO_DATATYPE(unsigned short, MPI_UNSIGNED_SHORT);
RONDO_DATATYPE(int, MPI_INT);
RONDO_DATATYPE(unsigned, MPI_UNSIGNED);
RONDO_DATATYPE(long, MPI_LONG);
RONDO_DATATYPE(unsigned long, MPI_UNSIGNED_LONG);
RONDO_DATATYPE(long long, MPI_LONG_LONG);
RONDO_DATATYPE(unsigned long long, MPI_UNSIGNED_LONG_LONG);
RONDO_DATATYPE(float, MPI_FLOAT);
RONDO_DATATYPE(double, MPI_DOUBLE);
RONDO_DATATYPE(std::complex<float>, MPI_CXX_FLOAT_COMPLEX);
RONDO_DATATYPE(std::complex<double>, MPI_CXX_DOUBLE_COMPLEX);
#undef RONDO_DATATYPE

// ---- Hints -------------------------------------------------------------------------------------------

// Hints for one init, as key and value: Hints{{"rondo_algorithm", "tuna"}, {"rondo_radix", "4"}}.
class Hints {
 public:
  Hints() = default;
  Hints(std::initializer_list<std::pair<std::string_view, std::string_view> > pairs) {
    for (const auto &[key, value] : pairs) set(key, value);
  }
  Hints(const Hints &other) {
    if (other.info_ != MPI_INFO_NULL) MPI_Info_dup(other.info_, &info_);
  }
  Hints(Hints &&other) noexcept : info_(std::exchange(other.info_, MPI_INFO_NULL)) {}
  Hints &operator=(Hints other) noexcept {
    std::swap(info_, other.info_);
    return *this;
  }
  ~Hints() {
    int finalized = 0;
    if (info_ != MPI_INFO_NULL) MPI_Finalized(&finalized);
    if (info_ != MPI_INFO_NULL && finalized == 0) MPI_Info_free(&info_);
  }

  void set(std::string_view key, std::string_view value) {
    if (info_ == MPI_INFO_NULL) MPI_Info_create(&info_);
    MPI_Info_set(info_, std::string(key).c_str(), std::string(value).c_str());
  }
  [[nodiscard]] MPI_Info info() const noexcept { return info_; }

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

// ---- Requests ----------------------------------------------------------------------------------------

// A planned exchange. Move-only; one that has been moved from is empty. The destructor frees the plan, and completes it
// first if it is active, which takes as long as a wait; where either fails it says so on standard error. It runs before
// MPI_Finalize and before the last session is finalized: after that there is nothing to complete.
class Request {
 public:
  Request() = default;
  // Takes over a request of the C interface.
  explicit Request(RONDO_Request request) noexcept : request_(request) {}
  Request(Request &&other) noexcept : request_(std::exchange(other.request_, RONDO_REQUEST_NULL)) {}
  // What this one had is completed and freed.
  Request &operator=(Request &&other) noexcept {
    Request taken(std::move(other));
    std::swap(request_, taken.request_);
    return *this;
  }
  ~Request() {
    if (request_ == RONDO_REQUEST_NULL) return;
    detail::say("completed", RONDO_Wait(&request_, MPI_STATUS_IGNORE));
    detail::say("freed", RONDO_Request_free(&request_));
  }

  // Starts the exchange. Local. Throws RequestError when it is active or empty.
  void start() { detail::check(RONDO_Start(&request_)); }
  // Drives the exchange; true once it is complete.
  [[nodiscard]] bool test() {
    int flag = 0;
    detail::check(RONDO_Test(&request_, &flag, MPI_STATUS_IGNORE));
    return flag != 0;
  }
  // The same, but the request stays active: a test or a wait comes after it, and throws what the exchange has met.
  [[nodiscard]] bool is_complete() const {
    int flag = 0;
    detail::check(RONDO_Request_get_status(request_, &flag, MPI_STATUS_IGNORE));
    return flag != 0;
  }
  // Completes the exchange; the plan can be started again.
  void wait() { detail::check(RONDO_Wait(&request_, MPI_STATUS_IGNORE)); }
  // Start and wait in one.
  void run() {
    start();
    wait();
  }

  // Other buffers for the next starts, as large as the counts and displacements of init reach; RONDO_Rebind says more.
  // For a request in place the send buffer is MPI_IN_PLACE.
  void rebind(const void *send, void *receive) { detail::check(RONDO_Rebind(&request_, send, receive)); }

  // The buffers: the caller's own, or those that the plan has allocated (elements_of_plan).
  template <class T>
  [[nodiscard]] T *send_buffer() const {
    void *buffer = nullptr;
    detail::check(RONDO_Request_buffers(request_, &buffer, nullptr));
    return static_cast<T *>(buffer);
  }
  template <class T>
  [[nodiscard]] T *receive_buffer() const {
    void *buffer = nullptr;
    detail::check(RONDO_Request_buffers(request_, nullptr, &buffer));
    return static_cast<T *>(buffer);
  }

  // What was planned.
  [[nodiscard]] RONDO_Report report() const {
    RONDO_Report report{};
    detail::check(RONDO_Request_report(request_, &report, sizeof(report)));
    return report;
  }
  // The same as a JSON object.
  [[nodiscard]] std::string report_json() const {
    int length = 0;
    detail::check(RONDO_Request_report_json(request_, nullptr, &length));
    std::string json(static_cast<std::size_t>(length) + 1, '\0');
    length = static_cast<int>(json.size());
    detail::check(RONDO_Request_report_json(request_, json.data(), &length));
    json.resize(length);
    return json;
  }

  [[nodiscard]] explicit operator bool() const noexcept { return request_ != RONDO_REQUEST_NULL; }
  // The request of the C interface; still owned by this object.
  [[nodiscard]] RONDO_Request native() const noexcept { return request_; }

 private:
  RONDO_Request request_ = RONDO_REQUEST_NULL;
};

// ---- Several requests -----------------------------------------------------------------------------------

namespace detail {

// A Request is its handle, so an array of the one is an array of the other.
static_assert(sizeof(Request) == sizeof(RONDO_Request) && std::is_standard_layout_v<Request>);

inline RONDO_Request *handles_of(std::span<Request> requests) {
  return reinterpret_cast<RONDO_Request *>(requests.data());
}

inline int count_of(std::span<Request> requests) {
  return static_cast<int>(requests.size());
}

inline std::optional<std::size_t> index_of(int index) {
  if (index == MPI_UNDEFINED) return std::nullopt;
  return static_cast<std::size_t>(index);
}

}  // namespace detail

// Starts all, or none where one of them cannot be started: it is empty, active, or has failed before.
inline void start_all(std::span<Request> requests) {
  detail::check(RONDO_Startall(detail::count_of(requests), detail::handles_of(requests)));
}

// Completes all, those behind one that fails included; throws the error of the first that has failed.
inline void wait_all(std::span<Request> requests) {
  detail::check(RONDO_Waitall(detail::count_of(requests), detail::handles_of(requests), MPI_STATUSES_IGNORE));
}

// Drives all; completes all and is true when all are complete. Throws as wait_all.
[[nodiscard]] inline bool test_all(std::span<Request> requests) {
  int flag = 0;
  detail::check(RONDO_Testall(detail::count_of(requests), detail::handles_of(requests), &flag, MPI_STATUSES_IGNORE));
  return flag != 0;
}

// Completes one of those that are active, and gives its index; nothing where none is active. Throws its error.
inline std::optional<std::size_t> wait_any(std::span<Request> requests) {
  int index = MPI_UNDEFINED;
  detail::check(RONDO_Waitany(detail::count_of(requests), detail::handles_of(requests), &index, MPI_STATUS_IGNORE));
  return detail::index_of(index);
}

// The same without waiting. Also returns nothing when none is complete yet.
[[nodiscard]] inline std::optional<std::size_t> test_any(std::span<Request> requests) {
  int index = MPI_UNDEFINED;
  int flag = 0;
  detail::check(
      RONDO_Testany(detail::count_of(requests), detail::handles_of(requests), &index, &flag, MPI_STATUS_IGNORE));
  return detail::index_of(index);
}

// Waits until one that is active is complete, and completes all that are; gives their indices, none where none is
// active. Throws the error of the first that has failed; the others that were complete are inactive then.
inline std::vector<int> wait_some(std::span<Request> requests) {
  std::vector<int> indices(requests.size());
  int count = 0;
  detail::check(RONDO_Waitsome(detail::count_of(requests), detail::handles_of(requests), &count, indices.data(),
                               MPI_STATUSES_IGNORE));
  indices.resize(count == MPI_UNDEFINED ? 0 : static_cast<std::size_t>(count));
  return indices;
}

// The same without waiting. Also returns none when none is complete yet.
inline std::vector<int> test_some(std::span<Request> requests) {
  std::vector<int> indices(requests.size());
  int count = 0;
  detail::check(RONDO_Testsome(detail::count_of(requests), detail::handles_of(requests), &count, indices.data(),
                               MPI_STATUSES_IGNORE));
  indices.resize(count == MPI_UNDEFINED ? 0 : static_cast<std::size_t>(count));
  return indices;
}

// ---- Arguments ------------------------------------------------------------------------------------------

namespace detail {

template <class Count>
inline constexpr bool is_large = std::is_same_v<Count, MPI_Count>;
template <class Count>
concept CountType = std::is_same_v<Count, int> || is_large<Count>;

}  // namespace detail

// One side of a non-uniform exchange: the elements, and for every rank how many are its own and at which
// index they begin. The counts and displacements are copied by init, the elements are bound. Count is int, or MPI_Count
// for what an int cannot count; then displacements are MPI_Aint.
template <class T, detail::CountType Count = int>
struct Side {
  std::span<T> elements;
  std::span<const Count> counts;
  std::span<const std::conditional_t<detail::is_large<Count>, MPI_Aint, int> > displacements;
};

// So that a Side can be made from vectors, arrays and spans of counts and displacements without template arguments.
template <class T>
Side(std::span<T>, std::span<const int>, std::span<const int>) -> Side<T>;
template <class T>
Side(std::span<T>, std::span<const MPI_Count>, std::span<const MPI_Aint>) -> Side<T, MPI_Count>;

template <class T>
using LargeSide = Side<T, MPI_Count>;

// One side with a datatype for every rank, and displacements in bytes. Void is const void on the send side.
template <class Void>
struct TypedSide {
  Void *buffer;
  std::span<const MPI_Count> counts;
  std::span<const MPI_Aint> displacements;
  std::span<const MPI_Datatype> types;
};

// In the place of a send side, on all ranks: the data to send lies in the receive elements. Not on an
// intercommunicator, and not among neighbours.
struct InPlace {};
inline constexpr InPlace in_place{};

// To be given in the place of a side's elements: the plan allocates them, and Request::send_buffer and receive_buffer
// tell where they are. There are as many as the counts and displacements reach; in calls without these, `count`
// elements. (A TypedSide takes RONDO_PLAN_BUFFER as its buffer.)
template <class T>
[[nodiscard]] std::span<T> elements_of_plan(std::size_t count = static_cast<std::size_t>(PTRDIFF_MAX) /
                                                                sizeof(T)) noexcept {
  return {static_cast<T *>(RONDO_PLAN_BUFFER), count};
}

namespace detail {

// What is wrong with the spans of a side, which the C interface cannot see.
struct SpanFault {
  RONDO_Error_values values{MPI_SUCCESS, -1, -1, -1, -1};
  std::string message;
};

inline SpanFault too_short(const std::string &span, std::size_t size, int entries, const char *whose) {
  return {{RONDO_ERR_BUFFER, -1, -1, static_cast<long long>(size), entries},
          "the span of " + span + " has " + std::to_string(size) + " entries, and there are " +
              std::to_string(entries) + " " + whose};
}

// What is wrong with the arrays of a side that needs this many entries. `whose` says what for: "ranks", "sources".
template <class Given>
SpanFault arrays_fault(const std::string &name, const Given &side, int entries, const char *whose) {
  const auto needed = static_cast<std::size_t>(entries);
  if (side.counts.size() < needed) return too_short(name + " counts", side.counts.size(), entries, whose);
  if (side.displacements.size() < needed) {
    return too_short(name + " displacements", side.displacements.size(), entries, whose);
  }
  return {};
}

template <class T, CountType Count>
SpanFault fault_of(const std::string &name, const Side<T, Count> &side, int entries, const char *whose) {
  SpanFault fault = arrays_fault(name, side, entries, whose);
  if (!fault.message.empty()) return fault;
  for (int peer = 0; peer < entries; ++peer) {
    const long long count = side.counts[peer];
    const long long first = side.displacements[peer];
    const auto all = static_cast<long long>(side.elements.size());
    if (count <= 0) continue;  // a negative count is init's to refuse
    if (first >= 0 && count <= all && first <= all - count) continue;
    return {{RONDO_ERR_BUFFER, -1, peer, count, all},
            "the " + name + " block of rank " + std::to_string(peer) + ", " + std::to_string(count) +
                " elements from index " + std::to_string(first) + ", does not lie in the " + std::to_string(all) +
                " elements given"};
  }
  return {};
}

template <class Void>
SpanFault fault_of(const std::string &name, const TypedSide<Void> &side, int entries, const char *whose) {
  SpanFault fault = arrays_fault(name, side, entries, whose);
  if (fault.message.empty() && side.types.size() < static_cast<std::size_t>(entries)) {
    return too_short(name + " types", side.types.size(), entries, whose);
  }
  return fault;
}

inline SpanFault fault_of(const std::string &, InPlace, int, const char *) {
  return {};
}

// The fault of a number of elements that the ranks cannot share equally.
inline SpanFault not_shared(const std::string &name, std::size_t size, int ranks) {
  if (ranks == 0 || size % static_cast<std::size_t>(ranks) == 0) return {};
  return {{RONDO_ERR_COUNT, -1, -1, static_cast<long long>(size), ranks},
          "the " + std::to_string(size) + " " + name + " elements cannot be shared equally by " +
              std::to_string(ranks) + " ranks"};
}

inline MPI_Count share(std::size_t size, int ranks) {
  return static_cast<MPI_Count>(size) / (ranks == 0 ? 1 : ranks);
}

// Tells all ranks of the first of the two that is a fault, by taking part in their init: if this rank only threw, the
// others would wait for it there.
inline void refuse(MPI_Comm comm, const Hints &hints, const SpanFault &first, const SpanFault &second = {}) {
  const SpanFault &fault = first.message.empty() ? second : first;
  if (fault.message.empty()) return;
  check(RONDO_Refuse_init(comm, hints.info(), &fault.values, sizeof(fault.values), fault.message.c_str()));
}

// The number of ranks, and of those to exchange with, which on an intercommunicator are the other group's; 0 for a
// communicator that init will refuse.
inline int ranks_of(MPI_Comm comm) {
  int ranks = 0;
  return RONDO_Comm_size(comm, &ranks) == MPI_SUCCESS ? ranks : 0;
}
inline int opposite_ranks_of(MPI_Comm comm) {
  int sources = 0;
  return RONDO_Allgather_sources(comm, &sources) == MPI_SUCCESS ? sources : 0;
}

// Check that both sides have an entry for each rank, or for each neighbour.
template <class Send, class Receive>
void check_sides(const Send &send, const Receive &receive, MPI_Comm comm, const Hints &hints) {
  const int ranks = opposite_ranks_of(comm);
  refuse(comm, hints, fault_of("send", send, ranks, "ranks"), fault_of("receive", receive, ranks, "ranks"));
}
// None where there is no topology, which init then says.
struct NeighborCounts {
  explicit NeighborCounts(MPI_Comm comm) {
    if (RONDO_Neighbor_counts(comm, &sources, &destinations) != MPI_SUCCESS) sources = destinations = 0;
  }
  int sources = 0;
  int destinations = 0;
};
template <class Send, class Receive>
void check_neighbor_sides(const Send &send, const Receive &receive, MPI_Comm comm, const Hints &hints) {
  const NeighborCounts neighbors(comm);
  refuse(comm, hints, fault_of("send", send, neighbors.destinations, "destinations"),
         fault_of("receive", receive, neighbors.sources, "sources"));
}

// The request of init(&request).
template <class Init>
[[nodiscard]] Request planned(Init &&init) {
  RONDO_Request request = RONDO_REQUEST_NULL;
  check(init(&request));
  return Request(request);
}

template <class Count, class... Arguments>
int alltoallv(Arguments... arguments) {
  if constexpr (is_large<Count>) {
    return RONDO_Alltoallv_init_c(arguments...);
  } else {
    return RONDO_Alltoallv_init(arguments...);
  }
}

template <class Count, class... Arguments>
int neighbor_alltoallv(Arguments... arguments) {
  if constexpr (is_large<Count>) {
    return RONDO_Neighbor_alltoallv_init_c(arguments...);
  } else {
    return RONDO_Neighbor_alltoallv_init(arguments...);
  }
}

// The fault of sending more elements than the receive counts can say, if these are of type int.
template <class Count>
SpanFault not_counted(std::size_t size) {
  if (is_large<Count> || size <= static_cast<std::size_t>(std::numeric_limits<int>::max())) return {};
  return {{RONDO_ERR_COUNT, -1, -1, static_cast<long long>(size), std::numeric_limits<int>::max()},
          "the " + std::to_string(size) + " send elements are more than the int counts of the receive side can say"};
}

template <class R, CountType Count>
Request plan_allgatherv(const void *send, std::size_t count, MPI_Datatype type, const Side<R, Count> &receive,
                        MPI_Comm comm, const Hints &hints) {
  refuse(comm, hints, not_counted<Count>(count), fault_of("receive", receive, opposite_ranks_of(comm), "ranks"));
  return planned([&](RONDO_Request *request) {
    if constexpr (is_large<Count>) {
      return RONDO_Allgatherv_init_c(send, static_cast<MPI_Count>(count), type, receive.elements.data(),
                                     receive.counts.data(), receive.displacements.data(), Datatype<R>::type(), comm,
                                     hints.info(), request);
    } else {
      return RONDO_Allgatherv_init(send, static_cast<int>(count), type, receive.elements.data(), receive.counts.data(),
                                   receive.displacements.data(), Datatype<R>::type(), comm, hints.info(), request);
    }
  });
}

}  // namespace detail

// ---- Plans: collective over comm; every rank throws, or none -----------------------------------------------
//
// All-to-alls and all-gathers may be on an intercommunicator: then "ranks" are those of the other group.
//
// Throw BufferError when, on any rank, a span of counts, displacements or types is shorter than there are ranks or
// neighbours, or a block does not lie in the elements; CountError when a span's size is no multiple of the number of
// ranks that share it; and what the C interface refuses.

// Plans an alltoallv.
template <class S, class R, detail::CountType Count = int>
[[nodiscard]] Request alltoallv_init(const Side<const S, Count> &send, const Side<R, Count> &receive, MPI_Comm comm,
                                     const Hints &hints = {}) {
  detail::check_sides(send, receive, comm, hints);
  return detail::planned([&](RONDO_Request *request) {
    return detail::alltoallv<Count>(send.elements.data(), send.counts.data(), send.displacements.data(),
                                    Datatype<S>::type(), receive.elements.data(), receive.counts.data(),
                                    receive.displacements.data(), Datatype<R>::type(), comm, hints.info(), request);
  });
}
template <class R, detail::CountType Count = int>
[[nodiscard]] Request alltoallv_init(InPlace, const Side<R, Count> &receive, MPI_Comm comm, const Hints &hints = {}) {
  detail::check_sides(in_place, receive, comm, hints);
  return detail::planned([&](RONDO_Request *request) {
    return detail::alltoallv<Count>(MPI_IN_PLACE, nullptr, nullptr, MPI_DATATYPE_NULL, receive.elements.data(),
                                    receive.counts.data(), receive.displacements.data(), Datatype<R>::type(), comm,
                                    hints.info(), request);
  });
}

// Plans an alltoallw.
[[nodiscard]] inline Request alltoallw_init(const TypedSide<const void> &send, const TypedSide<void> &receive,
                                            MPI_Comm comm, const Hints &hints = {}) {
  detail::check_sides(send, receive, comm, hints);
  return detail::planned([&](RONDO_Request *request) {
    return RONDO_Alltoallw_init_c(send.buffer, send.counts.data(), send.displacements.data(), send.types.data(),
                                  receive.buffer, receive.counts.data(), receive.displacements.data(),
                                  receive.types.data(), comm, hints.info(), request);
  });
}
[[nodiscard]] inline Request alltoallw_init(InPlace, const TypedSide<void> &receive, MPI_Comm comm,
                                            const Hints &hints = {}) {
  detail::check_sides(in_place, receive, comm, hints);
  return detail::planned([&](RONDO_Request *request) {
    return RONDO_Alltoallw_init_c(MPI_IN_PLACE, nullptr, nullptr, nullptr, receive.buffer, receive.counts.data(),
                                  receive.displacements.data(), receive.types.data(), comm, hints.info(), request);
  });
}

// Plans an alltoallv among neighbours in a communicator with a topology: the counts and displacements of the send side
// are by destination, those of the receive side by source. Throws CommunicatorError where there is no topology.
template <class S, class R, detail::CountType Count = int>
[[nodiscard]] Request neighbor_alltoallv_init(const Side<const S, Count> &send, const Side<R, Count> &receive,
                                              MPI_Comm comm, const Hints &hints = {}) {
  detail::check_neighbor_sides(send, receive, comm, hints);
  return detail::planned([&](RONDO_Request *request) {
    return detail::neighbor_alltoallv<Count>(send.elements.data(), send.counts.data(), send.displacements.data(),
                                             Datatype<S>::type(), receive.elements.data(), receive.counts.data(),
                                             receive.displacements.data(), Datatype<R>::type(), comm, hints.info(),
                                             request);
  });
}
// The same with as many elements for each neighbour: those of each span are shared equally among the destinations and
// the sources. A span for nobody is empty.
template <class S, class R>
[[nodiscard]] Request neighbor_alltoall_init(std::span<const S> send, std::span<R> receive, MPI_Comm comm,
                                             const Hints &hints = {}) {
  const detail::NeighborCounts neighbors(comm);
  detail::refuse(comm, hints, detail::not_shared("send", send.size(), neighbors.destinations),
                 detail::not_shared("receive", receive.size(), neighbors.sources));
  return detail::planned([&](RONDO_Request *request) {
    return RONDO_Neighbor_alltoall_init_c(
        send.data(), detail::share(send.size(), neighbors.destinations), Datatype<S>::type(), receive.data(),
        detail::share(receive.size(), neighbors.sources), Datatype<R>::type(), comm, hints.info(), request);
  });
}
// The same with a datatype for each neighbour.
[[nodiscard]] inline Request neighbor_alltoallw_init(const TypedSide<const void> &send, const TypedSide<void> &receive,
                                                     MPI_Comm comm, const Hints &hints = {}) {
  detail::check_neighbor_sides(send, receive, comm, hints);
  return detail::planned([&](RONDO_Request *request) {
    return RONDO_Neighbor_alltoallw_init_c(
        send.buffer, send.counts.data(), send.displacements.data(), send.types.data(), receive.buffer,
        receive.counts.data(), receive.displacements.data(), receive.types.data(), comm, hints.info(), request);
  });
}

// Plans an alltoall: the elements of each span are shared equally among the ranks, in rank order.
template <class S, class R>
[[nodiscard]] Request alltoall_init(std::span<const S> send, std::span<R> receive, MPI_Comm comm,
                                    const Hints &hints = {}) {
  const int ranks = detail::opposite_ranks_of(comm);
  detail::refuse(comm, hints, detail::not_shared("send", send.size(), ranks),
                 detail::not_shared("receive", receive.size(), ranks));
  return detail::planned([&](RONDO_Request *request) {
    return RONDO_Alltoall_init_c(send.data(), detail::share(send.size(), ranks), Datatype<S>::type(), receive.data(),
                                 detail::share(receive.size(), ranks), Datatype<R>::type(), comm, hints.info(),
                                 request);
  });
}
template <class R>
[[nodiscard]] Request alltoall_init(InPlace, std::span<R> receive, MPI_Comm comm, const Hints &hints = {}) {
  const int ranks = detail::opposite_ranks_of(comm);
  detail::refuse(comm, hints, detail::not_shared("receive", receive.size(), ranks));
  return detail::planned([&](RONDO_Request *request) {
    return RONDO_Alltoall_init_c(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, receive.data(),
                                 detail::share(receive.size(), ranks), Datatype<R>::type(), comm, hints.info(),
                                 request);
  });
}

// Plans an allgather: every rank's elements, which are as many on all, to all; those received lie in rank order. On an
// intercommunicator they are those of the other group.
template <class S, class R>
[[nodiscard]] Request allgather_init(std::span<const S> send, std::span<R> receive, MPI_Comm comm,
                                     const Hints &hints = {}) {
  const int sources = detail::opposite_ranks_of(comm);
  detail::refuse(comm, hints, detail::not_shared("receive", receive.size(), sources));
  return detail::planned([&](RONDO_Request *request) {
    return RONDO_Allgather_init_c(send.data(), static_cast<MPI_Count>(send.size()), Datatype<S>::type(), receive.data(),
                                  detail::share(receive.size(), sources), Datatype<R>::type(), comm, hints.info(),
                                  request);
  });
}
template <class R>
[[nodiscard]] Request allgather_init(InPlace, std::span<R> receive, MPI_Comm comm, const Hints &hints = {}) {
  const int sources = detail::opposite_ranks_of(comm);
  detail::refuse(comm, hints, detail::not_shared("receive", receive.size(), sources));
  return detail::planned([&](RONDO_Request *request) {
    return RONDO_Allgather_init_c(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, receive.data(),
                                  detail::share(receive.size(), sources), Datatype<R>::type(), comm, hints.info(),
                                  request);
  });
}

// Plans an allgatherv: every rank's elements to all; the receive side has an entry for each rank that they come from.
template <class S, class R, detail::CountType Count = int>
[[nodiscard]] Request allgatherv_init(std::span<const S> send, const Side<R, Count> &receive, MPI_Comm comm,
                                      const Hints &hints = {}) {
  return detail::plan_allgatherv(send.data(), send.size(), Datatype<S>::type(), receive, comm, hints);
}
template <class R, detail::CountType Count = int>
[[nodiscard]] Request allgatherv_init(InPlace, const Side<R, Count> &receive, MPI_Comm comm, const Hints &hints = {}) {
  return detail::plan_allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, receive, comm, hints);
}

}  // namespace rondo

#include <rondo/varying.hpp>  // IWYU pragma: export

#endif  // __cpp_lib_span

#endif  // RONDO_RONDO_HPP
