// The persistent all-to-all and all-gather calls: those of MPI-4, which Open MPI 4.1 has under other names. Another one
// that Rondo has needs five lines here.

#include <mpi_functions.h>

#include "pmpi/calls/persistent.hpp"
#include "pmpi/pass/counted_in_place.hpp"
#include "pmpi/pass/next_definition.hpp"

using rondo::internal::pmpi::CountedInPlace;
using rondo::internal::pmpi::init_as;
using rondo::internal::pmpi::Next;
using rondo::internal::pmpi::served;
using rondo::internal::pmpi::served_neighbors;

#define QUOTED(text) #text
#define NAME_OF(function) QUOTED(function)

#if defined(RONDO_MPI_PERSISTENT)

RONDO_API int RONDO_MPI_PERSISTENT(Alltoall_init)(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                                  void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                                  MPI_Info info, MPI_Request *request) {
  static constinit const Next next{NAME_OF(RONDO_MPI_PERSISTENT(Alltoall_init)), RONDO_PMPI_PERSISTENT(Alltoall_init)};
  return init_as<RONDO_Alltoall_init>(served(comm), next, __builtin_return_address(0), info, request, sendbuf,
                                      sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

RONDO_API int RONDO_MPI_PERSISTENT(Alltoallv_init)(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                                   MPI_Datatype sendtype, void *recvbuf, const int recvcounts[],
                                                   const int rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                                                   MPI_Info info, MPI_Request *request) {
  static constinit const Next next{NAME_OF(RONDO_MPI_PERSISTENT(Alltoallv_init)),
                                   RONDO_PMPI_PERSISTENT(Alltoallv_init)};
  return init_as<RONDO_Alltoallv_init>(served(comm), CountedInPlace(next), __builtin_return_address(0), info, request,
                                       sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype,
                                       comm);
}

RONDO_API int RONDO_MPI_PERSISTENT(Alltoallw_init)(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                                   const MPI_Datatype sendtypes[], void *recvbuf,
                                                   const int recvcounts[], const int rdispls[],
                                                   const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
                                                   MPI_Request *request) {
  static constinit const Next next{NAME_OF(RONDO_MPI_PERSISTENT(Alltoallw_init)),
                                   RONDO_PMPI_PERSISTENT(Alltoallw_init)};
  return init_as<RONDO_Alltoallw_init>(served(comm), CountedInPlace(next), __builtin_return_address(0), info, request,
                                       sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
                                       comm);
}

RONDO_API int RONDO_MPI_PERSISTENT(Neighbor_alltoall_init)(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                                           void *recvbuf, int recvcount, MPI_Datatype recvtype,
                                                           MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  static constinit const Next next{NAME_OF(RONDO_MPI_PERSISTENT(Neighbor_alltoall_init)),
                                   RONDO_PMPI_PERSISTENT(Neighbor_alltoall_init)};
  return init_as<RONDO_Neighbor_alltoall_init>(served_neighbors(comm), next, __builtin_return_address(0), info, request,
                                               sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

RONDO_API int RONDO_MPI_PERSISTENT(Neighbor_alltoallv_init)(const void *sendbuf, const int sendcounts[],
                                                            const int sdispls[], MPI_Datatype sendtype, void *recvbuf,
                                                            const int recvcounts[], const int rdispls[],
                                                            MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                                            MPI_Request *request) {
  static constinit const Next next{NAME_OF(RONDO_MPI_PERSISTENT(Neighbor_alltoallv_init)),
                                   RONDO_PMPI_PERSISTENT(Neighbor_alltoallv_init)};
  return init_as<RONDO_Neighbor_alltoallv_init>(served_neighbors(comm), next, __builtin_return_address(0), info,
                                                request, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                                rdispls, recvtype, comm);
}

RONDO_API int RONDO_MPI_PERSISTENT(Neighbor_alltoallw_init)(const void *sendbuf, const int sendcounts[],
                                                            const MPI_Aint sdispls[], const MPI_Datatype sendtypes[],
                                                            void *recvbuf, const int recvcounts[],
                                                            const MPI_Aint rdispls[], const MPI_Datatype recvtypes[],
                                                            MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  static constinit const Next next{NAME_OF(RONDO_MPI_PERSISTENT(Neighbor_alltoallw_init)),
                                   RONDO_PMPI_PERSISTENT(Neighbor_alltoallw_init)};
  return init_as<RONDO_Neighbor_alltoallw_init>(served_neighbors(comm), next, __builtin_return_address(0), info,
                                                request, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                                                rdispls, recvtypes, comm);
}

RONDO_API int RONDO_MPI_PERSISTENT(Allgather_init)(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                                   void *recvbuf, int recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                                   MPI_Info info, MPI_Request *request) {
  static constinit const Next next{NAME_OF(RONDO_MPI_PERSISTENT(Allgather_init)),
                                   RONDO_PMPI_PERSISTENT(Allgather_init)};
  return init_as<RONDO_Allgather_init>(served(comm), next, __builtin_return_address(0), info, request, sendbuf,
                                       sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

RONDO_API int RONDO_MPI_PERSISTENT(Allgatherv_init)(const void *sendbuf, int sendcount, MPI_Datatype sendtype,
                                                    void *recvbuf, const int recvcounts[], const int displs[],
                                                    MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                                    MPI_Request *request) {
  static constinit const Next next{NAME_OF(RONDO_MPI_PERSISTENT(Allgatherv_init)),
                                   RONDO_PMPI_PERSISTENT(Allgatherv_init)};
  return init_as<RONDO_Allgatherv_init>(served(comm), next, __builtin_return_address(0), info, request, sendbuf,
                                        sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
}

#endif

#if defined(RONDO_MPI_HAS_BIG_COUNTS)

RONDO_API int MPI_Alltoall_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                                  MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                  MPI_Request *request) {
  static constinit const Next next{"MPI_Alltoall_init_c", PMPI_Alltoall_init_c};
  return init_as<RONDO_Alltoall_init_c>(served(comm), next, __builtin_return_address(0), info, request, sendbuf,
                                        sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

RONDO_API int MPI_Alltoallv_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                   MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                                   const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                   MPI_Request *request) {
  static constinit const Next next{"MPI_Alltoallv_init_c", PMPI_Alltoallv_init_c};
  return init_as<RONDO_Alltoallv_init_c>(served(comm), next, __builtin_return_address(0), info, request, sendbuf,
                                         sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
}

RONDO_API int MPI_Alltoallw_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                   const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                                   const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                                   MPI_Info info, MPI_Request *request) {
  static constinit const Next next{"MPI_Alltoallw_init_c", PMPI_Alltoallw_init_c};
  return init_as<RONDO_Alltoallw_init_c>(served(comm), next, __builtin_return_address(0), info, request, sendbuf,
                                         sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
}

RONDO_API int MPI_Neighbor_alltoall_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype,
                                           void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm,
                                           MPI_Info info, MPI_Request *request) {
  static constinit const Next next{"MPI_Neighbor_alltoall_init_c", PMPI_Neighbor_alltoall_init_c};
  return init_as<RONDO_Neighbor_alltoall_init_c>(served_neighbors(comm), next, __builtin_return_address(0), info,
                                                 request, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                                 comm);
}

RONDO_API int MPI_Neighbor_alltoallv_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                            MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                                            const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm,
                                            MPI_Info info, MPI_Request *request) {
  static constinit const Next next{"MPI_Neighbor_alltoallv_init_c", PMPI_Neighbor_alltoallv_init_c};
  return init_as<RONDO_Neighbor_alltoallv_init_c>(served_neighbors(comm), next, __builtin_return_address(0), info,
                                                  request, sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                                  rdispls, recvtype, comm);
}

RONDO_API int MPI_Neighbor_alltoallw_init_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                            const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                                            const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                                            MPI_Info info, MPI_Request *request) {
  static constinit const Next next{"MPI_Neighbor_alltoallw_init_c", PMPI_Neighbor_alltoallw_init_c};
  return init_as<RONDO_Neighbor_alltoallw_init_c>(served_neighbors(comm), next, __builtin_return_address(0), info,
                                                  request, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                                                  rdispls, recvtypes, comm);
}

RONDO_API int MPI_Allgather_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                                   MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
                                   MPI_Request *request) {
  static constinit const Next next{"MPI_Allgather_init_c", PMPI_Allgather_init_c};
  return init_as<RONDO_Allgather_init_c>(served(comm), next, __builtin_return_address(0), info, request, sendbuf,
                                         sendcount, sendtype, recvbuf, recvcount, recvtype, comm);
}

RONDO_API int MPI_Allgatherv_init_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                                    const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
                                    MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  static constinit const Next next{"MPI_Allgatherv_init_c", PMPI_Allgatherv_init_c};
  return init_as<RONDO_Allgatherv_init_c>(served(comm), next, __builtin_return_address(0), info, request, sendbuf,
                                          sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm);
}

#endif
