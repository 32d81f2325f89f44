// SPDX-License-Identifier: BSD-3-Clause
#include "halo.hpp"

#include <numeric>

#include "shared/on_root.hpp"
#include "shared/slowest_rank.hpp"

namespace cg {

HaloLists ask_owners(const LocalBlock &block, MPI_Comm comm) {
  HaloLists lists;
  lists.receive_counts = block.receive_counts;
  lists.receive_displacements = packed_displacements(lists.receive_counts);
  lists.send_counts.resize(lists.receive_counts.size());
  MPI_Alltoall(lists.receive_counts.data(), 1, MPI_INT, lists.send_counts.data(), 1, MPI_INT, comm);
  lists.send_displacements = packed_displacements(lists.send_counts);
  std::vector<int> requested(std::reduce(lists.send_counts.begin(), lists.send_counts.end()));
  MPI_Alltoallv(block.halo.data(), lists.receive_counts.data(), lists.receive_displacements.data(), MPI_INT,
                requested.data(), lists.send_counts.data(), lists.send_displacements.data(), MPI_INT, comm);
  lists.rows = rows_to_send(requested, block.first_row);
  return lists;
}

Halo::Halo(const LocalBlock &block, MPI_Comm comm, rondo::Hints hints)
    : lists_(ask_owners(block, comm)),
      own_(static_cast<std::size_t>(block.rows.rows())),
      values_(own_ + block.halo.size()),
      hints_(std::move(hints)) {
  init_seconds_ = example::slowest_rank_seconds(comm, [&] { plan_ = make_plan(comm); });
  outgoing_ = {plan_.send_buffer<double>(), lists_.rows.size()};
}

// What is sent is gathered into one place anyway: where the plan allocates that place, ranks of a node read it there.
rondo::Request Halo::make_plan(MPI_Comm comm) {
  const rondo::Side<const double> send{rondo::elements_of_plan<const double>(), lists_.send_counts,
                                       lists_.send_displacements};
  const rondo::Side<double> receive{incoming(), lists_.receive_counts, lists_.receive_displacements};
  try {
    return rondo::alltoallv_init(send, receive, comm, hints_);
  } catch (const rondo::Error &fault) {
    // Every rank of an init throws, or none.
    throw example::CollectiveError(fault.what());
  }
}

void Halo::gather() {
  for (std::size_t i = 0; i < outgoing_.size(); ++i) outgoing_[i] = values_[lists_.rows[i]];
}

}  // namespace cg
