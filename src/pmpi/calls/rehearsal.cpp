#include "pmpi/calls/rehearsal.hpp"

#include <mpi.h>

#include <cstddef>
#include <numeric>
#include <optional>
#include <vector>

#include "pmpi/calls/one_call.hpp"
#include "wire/agreement.hpp"

namespace rondo::internal::pmpi {

namespace {

// What a rank needs for the call: the other ranks wait for one that has begun it.
struct Rehearsal {
  Rehearsal(MPI_Comm comm, std::size_t ranks)
      : communicator(make_communicator(comm)), counts(ranks, 1), displs(ranks), sent(ranks), received(ranks) {
    std::iota(displs.begin(), displs.end(), 0);
  }

  Communicator *const communicator;
  std::vector<int> counts;
  std::vector<int> displs;
  std::vector<int> sent;
  std::vector<int> received;
};

void call(Rehearsal &all) {
  constexpr Call kind = Call::alltoallv;
  if (all.communicator->serves(kind) != Done::by_rondo) return;
  Counting uncounted(kind, nullptr);
  const call::CallArguments arguments =
      arguments_of(all.sent.data(), all.counts.data(), all.displs.data(), MPI_INT, all.received.data(),
                   all.counts.data(), all.displs.data(), MPI_INT);
  run(*all.communicator, kind, arguments, uncounted);
}

}  // namespace

void rehearse_a_call() {
  MPI_Comm comm = comm_of_all_ranks();
  if (comm == MPI_COMM_NULL) return;
  int ranks = 0;
  PMPI_Comm_size(comm, &ranks);
  std::optional<Rehearsal> all;
  const auto fault = fault_of([&] { all.emplace(comm, static_cast<std::size_t>(ranks)); });
  int unprepared = fault || all->communicator == nullptr ? 1 : 0;
  PMPI_Allreduce(MPI_IN_PLACE, &unprepared, 1, MPI_INT, MPI_MAX, comm);
  if (unprepared == 0) fault_of([&] { call(*all); });
  PMPI_Comm_free(&comm);
}

}  // namespace rondo::internal::pmpi
