// Rank r sends p + 1 doubles, each r * 100 + p, to rank p; three times. Then a wrong count, as an exception.
#include <cstdio>
#include <numeric>
#include <rondo/rondo.hpp>
#include <vector>

namespace {

std::vector<int> displacements(const std::vector<int> &counts) {
  std::vector<int> places(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
  return places;
}

bool exchanges(int rank, int ranks) {
  std::vector<int> send_counts(ranks);
  std::iota(send_counts.begin(), send_counts.end(), 1);
  const std::vector<int> receive_counts(ranks, rank + 1);
  std::vector<double> send;
  for (int p = 0; p < ranks; ++p) send.insert(send.end(), p + 1, rank * 100 + p);
  std::vector<double> receive(static_cast<std::size_t>(ranks) * (rank + 1));
  auto request =
      rondo::alltoallv_init<double, double>({send, send_counts, displacements(send_counts)},
                                            {receive, receive_counts, displacements(receive_counts)}, MPI_COMM_WORLD);
  for (int times = 0; times < 3; ++times) {
    std::fill(receive.begin(), receive.end(), -1.0);
    request.run();
    for (std::size_t i = 0; i < receive.size(); ++i)
      if (receive[i] != static_cast<double>(i / (rank + 1)) * 100 + rank) return false;
  }
  return request.report().ranks == ranks;
}

bool refuses_a_negative_count(int ranks) {
  std::vector<double> data(ranks);
  const std::vector<int> ones(ranks, 1);
  const std::vector<int> wrong(ranks, -7);
  try {
    auto request = rondo::alltoallv_init<double, double>({data, wrong, displacements(ones)},
                                                         {data, ones, displacements(ones)}, MPI_COMM_WORLD);
  } catch (const rondo::CountError &error) {
    return error.value == -7;
  }
  return false;
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (!exchanges(rank, ranks)) MPI_Abort(MPI_COMM_WORLD, 3);
  if (!refuses_a_negative_count(ranks)) MPI_Abort(MPI_COMM_WORLD, 4);
  MPI_Finalize();
  if (rank == 0) std::printf("Rondo %s: received as sent\n", RONDO_Version());
}
