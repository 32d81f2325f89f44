#include "wire/made_comm.hpp"

#include "wire/mpi_call.hpp"

namespace rondo::internal {

bool joins_groups(MPI_Comm comm) {
  int inter = 0;
  check_mpi(MPI_Comm_test_inter(comm, &inter), "MPI_Comm_test_inter");
  return inter != 0;
}

OwnedComm split(MPI_Comm comm, int color, int rank) {
  MPI_Comm part = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split(comm, color, rank, &part), "MPI_Comm_split");
  return part == MPI_COMM_NULL ? OwnedComm() : OwnedComm(part);
}

OwnedComm comm_of_ranks(MPI_Comm user, int rank) {
  OwnedComm made;
  std::optional<Error> fault = fault_of([&] { made = split(user, 0, rank); });
  if (!fault) return made;
  fault->fault = Fault::comm;
  throw *std::move(fault);
}

OwnedComm duplicate_of(MPI_Comm comm) {
  MPI_Comm duplicate = MPI_COMM_NULL;
  std::optional<Error> fault = fault_of([&] { check_mpi(MPI_Comm_dup(comm, &duplicate), "MPI_Comm_dup"); });
  if (!fault) return OwnedComm(duplicate);
  fault->fault = Fault::comm;
  throw *std::move(fault);
}

}  // namespace rondo::internal
