// The persistent all-to-all and all-gather calls as Open MPI 4.1 has them: those of MPI-4 under other names.

#include "pmpi/next.hpp"
#include "pmpi/persistent.hpp"

#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

#if defined(OMPI_HAVE_MPI_EXT_PCOLLREQ)

using rondo::pmpi::init_as;
using rondo::pmpi::Next;
using rondo::pmpi::served;
using rondo::pmpi::served_groups;
using rondo::pmpi::served_neighbors;

RONDO_API int MPIX_Alltoall_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                 int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                 MPI_Request *request) {
  static constinit const Next next{"MPIX_Alltoall_init", PMPIX_Alltoall_init};
  return init_as<RONDO_Alltoall_init>(served(comm), next, __builtin_return_address(0), info, request, sendbuf,
                                      sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

RONDO_API int MPIX_Alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                  MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[],
                                  MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  static constinit const Next next{"MPIX_Alltoallv_init", PMPIX_Alltoallv_init};
  return init_as<RONDO_Alltoallv_init>(served(comm), next, __builtin_return_address(0), info, request, sendbuf,
                                       sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
}

RONDO_API int MPIX_Alltoallw_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                  const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                                  const int rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
                                  MPI_Request *request) {
  static constinit const Next next{"MPIX_Alltoallw_init", PMPIX_Alltoallw_init};
  return init_as<RONDO_Alltoallw_init>(served(comm), next, __builtin_return_address(0), info, request, sendbuf,
                                       sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
}

RONDO_API int MPIX_Neighbor_alltoallv_init(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                           MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                           const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                           MPI_Request *request) {
  static constinit const Next next{"MPIX_Neighbor_alltoallv_init", PMPIX_Neighbor_alltoallv_init};
  return init_as<RONDO_Neighbor_alltoallv_init>(served_neighbors(comm), next, __builtin_return_address(0), info,
                                                request, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                                rdispls, recvtype, comm);
}

RONDO_API int MPIX_Allgather_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                  int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                  MPI_Request *request) {
  static constinit const Next next{"MPIX_Allgather_init", PMPIX_Allgather_init};
  return init_as<RONDO_Allgather_init>(served_groups(comm), next, __builtin_return_address(0), info, request, sendbuf,
                                       sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

RONDO_API int MPIX_Allgatherv_init(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                   const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm,
                                   MPI_Info info, MPI_Request *request) {
  static constinit const Next next{"MPIX_Allgatherv_init", PMPIX_Allgatherv_init};
  return init_as<RONDO_Allgatherv_init>(served_groups(comm), next, __builtin_return_address(0), info, request, sendbuf,
                                        sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
}

#endif
