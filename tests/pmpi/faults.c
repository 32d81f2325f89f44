/* Every allocation and every MPI call that the interposer makes in a call of rank 1 fails once: that call gives an
 * error or is right, what rank 0 sends afterwards is not written to its buffers, and the next call is right or is
 * refused. Rank 0 expects nothing from rank 1, so that it ends. Of the first call that is taken over (the second:
 * RONDO_CACHE_AFTER=2), ranks agree on whether there is to be an exchange: where it is right, so is the next.
 */
#include "faults.h"

enum { ways = 5 };
enum { first, blocking, waited, waited_all, waited_some };
static const char *const names[ways] = {"first alltoallv", "alltoallv", "ialltoallv and wait", "ialltoallv and waitall",
                                        "ialltoallv and waitsome"};
static MPI_Datatype gapped;
/* Ranks that know each other have links from a communicator's first call on, which has to be the first that is taken
 * over (RONDO_CACHE_AFTER=1). As all communicators have the same links then, nothing may be left in them. */
static int know_each_other;

static int step_of(int way) {
  return way < waited_all ? 2 : 1;
}

/* What rank 1 receives is from rank 0; it sends as much, which nobody takes, and nothing where that would be left in
 * the way of other calls, or the MPI library may do the call. */
static int call(int way, MPI_Comm comm) {
  const int gaps = way < waited_all;
  const int sent[2] = {rank == 0 || way == first || know_each_other ? 0 : length, rank == 0 ? length : 0},
            at[2] = {0, 0};
  const int received[2] = {rank == 0 ? 0 : (gaps ? length / 2 : length), 0};
  const MPI_Datatype type = gaps ? gapped : MPI_INT;
  MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status statuses[2];
  int count = 0, indices[2];
  if (way <= blocking) return MPI_Alltoallv(out + guard, sent, at, MPI_INT, in + guard, received, at, type, comm);
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

/* Both ways. */
static int next_works(MPI_Comm comm) {
  const int counts[2] = {rank == 0 ? 0 : length, rank == 0 ? length : 0}, at[2] = {0, 0};
  fill();
  return MPI_Alltoallv(out + guard, counts, at, MPI_INT, in + guard, counts, at, MPI_INT, comm) == MPI_SUCCESS &&
         right(1, 1 - rank);
}

/* Whether anything has failed. */
static int one(int way, int kind, long after, int *faults) {
  MPI_Comm comm; /* not freed: messages are left on it */
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  gapped = make_gapped();
  const int none[2] = {0, 0};
  for (int call_before = way == first ? 1 + know_each_other : 0; call_before < 2; ++call_before) {
    MPI_Alltoallv(out, none, none, MPI_INT, in, none, none, MPI_INT, comm);
  }
  for (int call_before = 0; way >= waited && call_before < 2;
       ++call_before) { /* for these there are links, too, then */
    MPI_Request request;
    MPI_Ialltoallv(out, none, none, MPI_INT, in, none, none, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (way >= waited) MPI_Barrier(comm);
  if (way == first && know_each_other) { /* left to the MPI library; it makes known that there is this communicator */
    MPI_Request request;
    MPI_Ialltoallv(out, none, none, MPI_INT, in, none, none, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  fill();
  MPI_Barrier(MPI_COMM_WORLD);
  long met = 0;
  int code = MPI_SUCCESS;
  if (rank == 1) {
    fail(kind, after);
    code = call(way, comm);
    met = fail(0, 0);
    if (code == MPI_SUCCESS ? (met == 0 && !right(step_of(way), 0)) : met == 0) ++*faults;
    memcpy(seen, in, sizeof in);
    MPI_Barrier(MPI_COMM_WORLD);
    if (!guarded(step_of(way)) || memcmp(seen, in, sizeof in) != 0) ++*faults;
  } else {
    usleep(3000);
    if (call(way, comm) != MPI_SUCCESS) ++*faults;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Bcast(&met, 1, MPI_LONG, 1, MPI_COMM_WORLD);
  int class = MPI_SUCCESS;
  MPI_Error_class(code, &class);
  MPI_Bcast(&class, 1, MPI_INT, 1, MPI_COMM_WORLD);
  if (class != MPI_SUCCESS) {
    fill();
    const int next = call(blocking, comm);
    if (rank == 1 && next == MPI_SUCCESS && !right(step_of(blocking), 0)) ++*faults;
  }
  MPI_Type_free(&gapped);
  if (way == first && class == MPI_SUCCESS && !next_works(comm)) ++*faults;
  return met > 0;
}

int main(int argc, char **argv) {
  know_each_other = argc > 1;
  begin_with_faults(&argc, &argv);
  for (int kind = memory; kind <= making; ++kind) {
    for (int way = first; way < (kind == making ? blocking : ways); ++way) {
      int faults = 0;
      long after = 0;
      while (after < (way == first ? 200 : 40) && one(way, kind, after, &faults))
        ++after; /* a wait looks again and again */
      print("%s, %s: %s, %d wrong\n", kinds[kind], names[way], after > 0 ? "failed" : "nothing failed", faults);
    }
  }
  end_with_faults();
}
