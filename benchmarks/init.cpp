// What an init costs: the first on a communicator, later ones of an exchange that is new to it, and of one that it has
// had; beside one exchange of the plan and one blocking MPI_Alltoallv. Microseconds: of the slowest rank, the median.
//
//   mpiexec -n RANKS benchmark_init [--json] [BYTES [TIMES]]

#include <fmt/format.h>
#include <mpi.h>
#include <rondo/rondo.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string_view>
#include <vector>

namespace {

constexpr int first_inits = 5;

struct Sides {
  std::vector<int> counts;
  std::vector<int> displacements;
  std::vector<char> sent;
  std::vector<char> received;
};

Sides sides_of(int ranks, int bytes) {
  Sides sides;
  sides.counts.assign(static_cast<std::size_t>(ranks), bytes);
  sides.displacements.resize(sides.counts.size());
  std::exclusive_scan(sides.counts.begin(), sides.counts.end(), sides.displacements.begin(), 0);
  sides.sent.resize(static_cast<std::size_t>(ranks) * static_cast<std::size_t>(bytes));
  sides.received.resize(sides.sent.size());
  return sides;
}

void check(int code) {
  if (code != MPI_SUCCESS) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

RONDO_Request planned(Sides &sides, MPI_Comm comm) {
  RONDO_Request request = RONDO_REQUEST_NULL;
  check(RONDO_Alltoallv_init(sides.sent.data(), sides.counts.data(), sides.displacements.data(), MPI_CHAR,
                             sides.received.data(), sides.counts.data(), sides.displacements.data(), MPI_CHAR, comm,
                             MPI_INFO_NULL, &request));
  return request;
}

void exchange(RONDO_Request &request) {
  check(RONDO_Start(&request));
  check(RONDO_Wait(&request, MPI_STATUS_IGNORE));
}

double timed(const std::function<void()> &work) {
  const double begin = MPI_Wtime();
  work();
  return (MPI_Wtime() - begin) * 1e6;
}

double median_of_slowest(std::vector<double> times) {
  MPI_Allreduce(MPI_IN_PLACE, times.data(), static_cast<int>(times.size()), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

// Each init is followed by an exchange and a free, as in a program.
double init_on(MPI_Comm comm, Sides &sides) {
  RONDO_Request request = RONDO_REQUEST_NULL;
  const double time = timed([&] { request = planned(sides, comm); });
  exchange(request);
  check(RONDO_Request_free(&request));
  return time;
}

double first_init(Sides &sides) {
  std::vector<double> times;
  for (int i = 0; i < first_inits; ++i) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Barrier(comm);
    times.push_back(init_on(comm, sides));
    MPI_Comm_free(&comm);
  }
  return median_of_slowest(times);
}

// Of so many exchanges in turn, each a byte longer than the one before: more than a communicator keeps, or one.
double later_init(int ranks, int bytes, int times, int exchanges) {
  std::vector<Sides> sides;
  for (int more = 0; more < exchanges; ++more) sides.push_back(sides_of(ranks, bytes + more));
  std::vector<double> measured;
  for (Sides &one : sides) init_on(MPI_COMM_WORLD, one);
  for (int i = 0; i < times; ++i) {
    measured.push_back(init_on(MPI_COMM_WORLD, sides[static_cast<std::size_t>(i % exchanges)]));
  }
  return median_of_slowest(measured);
}

double one_exchange(Sides &sides, int times) {
  constexpr int in_a_row = 10;
  RONDO_Request request = planned(sides, MPI_COMM_WORLD);
  std::vector<double> measured;
  for (int i = 0; i < times; ++i) {
    measured.push_back(timed([&] {
                         for (int k = 0; k < in_a_row; ++k) exchange(request);
                       }) /
                       in_a_row);
  }
  check(RONDO_Request_free(&request));
  return median_of_slowest(measured);
}

double one_blocking_call(Sides &sides) {
  std::vector<double> measured;
  for (int i = 0; i < first_inits; ++i) {
    measured.push_back(timed([&] {
      MPI_Alltoallv(sides.sent.data(), sides.counts.data(), sides.displacements.data(), MPI_CHAR, sides.received.data(),
                    sides.counts.data(), sides.displacements.data(), MPI_CHAR, MPI_COMM_WORLD);
    }));
  }
  return median_of_slowest(measured);
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const bool json = argc > 1 && std::string_view(argv[1]) == "--json";
  const int skip = json ? 2 : 1;
  const int bytes = argc > skip ? std::atoi(argv[skip]) : 8;
  const int times = argc > skip + 1 ? std::atoi(argv[skip + 1]) : 200;
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (bytes < 1 || times < 1) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);

  Sides sides = sides_of(ranks, bytes);
  const double first = first_init(sides);
  const double new_one = later_init(ranks, bytes, times, 6);
  const double again = later_init(ranks, bytes, times, 1);
  const double exchanged = one_exchange(sides, times);
  const double blocking = one_blocking_call(sides);

  if (rank == 0) {
    const auto line =
        json ? fmt::format(R"({{"ranks":{},"bytes":{},"first_us":{:.1f},"later_us":{:.2f},"reused_us":{:.2f},)"
                           R"("exchange_us":{:.3f},"mpi_alltoallv_us":{:.1f}}})",
                           ranks, bytes, first, new_one, again, exchanged, blocking)
             : fmt::format(
                   "{} ranks, {} B: first init {:.0f} us ({:.1f} MPI_Alltoallv of {:.1f} us), later {:.1f} us "
                   "({:.1f} exchanges of {:.3f} us), of an earlier exchange {:.1f} us ({:.1f})",
                   ranks, bytes, first, first / blocking, blocking, new_one, new_one / exchanged, exchanged, again,
                   again / exchanged);
    std::puts(line.c_str());
  }
  MPI_Finalize();
  return EXIT_SUCCESS;
}
