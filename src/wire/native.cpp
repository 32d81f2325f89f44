#include "wire/native.hpp"

#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#include <fmt/format.h>

#include <limits>

#include "exchange/error.hpp"
#include "wire/mpi_call.hpp"

namespace rondo {

namespace {

#if MPI_VERSION >= 4
constexpr auto persistent_alltoallv = MPI_Alltoallv_init;
#define RONDO_HAS_PERSISTENT_ALLTOALLV
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
constexpr auto persistent_alltoallv = MPIX_Alltoallv_init;
#define RONDO_HAS_PERSISTENT_ALLTOALLV
#endif

std::vector<int> narrowed(const std::vector<std::int64_t> &values, const char *what) {
  std::vector<int> narrow;
  for (const std::int64_t value : values) {
    if (value > std::numeric_limits<int>::max() || value < std::numeric_limits<int>::min()) {
      throw Error(Fault::algorithm, fmt::format("native: the MPI library's call takes no {} of {}", what, value))
          .with_values(value);
    }
    narrow.push_back(static_cast<int>(value));
  }
  return narrow;
}

}  // namespace

bool has_persistent_alltoallv() {
#ifdef RONDO_HAS_PERSISTENT_ALLTOALLV
  return true;
#else
  return false;
#endif
}

NativeCall::NativeCall(const Side &send, const Side &receive, bool in_place)
    : send_buffer_(in_place ? MPI_IN_PLACE : send.buffer),
      receive_buffer_(receive.buffer),
      send_type_(send.type),
      receive_type_(receive.type),
      send_counts_(narrowed(send.counts, "count")),
      send_displacements_(narrowed(send.displacements, "displacement")),
      receive_counts_(narrowed(receive.counts, "count")),
      receive_displacements_(narrowed(receive.displacements, "displacement")) {}

MPI_Request NativeCall::open(NativeKind kind, const Channel &channel) {
  kind_ = kind;
  MPI_Request request = MPI_REQUEST_NULL;
  if (kind == NativeKind::nonblocking) {
    duplicate_ = std::make_shared<Duplicate>(channel.comm(), false);
    return request;
  }
  duplicate_ = channel.duplicate;
#ifdef RONDO_HAS_PERSISTENT_ALLTOALLV
  check_mpi(persistent_alltoallv(send_buffer_, send_counts_.data(), send_displacements_.data(), send_type_.type(),
                                 receive_buffer_, receive_counts_.data(), receive_displacements_.data(),
                                 receive_type_.type(), duplicate_->comm(), MPI_INFO_NULL, &request),
            "MPI_Alltoallv_init");
#endif
  return request;
}

void NativeCall::start(MPI_Request *request) const {
  switch (kind_) {
    case NativeKind::persistent: check_mpi(MPI_Start(request), "MPI_Start"); break;
    case NativeKind::nonblocking:
      check_mpi(MPI_Ialltoallv(send_buffer_, send_counts_.data(), send_displacements_.data(), send_type_.type(),
                               receive_buffer_, receive_counts_.data(), receive_displacements_.data(),
                               receive_type_.type(), duplicate_->comm(), request),
                "MPI_Ialltoallv");
      break;
  }
}

}  // namespace rondo
