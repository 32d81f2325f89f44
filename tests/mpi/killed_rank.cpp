// One rank is killed between a start and its end: with rondo_stall_timeout the others are told, and by whom they were
// let down. Not a GoogleTest program: MPI is of no use afterwards, so the ranks that live leave without finalizing.

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <rondo/rondo.hpp>
#include <string>
#include <vector>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const auto elements = static_cast<std::size_t>(ranks) * 1000;
  const std::vector<int> send(elements);
  std::vector<int> receive(elements);
  rondo::Request plan = rondo::alltoall_init<int, int>(send, receive, MPI_COMM_WORLD, {{"rondo_stall_timeout", "1.5"}});
  for (int start = 0; start < 3; ++start) plan.run();
  if (rank == 1) raise(SIGKILL);
  try {
    for (;;) plan.run();
  } catch (const rondo::Error &error) {
    std::printf("rank %d: code %d: %s\n", rank, error.code(), error.what());
    std::fflush(stdout);
  }
  _Exit(0);
}
