// Gives the README's C++ example data: rank r sends one double r + 10 p to each rank p.
#include <numeric>
#include <vector>

#include "exchange_cpp.hpp"

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::vector<int> counts(ranks, 1);
  std::vector<int> displacements(ranks);
  std::iota(displacements.begin(), displacements.end(), 0);
  std::vector<double> out(ranks);
  for (int p = 0; p < ranks; ++p) out[p] = rank + 10 * p;
  std::vector<double> in(ranks, -1.0);

  exchange({out, counts, displacements}, {in, counts, displacements}, MPI_COMM_WORLD, 3);

  for (int p = 0; p < ranks; ++p)
    if (in[p] != p + 10 * rank) MPI_Abort(MPI_COMM_WORLD, 3);
  MPI_Finalize();
}
