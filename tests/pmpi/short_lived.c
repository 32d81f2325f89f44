/* Communicators that are made for a few calls and freed, of ranks that have had others: the same ranks, some of them,
 * in another order, with neighbours; calls that do not wait on several of them, started in another order on each rank.
 * usage: short_lived [ROUNDS], or short_lived --times COMMUNICATORS, to see how long one takes that has three calls. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "printed.h"

enum { most_ranks = 8, most_block = 3000 };

static int rank, ranks, wrong;
static int out[most_ranks * most_block], in[most_ranks * most_block];

static int value(int from, int to, int round, int i) {
  return ((round * most_ranks + from) * most_ranks + to) * 7 + i;
}

static void fill(int self, int size, int block, int round) {
  for (int to = 0; to < size; ++to) {
    for (int i = 0; i < block; ++i) out[to * block + i] = value(self, to, round, i);
  }
  memset(in, 255, sizeof(in));
}

static void look(int self, int size, int block, int round) {
  for (int from = 0; from < size; ++from) {
    for (int i = 0; i < block; ++i) wrong += in[from * block + i] != value(from, self, round, i);
  }
}

static void calls(MPI_Comm comm, int count, int round) {
  int self, size, counts[most_ranks], at[most_ranks];
  MPI_Comm_rank(comm, &self);
  MPI_Comm_size(comm, &size);
  for (int i = 0; i < count; ++i) {
    const int block = (round + i) % 5 == 0 ? most_block : 1 + (round * 13 + i) % 40;
    fill(self, size, block, round + i);
    if ((round + i) % 2 == 0) {
      MPI_Alltoall(out, block, MPI_INT, in, block, MPI_INT, comm);
    } else {
      for (int to = 0; to < size; ++to) counts[to] = block, at[to] = to * block;
      MPI_Alltoallv(out, counts, at, MPI_INT, in, counts, at, MPI_INT, comm);
    }
    look(self, size, block, round + i);
  }
}

static void neighbors(MPI_Comm parent, int round) {
  MPI_Comm ring;
  const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  const int sources[1] = {round % 2 == 0 ? before : next}, destinations[1] = {round % 2 == 0 ? next : before};
  MPI_Dist_graph_create_adjacent(parent, 1, sources, MPI_UNWEIGHTED, 1, destinations, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &ring);
  for (int i = 0; i < 2; ++i) {
    int sent = 100 * rank + round + i, received = -1;
    MPI_Neighbor_alltoall(&sent, 1, MPI_INT, &received, 1, MPI_INT, ring);
    wrong += received != 100 * sources[0] + round + i;
  }
  MPI_Comm_free(&ring);
}

/* Two calls that do not wait on two communicators of the same ranks, one of which each half of the ranks starts first,
 * with calls that wait between them. */
static void crossing(int round) {
  MPI_Comm comms[2];
  MPI_Request requests[2];
  static int sent[2][most_ranks], received[2][most_ranks];
  for (int i = 0; i < 2; ++i) {
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    calls(comms[i], 1, round + i);
  }
  for (int i = 0; i < 2; ++i) {
    const int which = rank % 2 == 0 ? i : 1 - i;
    for (int to = 0; to < ranks; ++to) sent[which][to] = value(rank, to, which, round);
    MPI_Ialltoall(sent[which], 1, MPI_INT, received[which], 1, MPI_INT, comms[which], &requests[which]);
  }
  calls(MPI_COMM_WORLD, 1, round);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < 2; ++i) {
    for (int from = 0; from < ranks; ++from) wrong += received[i][from] != value(from, rank, i, round);
    MPI_Comm_free(&comms[i]);
  }
}

static long resident(void) {
  FILE *file = fopen("/proc/self/statm", "r");
  long pages = 0, shared = 0;
  if (file == NULL || fscanf(file, "%*d %ld %ld", &pages, &shared) != 2) abort();
  fclose(file);
  return pages;
}

/* Of so many communicators, one after the other. */
static void times(int count) {
  static const char *const makers[] = {"dup", "split", "dist_graph"};
  const int neighbor = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  for (int maker = 0; maker < 3; ++maker) {
    double seconds[3] = {0, 0, 0};
    long half = 0;
    for (int i = 0; i < count; ++i) {
      MPI_Comm comm = MPI_COMM_NULL;
      const double begin = MPI_Wtime();
      if (maker == 0) MPI_Comm_dup(MPI_COMM_WORLD, &comm);
      if (maker == 1) MPI_Comm_split(MPI_COMM_WORLD, 0, rank, &comm);
      if (maker == 2) {
        MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &neighbor, MPI_UNWEIGHTED,
                                       MPI_INFO_NULL, 0, &comm);
      }
      const double made = MPI_Wtime();
      for (int call = 0; call < 3; ++call) {
        for (int to = 0; to < ranks; ++to) out[to] = value(rank, to, i + call, 0);
        if (maker < 2) MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, comm);
        if (maker < 2) look(rank, ranks, 1, i + call);
        if (maker == 2) MPI_Neighbor_alltoall(&out[neighbor], 1, MPI_INT, in, 1, MPI_INT, comm);
        if (maker == 2) wrong += in[0] != value(before, rank, i + call, 0);
      }
      const double used = MPI_Wtime();
      MPI_Comm_free(&comm);
      seconds[0] += made - begin;
      seconds[1] += used - made;
      seconds[2] += MPI_Wtime() - used;
      if (i == count / 2) half = resident();
    }
    if (rank == 0) {
      printf("%-10s %6.2f us: made in %.2f, three calls %.2f, freed in %.2f; %ld pages more in the second half\n",
             makers[maker], 1e6 * (seconds[0] + seconds[1] + seconds[2]) / count, 1e6 * seconds[0] / count,
             1e6 * seconds[1] / count, 1e6 * seconds[2] / count, resident() - half);
    }
  }
}

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 100;
  MPI_Comm kept, some;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (argc > 2 && strcmp(argv[1], "--times") == 0) {
    times(atoi(argv[2]));
    MPI_Finalize();
    return wrong != 0;
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &kept);
  long before = 0;
  for (int round = 0; round < rounds; ++round) {
    MPI_Comm_dup(MPI_COMM_WORLD, &some);
    calls(some, 3, round);
    MPI_Comm_free(&some);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &some); /* the other way round */
    calls(some, 2, round);
    calls(kept, 1, round);
    MPI_Comm_free(&some);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &some);
    calls(some, 2, round);
    neighbors(kept, round);
    MPI_Comm_free(&some);
    crossing(round);
    if (round == rounds / 2) before = resident();
  }
  const long grown = resident() - before;
  print("%d wrong, %s\n", wrong, grown < 256 ? "nothing grows" : "memory grows");
  MPI_Comm_free(&kept);
  print_all();
  MPI_Finalize();
  return wrong != 0;
}
