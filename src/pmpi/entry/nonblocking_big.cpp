// The all-to-all calls that start and do not wait, with counts beyond an int.

#include <mpi_functions.h>

#include "pmpi/calls/one_call.hpp"
#include "pmpi/pass/next_definition.hpp"
#include "rondo/rondo.h"

#if defined(RONDO_MPI_HAS_BIG_COUNTS)

using rondo::internal::pmpi::Call;
using rondo::internal::pmpi::Next;
using rondo::internal::pmpi::start_call;

RONDO_API int MPI_Ialltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                              MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  static constinit const Next next{"MPI_Ialltoall_c", PMPI_Ialltoall_c};
  return start_call(Call::ialltoall, comm, request, __builtin_return_address(0), next, sendbuf, sendcount, sendtype,
                    recvbuf, recvcount, recvtype);
}

RONDO_API int MPI_Ialltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                               MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                               const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  static constinit const Next next{"MPI_Ialltoallv_c", PMPI_Ialltoallv_c};
  return start_call(Call::ialltoallv, comm, request, __builtin_return_address(0), next, sendbuf, sendcounts, sdispls,
                    sendtype, recvbuf, recvcounts, rdispls, recvtype);
}

RONDO_API int MPI_Ialltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                               const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                               const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                               MPI_Request *request) {
  static constinit const Next next{"MPI_Ialltoallw_c", PMPI_Ialltoallw_c};
  return start_call(Call::ialltoallw, comm, request, __builtin_return_address(0), next, sendbuf, sendcounts, sdispls,
                    sendtypes, recvbuf, recvcounts, rdispls, recvtypes);
}

RONDO_API int MPI_Ineighbor_alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                        MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                                        const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                                        MPI_Request *request) {
  static constinit const Next next{"MPI_Ineighbor_alltoallv_c", PMPI_Ineighbor_alltoallv_c};
  return start_call(Call::ineighbor_alltoallv, comm, request, __builtin_return_address(0), next, sendbuf, sendcounts,
                    sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype);
}

RONDO_API int MPI_Ineighbor_alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                                       MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                       MPI_Request *request) {
  static constinit const Next next{"MPI_Ineighbor_alltoall_c", PMPI_Ineighbor_alltoall_c};
  return start_call(Call::ineighbor_alltoall, comm, request, __builtin_return_address(0), next, sendbuf, sendcount,
                    sendtype, recvbuf, recvcount, recvtype);
}

RONDO_API int MPI_Ineighbor_alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                        const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                                        const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                                        MPI_Request *request) {
  static constinit const Next next{"MPI_Ineighbor_alltoallw_c", PMPI_Ineighbor_alltoallw_c};
  return start_call(Call::ineighbor_alltoallw, comm, request, __builtin_return_address(0), next, sendbuf, sendcounts,
                    sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes);
}

#endif
