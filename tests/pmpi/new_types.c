/* At MPI_THREAD_MULTIPLE: threads that use a datatype for the first time at once, each on a communicator of its own. */
#include <pthread.h>

#include "printed.h"

enum { threads = 3, rounds = 150, types = 4, most_ranks = 4 };

static int rank, ranks;
static MPI_Datatype pairs[types]; /* an int of data in two */
static pthread_barrier_t barrier;

typedef struct {
  MPI_Comm comm;
  int number;
  long wrong;
} Work;

static void exchange(Work *work, int round, int which) {
  int out[2 * most_ranks], in[2 * most_ranks];
  for (int i = 0; i < 2 * ranks; ++i) {
    out[i] = i % 2 == 0 ? round * 100 + rank * 10 + i / 2 : -1;
    in[i] = -2;
  }
  MPI_Alltoall(out, 1, pairs[which], in, 1, pairs[which], work->comm);
  for (int i = 0; i < 2 * ranks; ++i) {
    work->wrong += in[i] != (i % 2 == 0 ? round * 100 + i / 2 * 10 + rank : -2);
  }
}

static void *run(void *argument) {
  Work *const work = argument;
  for (int round = 0; round < rounds; ++round) {
    if (work->number == 0) {
      for (int i = 0; i < types; ++i) {
        MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &pairs[i]);
        MPI_Type_commit(&pairs[i]);
      }
    }
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < types; ++i) exchange(work, round, i);
    pthread_barrier_wait(&barrier);
    if (work->number == 0) {
      for (int i = 0; i < types; ++i) MPI_Type_free(&pairs[i]);
    }
  }
  return NULL;
}

int main(int argc, char **argv) {
  int provided = 0;
  Work works[threads];
  pthread_t ids[threads];
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  pthread_barrier_init(&barrier, NULL, threads);
  for (int i = 0; i < threads; ++i) {
    works[i] = (Work){.number = i};
    MPI_Comm_dup(MPI_COMM_WORLD, &works[i].comm);
  }
  for (int i = 0; i < threads; ++i) pthread_create(&ids[i], NULL, run, &works[i]);
  for (int i = 0; i < threads; ++i) pthread_join(ids[i], NULL);
  for (int i = 0; i < threads; ++i) {
    print("thread %d: %ld wrong\n", i, works[i].wrong);
    MPI_Comm_free(&works[i].comm);
  }
  print_all();
  MPI_Finalize();
  return 0;
}
