// The MPI library's own persistent collectives for the same exchange, which MPI has since version 4 and Open MPI 4.1
// as an extension.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CONJUGATE_GRADIENT_PERSISTENT_CALL_HPP
#define CONJUGATE_GRADIENT_PERSISTENT_CALL_HPP

#include <mpi.h>

#include <span>

#include "halo.hpp"

namespace cg {

// Counts for all ranks, or a graph of neighbours and counts for those.
enum class Call { alltoallv, neighbor_alltoallv };

class PersistentCall {
 public:
  // What the call is named here, or null where this MPI has none; then no object may be made.
  [[nodiscard]] static const char *name(Call call);

  // Collective. The lists and buffers outlive this object.
  PersistentCall(Call call, const HaloLists &lists, std::span<const double> outgoing, std::span<double> incoming,
                 MPI_Comm comm);
  PersistentCall(const PersistentCall &) = delete;
  PersistentCall &operator=(const PersistentCall &) = delete;
  ~PersistentCall();

  void run() {
    MPI_Start(&request_);
    // The checker knows no persistent requests.
    MPI_Wait(&request_, MPI_STATUS_IGNORE);  // NOLINT(clang-analyzer-optin.mpi.MPI-Checker)
  }

 private:
  // Counts and displacements must live as long as the request. Those of the neighbours only.
  struct Side {
    std::vector<int> ranks;
    std::vector<int> counts;
    std::vector<int> displacements;
  };
  static Side neighbors(const std::vector<int> &counts, const std::vector<int> &displacements);

  Side send_;
  Side receive_;
  MPI_Comm graph_ = MPI_COMM_NULL;
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace cg

#endif
