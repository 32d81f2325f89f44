/* A rank that sits in a call of its own must keep what it has started moving: the other completes that before it comes.
 * Blocks are so long that their receivers take them out of the senders' memory. */
#include "persistent_calls.h"
#include "printed.h"

enum { plans = 3, length = 50000, most_ranks = 4 };

static int rank, ranks;
static int out[plans][most_ranks * length], in[plans][most_ranks * length];
static MPI_Request requests[plans];

static void start(void) {
  for (int p = 0; p < plans; ++p) {
    for (int i = 0; i < ranks * length; ++i) {
      out[p][i] = (p * most_ranks + rank) * most_ranks + i / length;
      in[p][i] = -1;
    }
  }
  MPI_Startall(plans, requests);
}

static void complete(const char *what) {
  int wrong = 0;
  MPI_Waitall(plans, requests, MPI_STATUSES_IGNORE);
  for (int p = 0; p < plans; ++p) {
    for (int i = 0; i < ranks * length; ++i) wrong += in[p][i] != (p * most_ranks + i / length) * most_ranks + rank;
  }
  print("%s: %d wrong\n", what, wrong);
}

int main(int argc, char **argv) {
  int message = 0;
  MPI_Request own;
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int p = 0; p < plans; ++p) {
    MPI_Alltoall_init(out[p], length, MPI_INT, in[p], length, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[p]);
  }
  const char *const names[] = {"recv", "wait", "probe", "ssend", "sendrecv"};
  for (int way = 0; way < 5; ++way) {
    start();
    if (rank == 0) { /* each of these ends when rank 1 has completed its plans */
      if (way == 1) MPI_Irecv(&message, 1, MPI_INT, 1, way, MPI_COMM_WORLD, &own);
      if (way == 1) MPI_Wait(&own, MPI_STATUS_IGNORE);
      if (way == 2) MPI_Probe(1, way, MPI_COMM_WORLD, &status);
      if (way == 0 || way == 2) MPI_Recv(&message, 1, MPI_INT, 1, way, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (way == 3) MPI_Ssend(&message, 1, MPI_INT, 1, way, MPI_COMM_WORLD);
      if (way == 4) {
        MPI_Sendrecv(&way, 1, MPI_INT, 1, way, &message, 1, MPI_INT, 1, way, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      }
    }
    complete(names[way]);
    if (rank == 1) {
      if (way != 3) MPI_Send(&way, 1, MPI_INT, 0, way, MPI_COMM_WORLD);
      if (way >= 3) MPI_Recv(&message, 1, MPI_INT, 0, way, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  }
  for (int p = 0; p < plans; ++p) MPI_Request_free(&requests[p]);
  print_all();
  MPI_Finalize();
  return 0;
}
