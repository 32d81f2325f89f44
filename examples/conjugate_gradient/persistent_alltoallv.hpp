// The MPI library's own persistent alltoallv, which MPI has since version 4 and Open MPI 4.1 as an extension.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CONJUGATE_GRADIENT_PERSISTENT_ALLTOALLV_HPP
#define CONJUGATE_GRADIENT_PERSISTENT_ALLTOALLV_HPP

#include <mpi.h>

#include <span>

#include "halo.hpp"

namespace cg {

class PersistentAlltoallv {
 public:
  // What the call is named here, or null where this MPI has none; then no object may be made.
  [[nodiscard]] static const char *name();

  // Collective. The lists and buffers outlive this object.
  PersistentAlltoallv(const HaloLists &lists, std::span<const double> outgoing, std::span<double> incoming,
                      MPI_Comm comm);
  PersistentAlltoallv(const PersistentAlltoallv &) = delete;
  PersistentAlltoallv &operator=(const PersistentAlltoallv &) = delete;
  ~PersistentAlltoallv() { MPI_Request_free(&request_); }

  void run() {
    MPI_Start(&request_);
    // The checker knows no persistent requests.
    MPI_Wait(&request_, MPI_STATUS_IGNORE);  // NOLINT(clang-analyzer-optin.mpi.MPI-Checker)
  }

 private:
  MPI_Request request_ = MPI_REQUEST_NULL;
};

}  // namespace cg

#endif
