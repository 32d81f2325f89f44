/* A rank that sits in a call of the MPI library's must keep what it has started moving: the other completes that before
 * it comes. Blocks are so long that their receivers take them out of the senders' memory. */
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

/* Each of these ends when rank 1 comes to it. */
static void messages(int way) {
  int message = 0;
  MPI_Request own;
  MPI_Status status;
  if (way == 1) MPI_Irecv(&message, 1, MPI_INT, 1, way, MPI_COMM_WORLD, &own);
  if (way == 1) MPI_Wait(&own, MPI_STATUS_IGNORE);
  if (way == 2) MPI_Probe(1, way, MPI_COMM_WORLD, &status);
  if (way == 0 || way == 2) MPI_Recv(&message, 1, MPI_INT, 1, way, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (way == 3) MPI_Ssend(&message, 1, MPI_INT, 1, way, MPI_COMM_WORLD);
  if (way == 4) {
    MPI_Sendrecv(&way, 1, MPI_INT, 1, way, &message, 1, MPI_INT, 1, way, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

static void answers(int way) {
  int message = 0;
  if (way != 3) MPI_Send(&way, 1, MPI_INT, 0, way, MPI_COMM_WORLD);
  if (way >= 3) MPI_Recv(&message, 1, MPI_INT, 0, way, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static MPI_Win window;

static void collective(int way) {
  int value = rank, sum = 0, pair[most_ranks] = {0}, pairs[most_ranks];
  MPI_Comm copy;
  MPI_Request plan;
  if (way == 0) MPI_Barrier(MPI_COMM_WORLD);
  if (way == 1) MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD);
  if (way == 2) MPI_Allreduce(&value, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (way == 3) MPI_Comm_dup(MPI_COMM_WORLD, &copy);
  if (way == 3) MPI_Comm_free(&copy);
  if (way == 4) MPI_Win_fence(0, window);
  if (way == 5) MPI_Alltoall(pair, 1, MPI_INT, pairs, 1, MPI_INT, MPI_COMM_WORLD);
  if (way == 6) {
    MPI_Alltoall_init(pair, 1, MPI_INT, pairs, 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &plan);
    MPI_Request_free(&plan);
  }
}

int main(int argc, char **argv) {
  const char *const kinds[] = {"recv", "wait", "probe", "ssend", "sendrecv"};
  const char *const collectives[] = {"barrier", "bcast", "allreduce", "comm_dup", "win_fence", "alltoall", "init"};
  int in_window = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Win_create(&in_window, sizeof in_window, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  for (int p = 0; p < plans; ++p) {
    MPI_Alltoall_init(out[p], length, MPI_INT, in[p], length, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[p]);
  }
  for (int way = 0; way < 5; ++way) {
    start();
    if (rank == 0) messages(way);
    complete(kinds[way]);
    if (rank == 1) answers(way);
  }
  for (int way = 0; way < 7; ++way) {
    start();
    if (rank == 0) collective(way);
    complete(collectives[way]);
    if (rank == 1) collective(way);
  }
  for (int p = 0; p < plans; ++p) MPI_Request_free(&requests[p]);
  MPI_Win_free(&window);
  print_all();
  MPI_Finalize();
  return 0;
}
