// The halo exchange: the elements of a vector that other ranks own, fetched through one persistent plan.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CONJUGATE_GRADIENT_HALO_HPP
#define CONJUGATE_GRADIENT_HALO_HPP

#include <mpi.h>

#include <rondo/rondo.hpp>
#include <span>
#include <vector>

#include "partition.hpp"

namespace cg {

// Who sends how many elements to whom: the arguments of an alltoallv.
struct HaloLists {
  std::vector<int> rows;  // this rank's rows, in the order in which they are sent
  std::vector<int> send_counts;
  std::vector<int> send_displacements;
  std::vector<int> receive_counts;
  std::vector<int> receive_displacements;
};

// Tells every owner which of its elements this rank needs. Collective.
[[nodiscard]] HaloLists ask_owners(const LocalBlock &block, MPI_Comm comm);

// A vector with room for its halo, and the plan that fills it.
class Halo {
 public:
  // Collective. Throws CollectiveError when Rondo refuses the hints.
  Halo(const LocalBlock &block, MPI_Comm comm, rondo::Hints hints);

  // This rank's elements, which the caller sets, then those of the halo, which update() sets.
  [[nodiscard]] std::span<double> values() { return values_; }
  [[nodiscard]] std::span<double> own() { return values().first(own_); }

  // Fetches the halo. Collective.
  void update() {
    gather();
    plan_.run();
  }

  // The exchange in parts, for measuring it against other ways to do the same.
  [[nodiscard]] const HaloLists &lists() const { return lists_; }
  [[nodiscard]] std::span<const double> outgoing() const { return outgoing_; }  // the plan's own buffer
  [[nodiscard]] std::span<double> incoming() { return values().subspan(own_); }
  [[nodiscard]] rondo::Request &plan() { return plan_; }
  void gather();

  // How long the init of the plan took on the slowest rank, in seconds.
  [[nodiscard]] double init_seconds() const { return init_seconds_; }
  // One more plan for the same exchange, to the same place, out of a buffer of its own. Collective over comm, which has
  // the same ranks as the communicator of the constructor. Throws as the constructor does.
  [[nodiscard]] rondo::Request make_plan(MPI_Comm comm);

 private:
  HaloLists lists_;
  std::size_t own_;
  std::vector<double> values_;
  rondo::Hints hints_;
  double init_seconds_ = 0;
  rondo::Request plan_;
  std::span<double> outgoing_;
};

}  // namespace cg

#endif
