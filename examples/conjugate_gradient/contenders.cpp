// SPDX-License-Identifier: BSD-3-Clause
#include "contenders.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "cost.hpp"
#include "persistent_call.hpp"
#include "shared/on_root.hpp"
#include "shared/slowest_rank.hpp"

namespace cg {
namespace {

Contender every_time(Halo &halo, MPI_Comm comm) {
  return {"MPI_Alltoallv", 0, 0, [&halo, comm] {
            const auto &lists = halo.lists();
            MPI_Alltoallv(halo.outgoing().data(), lists.send_counts.data(), lists.send_displacements.data(), MPI_DOUBLE,
                          halo.incoming().data(), lists.receive_counts.data(), lists.receive_displacements.data(),
                          MPI_DOUBLE, comm);
          }};
}

// The time of a later init, by the median of a few on one communicator, on which there has been one before: what a
// solver pays that makes its plan anew in each of its iterations. Collective.
template <class Init>
double later_init_seconds(MPI_Comm comm, Init &&init) {
  constexpr int inits = 11;
  MPI_Comm fresh = MPI_COMM_NULL;
  MPI_Comm_dup(comm, &fresh);
  std::vector<double> seconds;
  for (int i = 0; i <= inits; ++i) {
    // The result outlives the time taken: freeing is not init.
    decltype(init(fresh)) plan;
    const double taken = example::slowest_rank_seconds(fresh, [&] { plan = init(fresh); });
    if (i > 0) seconds.push_back(taken);
  }
  MPI_Comm_free(&fresh);
  return median(std::move(seconds));
}

Contender persistent(Call kind, Halo &halo, MPI_Comm comm) {
  // Shared, because a std::function must be copyable.
  const auto init = [&halo, kind](MPI_Comm on) {
    return std::make_shared<PersistentCall>(kind, halo.lists(), halo.outgoing(), halo.incoming(), on);
  };
  std::shared_ptr<PersistentCall> call;
  const double first = example::slowest_rank_seconds(comm, [&] { call = init(comm); });
  return {PersistentCall::name(kind), first, later_init_seconds(comm, init), [call] { call->run(); }};
}

Contender rondo_plan(Halo &halo, MPI_Comm comm) {
  const double later = later_init_seconds(comm, [&halo](MPI_Comm on) { return halo.make_plan(on); });
  return {"Rondo", halo.init_seconds(), later, [&halo] { halo.plan().run(); }};
}

bool delivers_row_numbers(const Contender &contender, const LocalBlock &block, Halo &halo) {
  std::fill(halo.incoming().begin(), halo.incoming().end(), -1.0);
  contender.exchange();
  return std::equal(block.halo.begin(), block.halo.end(), halo.incoming().begin(),
                    [](int row, double received) { return received == row; });
}

}  // namespace

std::vector<Contender> make_contenders(Halo &halo, MPI_Comm comm) {
  std::vector<Contender> contenders;
  contenders.push_back(every_time(halo, comm));
  for (const Call call : {Call::alltoallv, Call::neighbor_alltoallv}) {
    if (PersistentCall::name(call) != nullptr) contenders.push_back(persistent(call, halo, comm));
  }
  contenders.push_back(rondo_plan(halo, comm));
  return contenders;
}

void require_right_results(std::span<const Contender> contenders, const LocalBlock &block, Halo &halo, MPI_Comm comm) {
  std::iota(halo.own().begin(), halo.own().end(), static_cast<double>(block.first_row));
  halo.gather();
  for (const Contender &contender : contenders) {
    int right = delivers_row_numbers(contender, block, halo) ? 1 : 0;
    MPI_Allreduce(MPI_IN_PLACE, &right, 1, MPI_INT, MPI_MIN, comm);
    if (right == 0) throw example::CollectiveError(contender.name + " delivered wrong values");
  }
}

}  // namespace cg
