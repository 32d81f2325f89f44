// The all-to-all calls and all-gathers that wait.

#include "pmpi/calls/one_call.hpp"
#include "pmpi/pass/next_definition.hpp"
#include "rondo/rondo.h"

using rondo::internal::pmpi::Call;
using rondo::internal::pmpi::do_call;
using rondo::internal::pmpi::Next;

RONDO_API int MPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                           MPI_Datatype recvtype, MPI_Comm comm) {
  static constinit const Next next{"MPI_Alltoall", PMPI_Alltoall};
  return do_call(Call::alltoall, comm, __builtin_return_address(0), next, sendbuf, sendcount, sendtype, recvbuf,
                 recvcount, recvtype);
}

RONDO_API int MPI_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                            void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                            MPI_Comm comm) {
  static constinit const Next next{"MPI_Alltoallv", PMPI_Alltoallv};
  return do_call(Call::alltoallv, comm, __builtin_return_address(0), next, sendbuf, sendcounts, sdispls, sendtype,
                 recvbuf, recvcounts, rdispls, recvtype);
}

RONDO_API int MPI_Alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                            const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[],
                            const MPI_Datatype recvtypes[], MPI_Comm comm) {
  static constinit const Next next{"MPI_Alltoallw", PMPI_Alltoallw};
  return do_call(Call::alltoallw, comm, __builtin_return_address(0), next, sendbuf, sendcounts, sdispls, sendtypes,
                 recvbuf, recvcounts, rdispls, recvtypes);
}

RONDO_API int MPI_Neighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                     MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[],
                                     MPI_Datatype recvtype, MPI_Comm comm) {
  static constinit const Next next{"MPI_Neighbor_alltoallv", PMPI_Neighbor_alltoallv};
  return do_call(Call::neighbor_alltoallv, comm, __builtin_return_address(0), next, sendbuf, sendcounts, sdispls,
                 sendtype, recvbuf, recvcounts, rdispls, recvtype);
}

RONDO_API int MPI_Neighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                    int recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  static constinit const Next next{"MPI_Neighbor_alltoall", PMPI_Neighbor_alltoall};
  return do_call(Call::neighbor_alltoall, comm, __builtin_return_address(0), next, sendbuf, sendcount, sendtype,
                 recvbuf, recvcount, recvtype);
}

RONDO_API int MPI_Neighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                                     const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                                     const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  static constinit const Next next{"MPI_Neighbor_alltoallw", PMPI_Neighbor_alltoallw};
  return do_call(Call::neighbor_alltoallw, comm, __builtin_return_address(0), next, sendbuf, sendcounts, sdispls,
                 sendtypes, recvbuf, recvcounts, rdispls, recvtypes);
}

RONDO_API int MPI_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm) {
  static constinit const Next next{"MPI_Allgather", PMPI_Allgather};
  return do_call(Call::allgather, comm, __builtin_return_address(0), next, sendbuf, sendcount, sendtype, recvbuf,
                 recvcount, recvtype);
}

RONDO_API int MPI_Allgatherv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                             const int recvcounts[], const int displs[], MPI_Datatype recvtype, MPI_Comm comm) {
  static constinit const Next next{"MPI_Allgatherv", PMPI_Allgatherv};
  return do_call(Call::allgatherv, comm, __builtin_return_address(0), next, sendbuf, sendcount, sendtype, recvbuf,
                 recvcounts, displs, recvtype);
}
