/* A rank expects another length than the other sends: an error on that rank, nothing is written beyond what is
 * expected, and the next calls, on another communicator and on this one, have their own data. */
#include <mpi.h>
#include <string.h>

#include "printed.h"

enum { long_block = 5 << 20, room = long_block, guard = 7 };

static char out[room], in[room];

static void call(int rank, int sent, int expected, int waits) {
  const int by_links = waits && sent < long_block;
  const int to_1[2] = {0, sent}, from_0[2] = {expected, 0}, none[2] = {0, 0}, at[2] = {0, 0};
  int error_class = MPI_SUCCESS, written = 0;
  MPI_Comm comm, other;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_dup(MPI_COMM_WORLD, &other);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  for (int i = 0; i < 2; ++i) MPI_Alltoallv(out, none, at, MPI_CHAR, in, none, at, MPI_CHAR, comm);
  memset(out, 1, sizeof(out));
  memset(in, guard, sizeof(in));
  int code;
  if (waits) {
    code = MPI_Alltoallv(out, rank == 0 ? to_1 : none, at, MPI_CHAR, in, rank == 0 ? none : from_0, at, MPI_CHAR, comm);
  } else {
    MPI_Request request;
    MPI_Ialltoallv(out, rank == 0 ? to_1 : none, at, MPI_CHAR, in, rank == 0 ? none : from_0, at, MPI_CHAR, comm,
                   &request);
    code = MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Error_class(code, &error_class);
  /* What Open MPI 4.1 cuts it may write as a whole. */
  for (int i = expected; by_links && i < room; ++i) written += in[i] != guard;
  print("%d bytes for %d, %s: %s, %d written beyond\n", sent, expected, waits ? "waits" : "does not wait",
        error_class == MPI_SUCCESS        ? "no error"
        : error_class == MPI_ERR_TRUNCATE ? "truncated"
                                          : "another error",
        written);
  for (int i = 0; i < 2; ++i) {
    const int both[2] = {rank == 0 ? 0 : 40, rank == 0 ? 40 : 0};
    memset(out, 2 + rank, sizeof(out));
    const int next = MPI_Alltoallv(out, both, at, MPI_CHAR, in, both, at, MPI_CHAR, i == 0 ? other : comm);
    print("  and then: %s, %s\n", next == MPI_SUCCESS ? "no error" : "an error",
          in[39] == 3 - rank ? "right" : "wrong");
  }
  MPI_Comm_free(&comm);
  MPI_Comm_free(&other);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* which MPICH calls for requests (docs/limits.md) */
  call(rank, 16, 8, 1);
  call(rank, 8, 16, 1);
  call(rank, 30000, 8, 1);
  call(rank, 8, 30000, 1);
  call(rank, 300000, 100, 1);                /* more than fits into what lies between the ranks */
  call(rank, long_block, long_block - 8, 1); /* a message of the MPI library's */
  call(rank, 30000, 8, 0);
  print_all();
  MPI_Finalize();
  return 0;
}
