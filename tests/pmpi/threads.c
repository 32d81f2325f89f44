/* At MPI_THREAD_MULTIPLE: each thread with a communicator of its own, making plans, calling, waiting and exchanging
 * messages of the program's own at once. */
#include <pthread.h>

#include "persistent_calls.h"
#include "printed.h"

enum { threads = 3, rounds = 30, most_ranks = 8, length = 5 };

static int rank, ranks;

typedef struct {
  int number;
  MPI_Comm comm;
  int wrong;
} Work;

static int value(int from, int to, int round, int thread) {
  return ((thread * rounds + round) * most_ranks + from) * most_ranks + to;
}

static void check(Work *work, const int *in, int round) {
  for (int i = 0; i < ranks * length; ++i) {
    if (in[i] != value(i / length, rank, round, work->number)) ++work->wrong;
  }
}

static void fill(const Work *work, int *out, int *in, int round) {
  for (int i = 0; i < ranks * length; ++i) {
    out[i] = value(rank, i / length, round, work->number);
    in[i] = -1;
  }
}

static void *run(void *argument) {
  Work *const work = argument;
  int out[most_ranks * length], in[most_ranks * length], counts[most_ranks], displs[most_ranks], message = 0;
  for (int i = 0; i < ranks; ++i) {
    counts[i] = length;
    displs[i] = i * length;
  }
  MPI_Request persistent, both[2];
  MPI_Alltoallv_init(out, counts, displs, MPI_INT, in, counts, displs, MPI_INT, work->comm, MPI_INFO_NULL, &persistent);
  for (int round = 0; round < rounds; ++round) {
    fill(work, out, in, round);
    MPI_Alltoallv(out, counts, displs, MPI_INT, in, counts, displs, MPI_INT, work->comm);
    check(work, in, round);
    fill(work, out, in, round);
    MPI_Start(&persistent);
    MPI_Irecv(&message, 1, MPI_INT, (rank + ranks - 1) % ranks, 1, work->comm, &both[0]);
    MPI_Send(&round, 1, MPI_INT, (rank + 1) % ranks, 1, work->comm);
    both[1] = persistent;
    MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
    check(work, in, round);
    if (message != round) ++work->wrong;
    fill(work, out, in, round);
    MPI_Ialltoallv(out, counts, displs, MPI_INT, in, counts, displs, MPI_INT, work->comm, &both[0]);
    MPI_Wait(&both[0], MPI_STATUS_IGNORE);
    check(work, in, round);
  }
  MPI_Request_free(&persistent);
  return NULL;
}

int main(int argc, char **argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  Work works[threads];
  pthread_t ids[threads];
  for (int i = 0; i < threads; ++i) {
    works[i].number = i;
    works[i].wrong = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &works[i].comm);
  }
  for (int i = 0; i < threads; ++i) pthread_create(&ids[i], NULL, run, &works[i]);
  for (int i = 0; i < threads; ++i) pthread_join(ids[i], NULL);
  for (int i = 0; i < threads; ++i) {
    print("thread %d: %d wrong\n", i, works[i].wrong);
    MPI_Comm_free(&works[i].comm);
  }
  print_all();
  MPI_Finalize();
  return 0;
}
