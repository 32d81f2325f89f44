// The all-to-all calls that start and do not wait.

#include "pmpi/calls/one_call.hpp"
#include "pmpi/pass/counted_in_place.hpp"
#include "pmpi/pass/next_definition.hpp"
#include "rondo/rondo.h"

using rondo::internal::pmpi::Call;
using rondo::internal::pmpi::CountedInPlace;
using rondo::internal::pmpi::Next;
using rondo::internal::pmpi::start_call;

RONDO_API int MPI_Ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  static constinit const Next next{"MPI_Ialltoall", PMPI_Ialltoall};
  return start_call(Call::ialltoall, comm, request, __builtin_return_address(0), next, sendbuf, sendcount, sendtype,
                    recvbuf, recvcount, recvtype);
}

RONDO_API int MPI_Ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                             void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                             MPI_Comm comm, MPI_Request *request) {
  static constinit const Next next{"MPI_Ialltoallv", PMPI_Ialltoallv};
  return start_call(Call::ialltoallv, comm, request, __builtin_return_address(0), CountedInPlace(next), sendbuf,
                    sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype);
}

RONDO_API int MPI_Ialltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                             const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[],
                             const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request) {
  static constinit const Next next{"MPI_Ialltoallw", PMPI_Ialltoallw};
  return start_call(Call::ialltoallw, comm, request, __builtin_return_address(0), CountedInPlace(next), sendbuf,
                    sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes);
}

RONDO_API int MPI_Ineighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                      MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[],
                                      MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  static constinit const Next next{"MPI_Ineighbor_alltoallv", PMPI_Ineighbor_alltoallv};
  return start_call(Call::ineighbor_alltoallv, comm, request, __builtin_return_address(0), next, sendbuf, sendcounts,
                    sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype);
}

RONDO_API int MPI_Ineighbor_alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                                     int recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  static constinit const Next next{"MPI_Ineighbor_alltoall", PMPI_Ineighbor_alltoall};
  return start_call(Call::ineighbor_alltoall, comm, request, __builtin_return_address(0), next, sendbuf, sendcount,
                    sendtype, recvbuf, recvcount, recvtype);
}

RONDO_API int MPI_Ineighbor_alltoallw(const void *sendbuf, const int sendcounts[], const MPI_Aint sdispls[],
                                      const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[],
                                      const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
                                      MPI_Request *request) {
  static constinit const Next next{"MPI_Ineighbor_alltoallw", PMPI_Ineighbor_alltoallw};
  return start_call(Call::ineighbor_alltoallw, comm, request, __builtin_return_address(0), next, sendbuf, sendcounts,
                    sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes);
}
