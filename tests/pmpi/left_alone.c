/* What the interposer has to clear up or leave alone: requests that are freed while they are active or never, a
 * communicator that is freed while a call on it is under way, intercommunicators, one rank, null requests. */
#include "persistent_calls.h"
#include "printed.h"

enum { most_ranks = 8 };

static int rank, ranks;
static int out[most_ranks], in[most_ranks], late[most_ranks];

static void fill(void) {
  for (int i = 0; i < ranks; ++i) {
    out[i] = 10 * rank + i;
    in[i] = late[i] = -1;
  }
}

static const char *verdict(const int *received) {
  for (int i = 0; i < ranks; ++i) {
    if (received[i] != 10 * i + rank) return "wrong";
  }
  return "right";
}

static void communicator_freed_under_way(void) {
  MPI_Comm comm;
  MPI_Request request;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  for (int i = 0; i < 4; ++i) {
    fill();
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm);
    print("call %d: %s\n", i, verdict(in));
  }
  MPI_Ialltoall(out, 1, MPI_INT, late, 1, MPI_INT, comm, &request);
  MPI_Comm_free(&comm);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  print("communicator freed under way: %s\n", verdict(late));
}

static void communicators_come_and_go(void) {
  int wrong = 0;
  for (int i = 0; i < 20; ++i) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int k = 0; k < 1 + i % 5; ++k) {
      fill();
      MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm);
      wrong += strcmp(verdict(in), "right") != 0;
    }
    MPI_Comm_free(&comm);
  }
  print("communicators that come and go: %d wrong\n", wrong);
}

/* The ranks of odd number against those of even number. */
static void intercommunicator(void) {
  MPI_Comm half, inter;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 7, &inter);
  int remote = 0, wrong = 0;
  MPI_Comm_remote_size(inter, &remote);
  for (int i = 0; i < 5; ++i) {
    for (int k = 0; k < remote; ++k) out[k] = 100 * rank + 2 * k + 1 - rank % 2;
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, inter);
    for (int k = 0; k < remote; ++k) wrong += in[k] != 100 * (2 * k + 1 - rank % 2) + rank;
  }
  print("intercommunicator: %d wrong\n", wrong);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

static void one_rank(void) {
  int wrong = 0;
  for (int i = 0; i < 5; ++i) {
    in[0] = -1;
    out[0] = i;
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_SELF);
    wrong += in[0] != i;
  }
  print("one rank: %d wrong\n", wrong);
}

static void freed_while_active(MPI_Request *never_freed) {
  static int kept_out[most_ranks], kept_in[most_ranks], other_in[most_ranks];
  MPI_Request request;
  MPI_Alltoall_init(kept_out, 1, MPI_INT, kept_in, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  MPI_Alltoall_init(kept_out, 1, MPI_INT, other_in, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, never_freed);
  for (int i = 0; i < ranks; ++i) kept_out[i] = 10 * rank + i;
  MPI_Start(&request);
  MPI_Request_free(&request);
  print("freed while active: %s\n", request == MPI_REQUEST_NULL ? "null" : "left");
  MPI_Start(never_freed);
  MPI_Wait(never_freed, MPI_STATUS_IGNORE);
  print("another after it: %s\n", verdict(other_in));
}

static int handled = 0;

static void handler(MPI_Comm *comm, int *code, ...) {
  int error_class = 0;
  (void)comm;
  MPI_Error_class(*code, &error_class);
  handled = error_class == MPI_ERR_COUNT ? 1 : 2;
}

/* Once a communicator's calls are Rondo's, bad arguments still reach the program's handler. */
static void bad_count(void) {
  MPI_Comm comm;
  MPI_Errhandler errhandler;
  int counts[most_ranks], displs[most_ranks];
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_errhandler(handler, &errhandler);
  MPI_Comm_set_errhandler(comm, errhandler);
  for (int i = 0; i < ranks; ++i) {
    counts[i] = 1;
    displs[i] = i;
  }
  for (int i = 0; i < 4; ++i) MPI_Alltoallv(out, counts, displs, MPI_INT, in, counts, displs, MPI_INT, comm);
  counts[ranks - 1] = -1;
  const int code = MPI_Alltoallv(out, counts, displs, MPI_INT, in, counts, displs, MPI_INT, comm);
  print("a negative count: %s, %s\n", code == MPI_SUCCESS ? "taken" : "refused",
        handled == 1 ? "handled as a count" : "not handled as a count");
  counts[ranks - 1] = 1;
  fill();
  MPI_Alltoallv(out, counts, displs, MPI_INT, in, counts, displs, MPI_INT, comm);
  print("after it: %s\n", verdict(in));
  MPI_Errhandler_free(&errhandler);
  MPI_Comm_free(&comm);
}

int main(int argc, char **argv) {
  MPI_Request never_freed;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  fill();
  communicator_freed_under_way();
  communicators_come_and_go();
  intercommunicator();
  one_rank();
  bad_count();
  freed_while_active(&never_freed);
  print_all();
  MPI_Finalize();
  return 0;
}
