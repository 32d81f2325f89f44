/* Persistent requests that are freed while their exchange is under way: it is completed by the calls that follow, with
 * its data, and nothing of it is left at the end. */
#include <time.h>

#include "persistent_calls.h"
#include "printed.h"

enum { most_ranks = 8, block = 4096, rounds = 20 };

static int out[most_ranks * block], in[most_ranks * block];
static int rank, ranks;

static void start_and_free(void) {
  MPI_Request request;
  MPI_Alltoall_init(out, block, MPI_INT, in, block, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  const struct timespec late = {0, 2000000};
  if (rank > 0) nanosleep(&late, NULL); /* the others have nothing of it when they free theirs */
  MPI_Start(&request);
  MPI_Request_free(&request);
}

static int count_wrong(int round) {
  int wrong = 0;
  for (int i = 0; i < ranks * block; ++i) wrong += in[i] == round * ranks + i / block ? 0 : 1;
  return wrong;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);

  int wrong = 0;
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < ranks * block; ++i) out[i] = round * ranks + rank;
    start_and_free();
    const struct timespec pause = {0, 100000};
    for (int look = 0; look < 10000 && count_wrong(round) > 0; ++look) {
      int flag = 0;
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
      nanosleep(&pause, NULL);
    }
    wrong += count_wrong(round);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  print("%d values wrong\n", wrong);

  print_all();
  MPI_Finalize();
  return 0;
}
