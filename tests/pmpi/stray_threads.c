/* Calls in a thread of its own for each, which MPI_THREAD_FUNNELED does not allow and libraries do: on communicators
 * that the main thread has not used, and on one that it has. */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

#include "printed.h"

enum { block = 40, most_ranks = 8 };

static int rank, ranks, wrong;

struct call {
  MPI_Comm comm;
  int round;
};

static int value(int from, int to, int round, int i) {
  return ((round * most_ranks + from) * most_ranks + to) * block + i;
}

static void *exchange(void *given) {
  const struct call *call = given;
  static int out[most_ranks * block], in[most_ranks * block];
  for (int to = 0; to < ranks; ++to) {
    for (int i = 0; i < block; ++i) out[to * block + i] = value(rank, to, call->round, i);
  }
  MPI_Alltoall(out, block, MPI_INT, in, block, MPI_INT, call->comm);
  for (int from = 0; from < ranks; ++from) {
    for (int i = 0; i < block; ++i) wrong += in[from * block + i] != value(from, rank, call->round, i);
  }
  return NULL;
}

static void exchange_in_thread(struct call *call) {
  pthread_t thread;
  pthread_create(&thread, NULL, exchange, call);
  pthread_join(thread, NULL);
}

int main(int argc, char **argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int round = 0; round < 20; ++round) {
    struct call of_main = {MPI_COMM_WORLD, round}, stray;
    exchange(&of_main);
    stray.round = 100 + round;
    MPI_Comm_dup(MPI_COMM_WORLD, &stray.comm);
    for (int i = 0; i < 3; ++i) exchange_in_thread(&stray);
    exchange(&stray);
    exchange_in_thread(&of_main);
    MPI_Comm_free(&stray.comm);
  }
  print("%d wrong\n", wrong);
  print_all();
  MPI_Finalize();
  return wrong != 0;
}
