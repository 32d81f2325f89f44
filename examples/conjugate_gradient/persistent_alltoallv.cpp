// SPDX-License-Identifier: BSD-3-Clause
#include "persistent_alltoallv.hpp"

#if MPI_VERSION < 4 && defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

namespace cg {
namespace {

#if MPI_VERSION >= 4
constexpr const char *kName = "MPI_Alltoallv_init";
constexpr auto kInit = MPI_Alltoallv_init;
#elif defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)
constexpr const char *kName = "MPIX_Alltoallv_init";
constexpr auto kInit = MPIX_Alltoallv_init;
#else
constexpr const char *kName = nullptr;
constexpr auto kInit = [](auto &&...) { return MPI_ERR_OTHER; };
#endif

}  // namespace

const char *PersistentAlltoallv::name() {
  return kName;
}

PersistentAlltoallv::PersistentAlltoallv(const HaloLists &lists, std::span<const double> outgoing,
                                         std::span<double> incoming, MPI_Comm comm) {
  kInit(outgoing.data(), lists.send_counts.data(), lists.send_displacements.data(), MPI_DOUBLE, incoming.data(),
        lists.receive_counts.data(), lists.receive_displacements.data(), MPI_DOUBLE, comm, MPI_INFO_NULL, &request_);
}

}  // namespace cg
