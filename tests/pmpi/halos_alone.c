/* Halos as PETSc has them: communicators with a topology that have calls that do not wait and no others, while the
 * collective calls of a solver are on another communicator of the same ranks. Some halos are under way across these;
 * ranks are late by turns; communicators are freed and made anew. */
#include <unistd.h>

#include "printed.h"

enum { graphs = 3, most = 40000, rounds = 400 };

static int rank, ranks, out[2 * most], in[2 * most];

typedef struct {
  MPI_Comm comm;
  int from, to, round, length;
  MPI_Request request;
  long wrong;
} Halo;

/* To the neighbour at that distance on a ring, from the one at the other side. */
static void make(Halo *halo, MPI_Comm of, int distance) {
  halo->to = (rank + distance) % ranks;
  halo->from = (rank + graphs * ranks - distance) % ranks;
  MPI_Dist_graph_create_adjacent(of, 1, &halo->from, MPI_UNWEIGHTED, 1, &halo->to, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                                 &halo->comm);
}

static int value_of(const Halo *halo, int from, int i) {
  return halo->round * 1000003 + from * 1009 + i;
}

static void start(Halo *halo, int round, int part) {
  const int zero = 0, *const at = &zero;
  halo->round = round;
  halo->length = round % 50 == 49 ? most : 1 + round * 7 % 300;
  for (int i = 0; i < halo->length; ++i) out[part * most + i] = value_of(halo, rank, i);
  MPI_Ineighbor_alltoallv(out + part * most, &halo->length, at, MPI_INT, in + part * most, &halo->length, at, MPI_INT,
                          halo->comm, &halo->request);
}

static void complete(Halo *halo, int part) {
  MPI_Wait(&halo->request, MPI_STATUS_IGNORE);
  for (int i = 0; i < halo->length; ++i) halo->wrong += in[part * most + i] != value_of(halo, halo->from, i);
}

static double sum(MPI_Comm comm, double value) {
  double all = 0;
  MPI_Allreduce(&value, &all, 1, MPI_DOUBLE, MPI_SUM, comm);
  return all;
}

int main(int argc, char **argv) {
  MPI_Comm solver;
  Halo halos[graphs] = {{.wrong = 0}};
  double total = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_dup(MPI_COMM_WORLD, &solver);
  for (int g = 0; g < graphs; ++g) make(&halos[g], solver, g + 1);
  for (int round = 0; round < rounds; ++round) {
    Halo *const one = &halos[round % graphs], *const other = &halos[(round + 1) % graphs];
    if (round % 37 == rank) usleep(2000);
    start(one, round, 0);
    if (round % 3 == 0) total += sum(solver, round); /* while it is under way */
    start(other, round, 1);
    complete(round % 2 ? one : other, round % 2 ? 0 : 1);
    total += sum(solver, 1);
    complete(round % 2 ? other : one, round % 2 ? 1 : 0);
    if (round % 150 == 149) {
      const long wrong = one->wrong;
      MPI_Comm_free(&one->comm);
      make(one, solver, 1);
      one->wrong = wrong;
    }
  }
  for (int g = 0; g < graphs; ++g) print("halos by graph %d: %ld wrong\n", g, halos[g].wrong);
  print("sum %.0f\n", total);
  for (int g = 0; g < graphs; ++g) MPI_Comm_free(&halos[g].comm);
  MPI_Comm_free(&solver);
  print_all();
  MPI_Finalize();
  return 0;
}
