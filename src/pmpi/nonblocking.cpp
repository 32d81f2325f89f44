// The all-to-all calls that start and do not wait.

#include "pmpi/exchange_call.hpp"
#include "pmpi/next.hpp"
#include "rondo/rondo.h"

using rondo::pmpi::arguments_of;
using rondo::pmpi::begin;
using rondo::pmpi::Call;
using rondo::pmpi::CallArguments;
using rondo::pmpi::Communicator;
using rondo::pmpi::Next;
using rondo::pmpi::run_natively;
using rondo::pmpi::serving;

RONDO_API int MPI_Ialltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  static constinit const Next next{"MPI_Ialltoall", PMPI_Ialltoall};
  const CallArguments arguments =
      arguments_of(Call::ialltoall, sendbuf, &sendcount, static_cast<const int *>(nullptr), &sendtype, recvbuf,
                   &recvcount, static_cast<const int *>(nullptr), &recvtype);
  Communicator *const communicator = serving(arguments, comm);
  if (communicator == nullptr) {
    return run_natively(arguments.call, comm, __builtin_return_address(0), [&] {
      return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request);
    });
  }
  return begin(*communicator, arguments, __builtin_return_address(0), request);
}

RONDO_API int MPI_Ialltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                             void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                             MPI_Comm comm, MPI_Request *request) {
  static constinit const Next next{"MPI_Ialltoallv", PMPI_Ialltoallv};
  const CallArguments arguments =
      arguments_of(Call::ialltoallv, sendbuf, sendcounts, sdispls, &sendtype, recvbuf, recvcounts, rdispls, &recvtype);
  Communicator *const communicator = serving(arguments, comm);
  if (communicator == nullptr) {
    return run_natively(arguments.call, comm, __builtin_return_address(0), [&] {
      return next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request);
    });
  }
  return begin(*communicator, arguments, __builtin_return_address(0), request);
}

RONDO_API int MPI_Ialltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                             const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[],
                             const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Request *request) {
  static constinit const Next next{"MPI_Ialltoallw", PMPI_Ialltoallw};
  const CallArguments arguments =
      arguments_of(Call::ialltoallw, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes);
  Communicator *const communicator = serving(arguments, comm);
  if (communicator == nullptr) {
    return run_natively(arguments.call, comm, __builtin_return_address(0), [&] {
      return next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm, request);
    });
  }
  return begin(*communicator, arguments, __builtin_return_address(0), request);
}

RONDO_API int MPI_Ineighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                      MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[],
                                      MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request) {
  static constinit const Next next{"MPI_Ineighbor_alltoallv", PMPI_Ineighbor_alltoallv};
  const CallArguments arguments = arguments_of(Call::ineighbor_alltoallv, sendbuf, sendcounts, sdispls, &sendtype,
                                               recvbuf, recvcounts, rdispls, &recvtype);
  Communicator *const communicator = serving(arguments, comm);
  if (communicator == nullptr) {
    return run_natively(arguments.call, comm, __builtin_return_address(0), [&] {
      return next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm, request);
    });
  }
  return begin(*communicator, arguments, __builtin_return_address(0), request);
}
