// The all-to-all calls that wait.

#include "pmpi/exchange_call.hpp"
#include "pmpi/next.hpp"
#include "rondo/rondo.h"

using rondo::pmpi::arguments_of;
using rondo::pmpi::Call;
using rondo::pmpi::CallArguments;
using rondo::pmpi::Communicator;
using rondo::pmpi::Next;
using rondo::pmpi::run;
using rondo::pmpi::run_natively;
using rondo::pmpi::serving;

RONDO_API int MPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf, int recvcount,
                           MPI_Datatype recvtype, MPI_Comm comm) {
  static constinit const Next next{"MPI_Alltoall", PMPI_Alltoall};
  const CallArguments arguments =
      arguments_of(Call::alltoall, sendbuf, &sendcount, static_cast<const int *>(nullptr), &sendtype, recvbuf,
                   &recvcount, static_cast<const int *>(nullptr), &recvtype);
  Communicator *const communicator = serving(arguments, comm);
  if (communicator == nullptr) {
    return run_natively(arguments.call, comm, __builtin_return_address(0),
                        [&] { return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm); });
  }
  return run(*communicator, arguments, __builtin_return_address(0));
}

RONDO_API int MPI_Alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[], MPI_Datatype sendtype,
                            void *recvbuf, const int recvcounts[], const int rdispls[], MPI_Datatype recvtype,
                            MPI_Comm comm) {
  static constinit const Next next{"MPI_Alltoallv", PMPI_Alltoallv};
  const CallArguments arguments =
      arguments_of(Call::alltoallv, sendbuf, sendcounts, sdispls, &sendtype, recvbuf, recvcounts, rdispls, &recvtype);
  Communicator *const communicator = serving(arguments, comm);
  if (communicator == nullptr) {
    return run_natively(arguments.call, comm, __builtin_return_address(0), [&] {
      return next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
    });
  }
  return run(*communicator, arguments, __builtin_return_address(0));
}

RONDO_API int MPI_Alltoallw(const void *sendbuf, const int sendcounts[], const int sdispls[],
                            const MPI_Datatype sendtypes[], void *recvbuf, const int recvcounts[], const int rdispls[],
                            const MPI_Datatype recvtypes[], MPI_Comm comm) {
  static constinit const Next next{"MPI_Alltoallw", PMPI_Alltoallw};
  const CallArguments arguments =
      arguments_of(Call::alltoallw, sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes);
  Communicator *const communicator = serving(arguments, comm);
  if (communicator == nullptr) {
    return run_natively(arguments.call, comm, __builtin_return_address(0), [&] {
      return next(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm);
    });
  }
  return run(*communicator, arguments, __builtin_return_address(0));
}

RONDO_API int MPI_Neighbor_alltoallv(const void *sendbuf, const int sendcounts[], const int sdispls[],
                                     MPI_Datatype sendtype, void *recvbuf, const int recvcounts[], const int rdispls[],
                                     MPI_Datatype recvtype, MPI_Comm comm) {
  static constinit const Next next{"MPI_Neighbor_alltoallv", PMPI_Neighbor_alltoallv};
  const CallArguments arguments = arguments_of(Call::neighbor_alltoallv, sendbuf, sendcounts, sdispls, &sendtype,
                                               recvbuf, recvcounts, rdispls, &recvtype);
  Communicator *const communicator = serving(arguments, comm);
  if (communicator == nullptr) {
    return run_natively(arguments.call, comm, __builtin_return_address(0), [&] {
      return next(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm);
    });
  }
  return run(*communicator, arguments, __builtin_return_address(0));
}
