/* A rank finds bad arguments in a call in which others have sent to it, or wait for it, and goes on: a call of another
 * communicator has its own data. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "printed.h"

enum { rooms = 3, room = 400000 };

static int rank;
static char *out, *in;

static const char *verdict(int code) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  return error_class == MPI_SUCCESS ? "no error" : error_class == MPI_ERR_COUNT ? "bad count" : "another error";
}

/* One way, from rank 1 to rank 0; the call's own bytes. */
static int call(MPI_Comm comm, int bytes, int value, int fails) {
  const int none[2] = {0, 0}, at[2] = {0, 0}, bad[2] = {-1, 0};
  const int to_0[2] = {bytes, 0}, from_1[2] = {0, bytes};
  memset(out, value, room);
  memset(in, 0, room);
  if (rank == 0) return MPI_Alltoallv(out, fails ? bad : none, at, MPI_CHAR, in, from_1, at, MPI_CHAR, comm);
  return MPI_Alltoallv(out, to_0, at, MPI_CHAR, in, none, at, MPI_CHAR, comm);
}

static int wrong(int bytes, int value) {
  int count = 0;
  for (int i = 0; rank == 0 && i < bytes; ++i) count += in[i] != value;
  return count;
}

/* Both ways; rank 0 fails, so that rank 1 waits for what comes with rank 0's next call only. */
static int exchange(MPI_Comm comm, int bytes, int value, int fails) {
  const int at[2] = {0, 0}, bad[2] = {-1, -1};
  const int counts[2] = {rank == 0 ? 0 : bytes, rank == 0 ? bytes : 0};
  memset(out, value, room);
  memset(in, 0, room);
  return MPI_Alltoallv(out, fails && rank == 0 ? bad : counts, at, MPI_CHAR, in, counts, at, MPI_CHAR, comm);
}

int main(int argc, char **argv) {
  MPI_Comm comms[2];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  out = malloc(room);
  in = malloc(room);
  for (int i = 0; i < 2; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    MPI_Comm_set_errhandler(comms[i], MPI_ERRORS_RETURN);
    for (int k = 0; k < 3; ++k) call(comms[i], 8, 1, 0);
  }
  const int lengths[rooms] = {16, 5000, 60000};
  for (int i = 0; i < rooms; ++i) {
    const int failed = call(comms[0], lengths[i], 2, 1);
    print("%d bytes, one way, and rank 0 fails: %s\n", lengths[i], verdict(failed));
    for (int k = 0; k < 3; ++k) {
      const int code = call(comms[(k + 1) % 2], lengths[i], 3 + k, 0);
      print("  then: %s, %d wrong\n", verdict(code), wrong(lengths[i], 3 + k));
    }
  }
  for (int i = 0; i < rooms; ++i) {
    const int failed = exchange(comms[0], lengths[i], 2, 1);
    print("%d bytes, both ways, and rank 0 fails: %s\n", lengths[i], verdict(failed));
    for (int k = 0; k < 3; ++k) {
      const int code = exchange(comms[(k + 1) % 2], lengths[i], 3 + k, 0);
      int count = 0;
      for (int j = 0; j < lengths[i]; ++j) count += in[j] != 3 + k;
      print("  then: %s, %d wrong\n", verdict(code), count);
    }
  }
  int failed = 0; /* more often than there is room between the ranks */
  for (int i = 0; i < 500; ++i) failed += call(comms[0], 1000, 2, 1) != MPI_SUCCESS;
  print("500 calls one way, and rank 0 fails: %d errors\n", failed);
  const int code = exchange(comms[1], 1000, 5, 0);
  print("  then: %s, %s\n", verdict(code), in[999] == 5 ? "right" : "wrong");
  for (int i = 0; i < 2; ++i) MPI_Comm_free(&comms[i]);
  print_all();
  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
