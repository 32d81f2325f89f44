/* Gives the README's C example data: rank r sends one double r + 10 p to each rank p. */
#include <stdlib.h>

#include "exchange_c.h"

int main(int argc, char **argv) {
  enum { MAX_RANKS = 16 };
  int rank = 0, ranks = 0, counts[MAX_RANKS], displs[MAX_RANKS];
  double out[MAX_RANKS], in[MAX_RANKS];

  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks > MAX_RANKS) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int p = 0; p < ranks; p++) {
    counts[p] = 1;
    displs[p] = p;
    out[p] = rank + 10 * p;
    in[p] = -1;
  }

  if (exchange(out, counts, displs, in, counts, displs, MPI_COMM_WORLD, 3) != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, 2);

  for (int p = 0; p < ranks; p++)
    if (in[p] != p + 10 * rank) MPI_Abort(MPI_COMM_WORLD, 3);
  MPI_Finalize();
  return EXIT_SUCCESS;
}
