/* Every allocation and every MPI call that the interposer makes in a call of rank 1 fails once: that call gives an
 * error or is right, what rank 0 sends afterwards is not written to its buffers, and the next call is refused, as the
 * ranks are out of step. Rank 0 expects nothing from rank 1, so that it ends. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>

#include "printed.h"

enum { enough = 40, length = 64, guard = 16, most = 2 * guard + 4 * length * 2, ways = 4 };
enum { blocking, waited, waited_all, waited_some };
static const char *const names[ways] = {"alltoallv", "ialltoallv and wait", "ialltoallv and waitall",
                                        "ialltoallv and waitsome"};
static const char *const kinds[] = {"", "memory", "calls"};

static int rank, out[most], in[most], seen[most];
static long (*fail)(int kind, long after);
static MPI_Datatype gapped;

static void fill(void) {
  for (int i = 0; i < most; ++i) {
    out[i] = rank * 1000000 + i;
    in[i] = -1;
  }
}

/* What rank 1 receives is from rank 0; it sends as much, which nobody takes. */
static int call(int way, MPI_Comm comm) {
  const int gaps = way < waited_all;
  const int sent[2] = {rank == 0 ? 0 : length, rank == 0 ? length : 0}, at[2] = {0, 0};
  const int received[2] = {rank == 0 ? 0 : (gaps ? length / 2 : length), 0};
  const MPI_Datatype type = gaps ? gapped : MPI_INT;
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status statuses[2];
  int count = 0, indices[2];
  if (way == blocking) return MPI_Alltoallv(out + guard, sent, at, MPI_INT, in + guard, received, at, type, comm);
  const int code = MPI_Ialltoallv(out + guard, sent, at, MPI_INT, in + guard, received, at, type, comm, &requests[0]);
  if (code != MPI_SUCCESS) return code;
  if (way == waited) return MPI_Wait(&requests[0], &statuses[0]);
  if (way == waited_all) {
    int waited = MPI_Waitall(2, requests, statuses);
    /* Where there was no memory for the wait nothing has been waited for. */
    return requests[0] == MPI_REQUEST_NULL ? waited : MPI_Wait(&requests[0], &statuses[0]);
  }
  MPI_Waitsome(2, requests, &count, indices, statuses);
  return requests[0] == MPI_REQUEST_NULL ? MPI_SUCCESS : MPI_Wait(&requests[0], &statuses[0]);
}

static int right(int way) {
  const int step = way < waited_all ? 2 : 1;
  for (int i = 0; i < most; ++i) {
    const int k = i - guard, data = k >= 0 && k < step * length && k % step == 0;
    if (in[i] != (data ? guard + k / step : -1)) return 0;
  }
  return 1;
}

static int guarded(int way) {
  const int step = way < waited_all ? 2 : 1;
  for (int i = 0; i < most; ++i) {
    if ((i < guard || i >= guard + step * length) && in[i] != -1) return 0;
  }
  return 1;
}

/* Whether anything has failed. */
static int one(int way, int kind, long after, int *faults) {
  MPI_Comm comm; /* not freed: messages are left on it */
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const int none[2] = {0, 0};
  MPI_Alltoallv(out, none, none, MPI_INT, in, none, none, MPI_INT, comm);
  fill();
  MPI_Barrier(MPI_COMM_WORLD);
  long met = 0;
  if (rank == 1) {
    fail(kind, after);
    const int code = call(way, comm);
    met = fail(0, 0);
    if (code == MPI_SUCCESS ? (met == 0 && !right(way)) : met == 0) ++*faults;
    memcpy(seen, in, sizeof in);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!guarded(way) || memcmp(seen, in, sizeof in) != 0) ++*faults;
    if (code != MPI_SUCCESS && call(0, comm) == MPI_SUCCESS) ++*faults;
  } else {
    usleep(3000);
    call(way, comm);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Bcast(&met, 1, MPI_LONG, 1, MPI_COMM_WORLD);
  return met > 0;
}

int main(int argc, char **argv) {
  MPI_Datatype two;
  *(void **)&fail = dlsym(RTLD_DEFAULT, "rondo_test_fail");
  if (fail == NULL) return 1;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Type_vector(2, 1, 2, MPI_INT, &two);
  MPI_Type_create_resized(two, 0, 4 * sizeof(int), &gapped);
  MPI_Type_commit(&gapped);
  alarm(110);
  for (int kind = 1; kind <= 2; ++kind) {
    for (int way = 0; way < ways; ++way) {
      int faults = 0;
      long after = 0;
      while (after < enough && one(way, kind, after, &faults)) ++after; /* a wait looks again and again */
      print("%s, %s: %s, %d wrong\n", kinds[kind], names[way], after > 0 ? "failed" : "nothing failed", faults);
    }
  }
  print_all();
  fflush(stdout);
#ifdef OPEN_MPI
  MPI_Finalize(); /* or mpiexec fails */
#else
  MPI_Barrier(MPI_COMM_WORLD);
  _exit(0); /* MPICH's MPI_Finalize fails where messages are left */
#endif
}
