// Rondo: persistent, non-uniform all-to-all exchanges on MPI. The C++ interface.
//
// RAII over spans, on top of the C interface: a Request owns its plan, faults are typed exceptions whose
// members are the offending values, and a start costs what RONDO_Start costs.
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
#include <initializer_list>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <rondo/rondo.h>

namespace rondo {

// The library has other types of these names inside, which a program that links it statically must not take for them.
inline namespace interface {

// ---- Faults ----------------------------------------------------------------------------------------

// Any fault that a call of Rondo reports. code() is the RONDO_ERR_ code, rank() the rank that found it
// (-1: no rank in particular); what() has the whole message, values included.
class Error : public std::runtime_error {
 public:
  Error(const std::string &message, const RONDO_Error_values &values)
      : std::runtime_error(message), code_(values.code), rank_(values.rank) {}
  [[nodiscard]] int code() const noexcept { return code_; }
  [[nodiscard]] int rank() const noexcept { return rank_; }

 private:
  int code_;
  int rank_;
};

// A count is negative, or a size in bytes does not fit in 64 bits.
struct CountError : Error {
  CountError(const std::string &message, const RONDO_Error_values &values)
      : Error(message, values), peer(values.peer), value(values.value) {}
  int peer;         // the rank that the count belongs to; -1 for elements that ranks cannot share equally
  long long value;  // the count as given, or the number of the elements
};

// A buffer or array is null although data is named in it, or a span is too short.
struct BufferError : Error {
  BufferError(const std::string &message, const RONDO_Error_values &values)
      : Error(message, values), peer(values.peer), value(values.value) {}
  int peer;         // the first rank whose data it would hold; -1 for a span of counts or displacements
  long long value;  // the count for that rank, or the entries of the span
};

// The receive ranges of two ranks share bytes.
struct OverlapError : Error {
  OverlapError(const std::string &message, const RONDO_Error_values &values)
      : Error(message, values), peer(values.peer), other_peer(static_cast<int>(values.other)), offset(values.value) {}
  int peer;          // the rank whose range begins first
  int other_peer;    // the rank whose range begins inside it
  long long offset;  // the first shared byte, counted from the receive buffer
};

// What one rank sends is not what the other receives (rondo_validate=1).
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
// A request in the wrong state: a start of an active one, a free of an active one.
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

namespace detail {

[[noreturn]] inline void raise(int code) {
  RONDO_Error_values values{};
  RONDO_Error_last(&values, sizeof(values));
  char text[RONDO_MAX_ERROR_STRING];
  int length = 0;
  RONDO_Error_string(code, text, &length);
  const std::string message(text, static_cast<std::size_t>(length));
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
    default: throw Error(message, values);
  }
}

inline void check(int code) {
  if (code != MPI_SUCCESS) [[unlikely]]
    raise(code);
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

// A planned exchange. Move-only; the destructor frees the plan, and completes it first if it is active.
class Request {
 public:
  Request() = default;
  // Takes over a request of the C interface.
  explicit Request(RONDO_Request request) noexcept : request_(request) {}
  Request(Request &&other) noexcept : request_(std::exchange(other.request_, RONDO_REQUEST_NULL)) {}
  Request &operator=(Request &&other) noexcept {
    std::swap(request_, other.request_);
    return *this;
  }
  ~Request() {
    if (request_ == RONDO_REQUEST_NULL) return;
    RONDO_Wait(&request_, MPI_STATUS_IGNORE);
    RONDO_Request_free(&request_);
  }

  // Starts the exchange. Local. Throws RequestError when it is active or empty.
  void start() { detail::check(RONDO_Start(&request_)); }
  // Drives the exchange; true once it is complete.
  [[nodiscard]] bool test() {
    int flag = 0;
    detail::check(RONDO_Test(&request_, &flag, MPI_STATUS_IGNORE));
    return flag != 0;
  }
  // Completes the exchange; the plan can be started again.
  void wait() { detail::check(RONDO_Wait(&request_, MPI_STATUS_IGNORE)); }
  // Start and wait in one.
  void run() {
    start();
    wait();
  }

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
    json.resize(static_cast<std::size_t>(length));
    return json;
  }

  [[nodiscard]] explicit operator bool() const noexcept { return request_ != RONDO_REQUEST_NULL; }
  // The request of the C interface; still owned by this object.
  [[nodiscard]] RONDO_Request native() const noexcept { return request_; }

 private:
  RONDO_Request request_ = RONDO_REQUEST_NULL;
};

// One side of a non-uniform exchange: the elements, and for every rank how many are its own and at which
// index they begin. The counts and displacements are copied by init, the elements are bound.
template <class T>
struct Side {
  std::span<T> elements;
  std::span<const int> counts;
  std::span<const int> displacements;
};

// In place of a side's elements: the plan allocates them, as far as the counts and displacements reach, and
// Request::send_buffer and receive_buffer tell where they are.
template <class T>
[[nodiscard]] std::span<T> elements_of_plan() noexcept {
  return {static_cast<T *>(RONDO_PLAN_BUFFER), static_cast<std::size_t>(PTRDIFF_MAX) / sizeof(T)};
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

// A side with an entry for each of so many `whose`: ranks, or neighbours.
template <class T>
SpanFault fault_of(const std::string &name, const Side<T> &side, int entries, const char *whose) {
  const auto needed = static_cast<std::size_t>(entries);
  if (side.counts.size() < needed) return too_short(name + " counts", side.counts.size(), entries, whose);
  if (side.displacements.size() < needed) {
    return too_short(name + " displacements", side.displacements.size(), entries, whose);
  }
  for (int peer = 0; peer < entries; ++peer) {
    const long long count = side.counts[static_cast<std::size_t>(peer)];
    const long long first = side.displacements[static_cast<std::size_t>(peer)];
    const auto all = static_cast<long long>(side.elements.size());
    if (count <= 0 || (first >= 0 && first + count <= all)) continue;  // a negative count is init's to refuse
    return {{RONDO_ERR_BUFFER, -1, peer, count, all},
            "the " + name + " block of rank " + std::to_string(peer) + ", " + std::to_string(count) +
                " elements from index " + std::to_string(first) + ", does not lie in the " + std::to_string(all) +
                " elements given"};
  }
  return {};
}

// Elements that so many ranks cannot share equally.
inline SpanFault not_shared(const std::string &name, std::size_t size, int ranks) {
  if (ranks == 0 || size % static_cast<std::size_t>(ranks) == 0) return {};
  return {{RONDO_ERR_COUNT, -1, -1, static_cast<long long>(size), ranks},
          "the " + std::to_string(size) + " " + name + " elements cannot be shared equally by " +
              std::to_string(ranks) + " ranks"};
}

// The first of the two that is a fault, told to all ranks: one rank alone must not leave the others in init.
inline void refuse(MPI_Comm comm, const Hints &hints, const SpanFault &first, const SpanFault &second) {
  const SpanFault &fault = first.message.empty() ? second : first;
  if (fault.message.empty()) return;
  check(RONDO_Refuse_init(comm, hints.info(), &fault.values, sizeof(fault.values), fault.message.c_str()));
}

inline int ranks_of(MPI_Comm comm) {
  int ranks = 0;
  if (RONDO_Comm_size(comm, &ranks) != MPI_SUCCESS) return 0;  // init refuses the communicator
  return ranks;
}

}  // namespace detail

// Plans an alltoallv. Collective over comm; every rank throws, or none. Throws BufferError when, on any rank, a span
// of counts or displacements is shorter than the communicator, or a block does not lie in the elements.
template <class S, class R>
[[nodiscard]] Request alltoallv_init(const Side<const S> &send, const Side<R> &receive, MPI_Comm comm,
                                     const Hints &hints = {}) {
  const int ranks = detail::ranks_of(comm);
  detail::refuse(comm, hints, detail::fault_of("send", send, ranks, "ranks"),
                 detail::fault_of("receive", receive, ranks, "ranks"));
  RONDO_Request request = RONDO_REQUEST_NULL;
  detail::check(RONDO_Alltoallv_init(send.elements.data(), send.counts.data(), send.displacements.data(),
                                     Datatype<S>::type(), receive.elements.data(), receive.counts.data(),
                                     receive.displacements.data(), Datatype<R>::type(), comm, hints.info(), &request));
  return Request(request);
}

// Plans an alltoallv among neighbours in a communicator with a topology: the counts and displacements of the send side
// are by destination, those of the receive side by source. Collective over comm; every rank throws, or none. Throws as
// alltoallv_init, and CommunicatorError where there is no topology.
template <class S, class R>
[[nodiscard]] Request neighbor_alltoallv_init(const Side<const S> &send, const Side<R> &receive, MPI_Comm comm,
                                              const Hints &hints = {}) {
  int sources = 0;
  int destinations = 0;
  if (RONDO_Neighbor_counts(comm, &sources, &destinations) != MPI_SUCCESS) sources = destinations = 0;
  detail::refuse(comm, hints, detail::fault_of("send", send, destinations, "destinations"),
                 detail::fault_of("receive", receive, sources, "sources"));
  RONDO_Request request = RONDO_REQUEST_NULL;
  detail::check(RONDO_Neighbor_alltoallv_init(
      send.elements.data(), send.counts.data(), send.displacements.data(), Datatype<S>::type(), receive.elements.data(),
      receive.counts.data(), receive.displacements.data(), Datatype<R>::type(), comm, hints.info(), &request));
  return Request(request);
}

// Plans an alltoall: the elements of each span are shared equally among the ranks, in rank order.
// Collective over comm; every rank throws, or none. Throws CountError when, on any rank, a span's size is no
// multiple of the number of ranks.
template <class S, class R>
[[nodiscard]] Request alltoall_init(std::span<const S> send, std::span<R> receive, MPI_Comm comm,
                                    const Hints &hints = {}) {
  const int ranks = detail::ranks_of(comm);
  detail::refuse(comm, hints, detail::not_shared("send", send.size(), ranks),
                 detail::not_shared("receive", receive.size(), ranks));
  const auto share = [ranks](std::size_t size) { return static_cast<MPI_Count>(size) / (ranks == 0 ? 1 : ranks); };
  RONDO_Request request = RONDO_REQUEST_NULL;
  detail::check(RONDO_Alltoall_init_c(send.data(), share(send.size()), Datatype<S>::type(), receive.data(),
                                      share(receive.size()), Datatype<R>::type(), comm, hints.info(), &request));
  return Request(request);
}

}  // namespace interface
}  // namespace rondo

#endif  // __cpp_lib_span

#endif  // RONDO_RONDO_HPP
