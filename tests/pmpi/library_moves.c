/* While a rank completes a call that does not wait, in whatever way, what else it has under way must go on: a long
 * message, a barrier that does not wait, an earlier call whose blocks are messages. The other ranks wait for these
 * before they come to the call. */
#include <unistd.h>

#include "printed.h"

enum { wait, test, waitall, testall, waitany, testany, waitsome, testsome, get_status, ways };
static const char *const names[ways] = {"wait",    "test",     "waitall",  "testall",   "waitany",
                                        "testany", "waitsome", "testsome", "get_status"};
enum { most_ranks = 4, long_bytes = 16 << 20 };

static int rank, ranks, wrong;
static int out[most_ranks], in[most_ranks];
static char long_out[most_ranks * long_bytes / 2], long_in[most_ranks * long_bytes / 2];

static MPI_Request begin(int round) {
  MPI_Request request;
  for (int i = 0; i < ranks; ++i) out[i] = 100 * round + 10 * rank + i;
  MPI_Ialltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD, &request);
  return request;
}

static void complete(MPI_Request request, int way, int round) {
  int done = 0, index, count = 0;
  MPI_Status status;
  if (way == waitall) MPI_Waitall(1, &request, &status);
  if (way == waitany) MPI_Waitany(1, &request, &index, &status);
  if (way == waitsome) MPI_Waitsome(1, &request, &count, &index, &status);
  while (way == test && !done) MPI_Test(&request, &done, &status);
  while (way == testall && !done) MPI_Testall(1, &request, &done, &status);
  while (way == testany && !done) MPI_Testany(1, &request, &index, &done, &status);
  while (way == testsome && count == 0) MPI_Testsome(1, &request, &count, &index, &status);
  while (way == get_status && !done) MPI_Request_get_status(request, &done, &status);
  if (way == wait || way == get_status) MPI_Wait(&request, &status);
  for (int i = 0; i < ranks; ++i) wrong += in[i] != 100 * round + 10 * i + rank;
}

static void with_message(int way) {
  MPI_Request own = MPI_REQUEST_NULL;
  if (rank == 0) MPI_Isend(long_out, long_bytes, MPI_CHAR, 1, way, MPI_COMM_WORLD, &own);
  if (rank == 1) MPI_Recv(long_in, long_bytes, MPI_CHAR, 0, way, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  complete(begin(1), rank == 0 ? way : wait, 1);
  MPI_Wait(&own, MPI_STATUS_IGNORE);
}

static void with_barrier(int way) {
  MPI_Request own;
  if (rank != 0) usleep(5000);
  MPI_Ibarrier(MPI_COMM_WORLD, &own);
  if (rank != 0) MPI_Wait(&own, MPI_STATUS_IGNORE);
  complete(begin(2), rank == 0 ? way : wait, 2);
  if (rank == 0) MPI_Wait(&own, MPI_STATUS_IGNORE);
}

static void with_long_call(int way) {
  MPI_Request own;
  MPI_Ialltoall(long_out, long_bytes / 2, MPI_CHAR, long_in, long_bytes / 2, MPI_CHAR, MPI_COMM_WORLD, &own);
  if (rank != 0) MPI_Wait(&own, MPI_STATUS_IGNORE);
  complete(begin(3), rank == 0 ? way : wait, 3);
  if (rank == 0) MPI_Wait(&own, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < 4; ++i) complete(begin(0), wait, 0);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int way = 0; way < ways; ++way) {
    with_message(way);
    with_barrier(way);
    with_long_call(way);
    print("%s: %d wrong\n", names[way], wrong);
  }
  print_all();
  MPI_Finalize();
  return wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
