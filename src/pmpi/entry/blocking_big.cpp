// The all-to-all calls and all-gathers that wait, with counts beyond an int.

#include <mpi_functions.h>

#include "pmpi/calls/one_call.hpp"
#include "pmpi/pass/next_definition.hpp"
#include "rondo/rondo.h"

#if defined(RONDO_MPI_HAS_BIG_COUNTS)

using rondo::internal::pmpi::Call;
using rondo::internal::pmpi::do_call;
using rondo::internal::pmpi::Next;

RONDO_API int MPI_Alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                             MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  static constinit const Next next{"MPI_Alltoall_c", PMPI_Alltoall_c};
  return do_call(Call::alltoall, comm, __builtin_return_address(0), next, sendbuf, sendcount, sendtype, recvbuf,
                 recvcount, recvtype);
}

RONDO_API int MPI_Alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                              MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                              const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  static constinit const Next next{"MPI_Alltoallv_c", PMPI_Alltoallv_c};
  return do_call(Call::alltoallv, comm, __builtin_return_address(0), next, sendbuf, sendcounts, sdispls, sendtype,
                 recvbuf, recvcounts, rdispls, recvtype);
}

RONDO_API int MPI_Alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                              const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                              const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  static constinit const Next next{"MPI_Alltoallw_c", PMPI_Alltoallw_c};
  return do_call(Call::alltoallw, comm, __builtin_return_address(0), next, sendbuf, sendcounts, sdispls, sendtypes,
                 recvbuf, recvcounts, rdispls, recvtypes);
}

RONDO_API int MPI_Neighbor_alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                       MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                                       const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  static constinit const Next next{"MPI_Neighbor_alltoallv_c", PMPI_Neighbor_alltoallv_c};
  return do_call(Call::neighbor_alltoallv, comm, __builtin_return_address(0), next, sendbuf, sendcounts, sdispls,
                 sendtype, recvbuf, recvcounts, rdispls, recvtype);
}

RONDO_API int MPI_Neighbor_alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                                      MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  static constinit const Next next{"MPI_Neighbor_alltoall_c", PMPI_Neighbor_alltoall_c};
  return do_call(Call::neighbor_alltoall, comm, __builtin_return_address(0), next, sendbuf, sendcount, sendtype,
                 recvbuf, recvcount, recvtype);
}

RONDO_API int MPI_Neighbor_alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                       const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                                       const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  static constinit const Next next{"MPI_Neighbor_alltoallw_c", PMPI_Neighbor_alltoallw_c};
  return do_call(Call::neighbor_alltoallw, comm, __builtin_return_address(0), next, sendbuf, sendcounts, sdispls,
                 sendtypes, recvbuf, recvcounts, rdispls, recvtypes);
}

RONDO_API int MPI_Allgather_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                              MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  static constinit const Next next{"MPI_Allgather_c", PMPI_Allgather_c};
  return do_call(Call::allgather, comm, __builtin_return_address(0), next, sendbuf, sendcount, sendtype, recvbuf,
                 recvcount, recvtype);
}

RONDO_API int MPI_Allgatherv_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                               const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                               MPI_Comm comm) {
  static constinit const Next next{"MPI_Allgatherv_c", PMPI_Allgatherv_c};
  return do_call(Call::allgatherv, comm, __builtin_return_address(0), next, sendbuf, sendcount, sendtype, recvbuf,
                 recvcounts, displs, recvtype);
}

#endif
