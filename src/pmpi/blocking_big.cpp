// The all-to-all calls that wait, with counts beyond an int.

#include "pmpi/exchange_call.hpp"
#include "pmpi/next.hpp"
#include "rondo/rondo.h"

#if MPI_VERSION >= 4

using rondo::pmpi::arguments_of;
using rondo::pmpi::Call;
using rondo::pmpi::CallArguments;
using rondo::pmpi::Communicator;
using rondo::pmpi::Next;
using rondo::pmpi::run;
using rondo::pmpi::run_natively;
using rondo::pmpi::serving;

RONDO_API int MPI_Alltoall_c(const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
                             MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm) {
  static constinit const Next next{"MPI_Alltoall_c", PMPI_Alltoall_c};
  const CallArguments arguments =
      arguments_of(Call::alltoall, sendbuf, &sendcount, static_cast<const MPI_Aint *>(nullptr), &sendtype, recvbuf,
                   &recvcount, static_cast<const MPI_Aint *>(nullptr), &recvtype);
  Communicator *const communicator = serving(arguments, comm);
  if (communicator == nullptr) {
    return run_natively(arguments.call, comm, __builtin_return_address(0),
                        [&] { return next(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm); });
  }
  return run(*communicator, arguments, __builtin_return_address(0));
}

RONDO_API int MPI_Alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                              MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                              const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  static constinit const Next next{"MPI_Alltoallv_c", PMPI_Alltoallv_c};
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

RONDO_API int MPI_Alltoallw_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                              const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
                              const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm) {
  static constinit const Next next{"MPI_Alltoallw_c", PMPI_Alltoallw_c};
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

RONDO_API int MPI_Neighbor_alltoallv_c(const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
                                       MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
                                       const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm) {
  static constinit const Next next{"MPI_Neighbor_alltoallv_c", PMPI_Neighbor_alltoallv_c};
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

#endif
