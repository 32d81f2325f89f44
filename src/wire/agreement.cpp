#include "wire/agreement.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <vector>

#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

// A fault as it travels between ranks.
struct Telegram {
  std::int64_t fault;
  std::int64_t rank;
  std::int64_t peer;
  std::int64_t value;
  std::int64_t other;
  char text[960];
};

Telegram telegram(const Error &error) {
  Telegram message{static_cast<std::int64_t>(error.fault), error.rank, error.peer, error.value, error.other, {}};
  std::strncpy(message.text, error.what(), sizeof(message.text) - 1);
  return message;
}

void become_maxima(MPI_Comm comm, std::span<std::int64_t> values, AwaitRequest await) {
  const int count = static_cast<int>(values.size());
  if (await == nullptr) {
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, values.data(), count, MPI_INT64_T, MPI_MAX, comm), "MPI_Allreduce");
    return;
  }
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Iallreduce(MPI_IN_PLACE, values.data(), count, MPI_INT64_T, MPI_MAX, comm, &request), "MPI_Iallreduce");
  await(&request);
}  // NOLINT(clang-analyzer-optin.mpi.MPI-Checker): that is its wait

}  // namespace

void agree(MPI_Comm comm, std::span<std::int64_t> maxima, const std::optional<Error> &fault, AwaitRequest await) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  // ranks - rank is largest for the lowest rank at fault, and 0 where there is none.
  std::array<std::int64_t, 16> values{};
  values[0] = fault ? ranks - rank : 0;
  std::copy(maxima.begin(), maxima.end(), values.begin() + 1);
  become_maxima(comm, std::span(values).first(maxima.size() + 1), await);
  if (values[0] == 0) {
    std::copy_n(values.begin() + 1, maxima.size(), maxima.begin());
    return;
  }
  const int faulty = ranks - static_cast<int>(values[0]);
  Telegram message = rank == faulty ? telegram(*fault) : Telegram{};
  check_mpi(MPI_Bcast(&message, sizeof(message), MPI_BYTE, faulty, comm), "MPI_Bcast");
  Error error = Error::of(static_cast<Fault>(message.fault), [&] { return message.text; })
                    .with_peer(static_cast<int>(message.peer))
                    .with_values(message.value, message.other);
  error.rank = message.rank >= 0 ? static_cast<int>(message.rank) : faulty;
  throw error;
}

void barrier(MPI_Comm comm, AwaitRequest await) {
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Ibarrier(comm, &request), "MPI_Ibarrier");
  await(&request);
}  // NOLINT(clang-analyzer-optin.mpi.MPI-Checker): that is its wait

}  // namespace rondo::internal
