// Gives the README's example of varying counts data: what 3 n + 1 modulo 101 leads to, from 5 on rank 0.
#include <vector>

#include "reach.hpp"

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const auto next = [](long n) { return (3 * n + 1) % 101; };
  std::set<long> expected;
  for (long n = next(5); expected.insert(n).second;) n = next(n);

  const std::set<long> known = reach(rank == 0 ? std::vector<long>{5} : std::vector<long>{}, next, MPI_COMM_WORLD);

  std::set<long> own;
  for (const long n : expected) {
    if (n % ranks == rank) own.insert(n);
  }
  if (known != own) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Finalize();
}
