/* Persistent all-gathers and all-to-alls, in one group and between two, and all-to-alls that are not persistent. */
#include "persistent_calls.h"
#include "printed.h"

enum { most_ranks = 8, most = 5, rounds = 4 };

static int value(int source, int round, int i) {
  return (round * most_ranks + source) * most + i;
}

/* `sources` are ranks of MPI_COMM_WORLD, in the order of the group that is received from. */
static void gather(const char *name, MPI_Comm comm, const int *sources, int count, int varied) {
  int rank, out[most], in[most_ranks * most], counts[most_ranks], displs[most_ranks], wrong = 0, own = 2;
  MPI_Request request;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < count; ++i) {
    counts[i] = 1 + sources[i] % most;
    displs[i] = i * most;
  }
  if (varied) {
    own = 1 + rank % most;
    MPI_Allgatherv_init(out, own, MPI_INT, in, counts, displs, MPI_INT, comm, MPI_INFO_NULL, &request);
  } else {
    MPI_Allgather_init(out, own, MPI_INT, in, 2, MPI_INT, comm, MPI_INFO_NULL, &request);
  }
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < own; ++i) out[i] = value(rank, round, i);
    memset(in, -1, sizeof(in));
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; ++i) {
      const int length = varied ? counts[i] : 2, begin = varied ? displs[i] : 2 * i;
      for (int k = 0; k < length; ++k) wrong += in[begin + k] != value(sources[i], round, k);
    }
  }
  MPI_Request_free(&request);
  print("%s%s: %d wrong\n", name, varied ? ", of several sizes" : "", wrong);
}

/* The rank of MPI_COMM_WORLD with the number s sends s % most + 1 elements to each. */
static void exchange(const char *name, MPI_Comm comm, const int *peers, int count, int varied) {
  int rank, out[most_ranks * most], in[most_ranks * most], wrong = 0;
  int sent[most_ranks], received[most_ranks], displs[most_ranks];
  MPI_Request request;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < count; ++i) {
    sent[i] = varied ? 1 + rank % most : most;
    received[i] = varied ? 1 + peers[i] % most : most;
    displs[i] = i * most;
  }
  if (varied) {
    MPI_Alltoallv_init(out, sent, displs, MPI_INT, in, received, displs, MPI_INT, comm, MPI_INFO_NULL, &request);
  } else {
    MPI_Alltoall_init(out, most, MPI_INT, in, most, MPI_INT, comm, MPI_INFO_NULL, &request);
  }
  for (int round = 0; round < rounds; ++round) {
    for (int i = 0; i < count; ++i) {
      for (int k = 0; k < most; ++k) out[displs[i] + k] = value(rank, round, k) + 1000 * peers[i];
    }
    memset(in, -1, sizeof(in));
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < count; ++i) {
      for (int k = 0; k < most; ++k) {
        const int expected = k < received[i] ? value(peers[i], round, k) + 1000 * rank : -1;
        wrong += in[displs[i] + k] != expected;
      }
    }
  }
  MPI_Request_free(&request);
  print("%s%s, exchanged: %d wrong\n", name, varied ? ", of several sizes" : "", wrong);
}

typedef enum { alltoall, alltoallv, alltoallw, ialltoallv, kinds } Kind;
static const char *const names[kinds] = {"alltoall", "alltoallv", "alltoallw", "ialltoallv"};

/* What the two send each other in a round is known to both. */
static int count_of(Kind kind, int from, int to, int round) {
  return kind == alltoall ? 1 + round % most : (3 * from + to + round) % (most + 1);
}

static void call(Kind kind, MPI_Comm comm, const int *peers, int count) {
  int rank, out[most_ranks * most], in[most_ranks * most], wrong = 0;
  int sent[most_ranks], received[most_ranks], displs[most_ranks], bytes[most_ranks];
  MPI_Datatype types[most_ranks];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int round = 0; round < 3 * rounds; ++round) {
    for (int i = 0; i < count; ++i) {
      sent[i] = count_of(kind, rank, peers[i], round);
      received[i] = count_of(kind, peers[i], rank, round);
      displs[i] = i * (kind == alltoall ? sent[i] : most);
      bytes[i] = displs[i] * (int)sizeof(int);
      types[i] = MPI_INT;
      for (int k = 0; k < sent[i]; ++k) out[displs[i] + k] = value(rank, round, k) + 1000 * peers[i];
    }
    memset(in, -1, sizeof(in));
    if (kind == alltoall) {
      MPI_Alltoall(out, sent[0], MPI_INT, in, received[0], MPI_INT, comm);
    } else if (kind == alltoallv) {
      MPI_Alltoallv(out, sent, displs, MPI_INT, in, received, displs, MPI_INT, comm);
    } else if (kind == alltoallw) {
      MPI_Alltoallw(out, sent, bytes, types, in, received, bytes, types, comm);
    } else {
      MPI_Request request;
      MPI_Ialltoallv(out, sent, displs, MPI_INT, in, received, displs, MPI_INT, comm, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < count; ++i) {
      for (int k = 0; k < received[i]; ++k) {
        wrong += in[displs[i] + k] != value(peers[i], round, k) + 1000 * rank;
      }
    }
  }
  print("two groups, %s: %d wrong\n", names[kind], wrong);
}

int main(int argc, char **argv) {
  int rank, ranks, everyone[most_ranks], others[most_ranks], count = 0;
  MPI_Comm half, inter;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  for (int i = 0; i < ranks; ++i) {
    everyone[i] = i;
    if (i % 2 != rank % 2) others[count++] = i;
  }
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 7, &inter);
  gather("one group", MPI_COMM_WORLD, everyone, ranks, 0);
  gather("one group", MPI_COMM_WORLD, everyone, ranks, 1);
  gather("two groups", inter, others, count, 0);
  gather("two groups", inter, others, count, 1);
  exchange("two groups", inter, others, count, 0);
  exchange("two groups", inter, others, count, 1);
  for (int kind = 0; kind < kinds; ++kind) call((Kind)kind, inter, others, count);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
  print_all();
  MPI_Finalize();
  return 0;
}
