/* At MPI_THREAD_MULTIPLE: threads that make communicators for a few calls and free them, without regard to each other;
 * ranks free them sooner or later than others.
 * usage: short_lived_of_threads [ROUNDS] */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

#include "printed.h"

enum { threads = 3, most_ranks = 8, most_block = 2000 };

static int rank, ranks, rounds;

typedef struct {
  int number;
  unsigned drawn;
  MPI_Comm parent;
  int wrong;
  int out[most_ranks * most_block], in[most_ranks * most_block];
} Work;

static int value(const Work *work, int from, int to, int round, int i) {
  return (((round * threads + work->number) * most_ranks + from) * most_ranks + to) * 5 + i;
}

static void call(Work *work, MPI_Comm comm, int round) {
  int self, size, counts[most_ranks], at[most_ranks];
  MPI_Comm_rank(comm, &self);
  MPI_Comm_size(comm, &size);
  const int block = round % 7 == 0 ? most_block : 1 + round % 30;
  for (int to = 0; to < size; ++to) {
    counts[to] = block, at[to] = to * block;
    for (int i = 0; i < block; ++i) work->out[to * block + i] = value(work, self, to, round, i);
  }
  if (round % 3 == 0) {
    MPI_Request request;
    MPI_Ialltoall(work->out, block, MPI_INT, work->in, block, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (round % 3 == 1) {
    MPI_Alltoall(work->out, block, MPI_INT, work->in, block, MPI_INT, comm);
  } else {
    MPI_Alltoallv(work->out, counts, at, MPI_INT, work->in, counts, at, MPI_INT, comm);
  }
  for (int from = 0; from < size; ++from) {
    for (int i = 0; i < block; ++i) work->wrong += work->in[from * block + i] != value(work, from, self, round, i);
  }
}

/* Of this rank's own. */
static unsigned draw(Work *work, unsigned below) {
  work->drawn = work->drawn * 1664525U + 1013904223U;
  return (work->drawn >> 16) % below;
}

static void *run(void *argument) {
  Work *const work = argument;
  MPI_Comm late = MPI_COMM_NULL; /* one that is freed after others of its ranks have had calls */
  for (int round = 0; round < rounds; ++round) {
    MPI_Comm one, other;
    MPI_Comm_dup(work->parent, &one);
    for (int i = 0; i < 1 + round % 5; ++i) call(work, one, 10 * round + i);
    if (late != MPI_COMM_NULL) MPI_Comm_free(&late);
    MPI_Comm_split(work->parent, round % 4 == 0 ? rank / 2 : 0, round % 2 == 0 ? rank : -rank, &other);
    for (int i = 0; i < 1 + round % 4; ++i) call(work, other, 10 * round + 5 + i);
    if (draw(work, 2) == 0) {
      MPI_Comm_free(&other);
      call(work, one, 10 * round + 9);
    } else {
      call(work, one, 10 * round + 9);
      MPI_Comm_free(&other);
    }
    late = one;
  }
  MPI_Comm_free(&late);
  return NULL;
}

int main(int argc, char **argv) {
  static Work works[threads];
  pthread_t ids[threads];
  int provided = 0, wrong = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  if (provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  rounds = argc > 1 ? atoi(argv[1]) : 100;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < threads; ++i) {
    works[i].number = i;
    works[i].drawn = (unsigned)(17 + 101 * rank + i);
    MPI_Comm_dup(MPI_COMM_WORLD, &works[i].parent);
  }
  for (int i = 0; i < threads; ++i) pthread_create(&ids[i], NULL, run, &works[i]);
  for (int i = 0; i < threads; ++i) pthread_join(ids[i], NULL);
  for (int i = 0; i < threads; ++i) {
    wrong += works[i].wrong;
    MPI_Comm_free(&works[i].parent);
  }
  print("%d wrong\n", wrong);
  print_all();
  MPI_Finalize();
  return wrong != 0;
}
