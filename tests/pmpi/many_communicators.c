/* A program that has taken all communicators that the MPI library has, as those near its limit may: its calls are the
 * library's then, on all ranks. */
#include "persistent_calls.h"
#include "printed.h"

enum { most_ranks = 8, most_comms = 100000 };

static int rank, ranks, out[most_ranks], in[most_ranks];

static const char *verdict(void) {
  for (int i = 0; i < ranks; ++i) {
    if (in[i] != i * most_ranks + rank) return "wrong";
  }
  return "right";
}

static void fill(void) {
  for (int i = 0; i < ranks; ++i) {
    out[i] = rank * most_ranks + i;
    in[i] = -1;
  }
}

static void calls(MPI_Comm comm, const char *when) {
  MPI_Request request;
  for (int i = 0; i < 5; ++i) {
    fill();
    const int code = MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm);
    print("%s, call %d: %s, %s\n", when, i, code == MPI_SUCCESS ? "done" : "refused", verdict());
  }
  fill();
  const int code = MPI_Alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, comm, MPI_INFO_NULL, &request);
  print("%s, init: %s\n", when, code == MPI_SUCCESS ? "done" : "refused");
  MPI_Start(&request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  print("%s, persistent: %s\n", when, verdict());
  MPI_Request_free(&request);
}

int main(int argc, char **argv) {
  static MPI_Comm comms[most_comms];
  MPI_Comm first, second;
  int made = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_dup(MPI_COMM_WORLD, &first);
  MPI_Comm_dup(MPI_COMM_WORLD, &second);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  while (made < most_comms && MPI_Comm_dup(MPI_COMM_SELF, &comms[made]) == MPI_SUCCESS) ++made;
  print("there is %s end of communicators\n", made < most_comms ? "an" : "no");
  calls(first, "with none left");
  MPI_Comm_free(&comms[--made]);
  calls(second, "with one left");
  while (made > 0) MPI_Comm_free(&comms[--made]);
  MPI_Comm_free(&first);
  MPI_Comm_free(&second);
  print_all();
  MPI_Finalize();
  return 0;
}
