// What the interposer costs the calls that it does not take over, and gains in those that it does: each call by its
// MPI_ name, which the interposer has, and by the MPI library's own function, in short runs by turns.
//
//   mpiexec -n 2 env LD_PRELOAD=librondo_pmpi.so benchmark_interposer [RUNS]

#include <mpi_functions.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "pmpi/library_call.h"

namespace {

const auto library_test = LIBRARY_CALL(MPI_Test);
const auto library_start = LIBRARY_CALL(MPI_Start);
const auto library_wait = LIBRARY_CALL(MPI_Wait);
const auto library_waitall = LIBRARY_CALL(MPI_Waitall);
const auto library_alltoall = LIBRARY_CALL(MPI_Alltoall);
const auto library_alltoallv = LIBRARY_CALL(MPI_Alltoallv);

constexpr int calls_in_run = 200;

double median(std::vector<double> times) {
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

template <class Call>
double nanoseconds_a_call(Call &&call) {
  const double begin = MPI_Wtime();
  for (int i = 0; i < calls_in_run; ++i) call();
  return (MPI_Wtime() - begin) * 1e9 / calls_in_run;
}

// Prints the medians over the runs, of the rank that is slower in them.
template <class Interposed, class Native>
void compare(const char *what, int runs, Interposed &&interposed, Native &&native) {
  std::array<std::vector<double>, 2> times;
  for (int i = 0; i < 10; ++i) interposed();
  for (int run = 0; run < runs; ++run) {
    times[0].push_back(nanoseconds_a_call(interposed));
    times[1].push_back(nanoseconds_a_call(native));
  }
  std::array<double, 2> medians{median(times[0]), median(times[1])};
  MPI_Allreduce(MPI_IN_PLACE, medians.data(), 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != 0) return;
  std::printf("%-52s %9.1f %9.1f %+9.1f %8.2f\n", what, medians[0], medians[1], medians[0] - medians[1],
              medians[1] / medians[0]);
}

void compare_requests(const char *suffix, int runs) {
  int flag = 0;
  std::array<MPI_Request, 8> none;
  none.fill(MPI_REQUEST_NULL);
  std::array<MPI_Request, 8> own;
  for (MPI_Request &request : own) MPI_Recv_init(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request);
  char text[80];
  const auto name = [&](const char *what) {
    std::snprintf(text, sizeof(text), "%s%s", what, suffix);
    return text;
  };
  std::array<MPI_Status, 8> statuses;
  const auto start_wait = [&](auto start, auto wait) {
    start(own.data());
    wait(own.data(), MPI_STATUS_IGNORE);
  };
  compare(
      name("MPI_Test, null"), runs, [&] { MPI_Test(none.data(), &flag, MPI_STATUS_IGNORE); },
      [&] { library_test(none.data(), &flag, MPI_STATUS_IGNORE); });
  compare(
      name("MPI_Start and MPI_Wait, persistent"), runs, [&] { start_wait(MPI_Start, MPI_Wait); },
      [&] { start_wait(library_start, library_wait); });
  compare(
      name("MPI_Waitall, 8 inactive"), runs, [&] { MPI_Waitall(8, own.data(), statuses.data()); },
      [&] { library_waitall(8, own.data(), statuses.data()); });
  for (MPI_Request &request : own) MPI_Request_free(&request);
}

// A call of a kind that is taken over, on a communicator where it is not.
void compare_one_rank(int runs) {
  int out = 1;
  int in = 0;
  const auto by = [&](auto alltoall) { alltoall(&out, 1, MPI_INT, &in, 1, MPI_INT, MPI_COMM_SELF); };
  compare("MPI_Alltoall, 1 rank", runs, [&] { by(MPI_Alltoall); }, [&] { by(library_alltoall); });
}

void compare_alltoallv(int bytes, int runs) {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const auto size = static_cast<std::size_t>(ranks);
  std::vector<int> counts(size, bytes);
  std::vector<int> displs(size);
  for (std::size_t i = 0; i < size; ++i) displs[i] = static_cast<int>(i) * bytes;
  std::vector<char> out(size * static_cast<std::size_t>(bytes));
  std::vector<char> in(out.size());
  const auto by = [&](auto alltoallv) {
    alltoallv(out.data(), counts.data(), displs.data(), MPI_CHAR, in.data(), counts.data(), displs.data(), MPI_CHAR,
              MPI_COMM_WORLD);
  };
  char what[80];
  std::snprintf(what, sizeof(what), "MPI_Alltoallv, %d ranks, %d B", ranks, bytes);
  compare(what, runs, [&] { by(MPI_Alltoallv); }, [&] { by(library_alltoallv); });
}

MPI_Request some_plan(char *out, char *in) {
  MPI_Request request = MPI_REQUEST_NULL;
  RONDO_MPI_PERSISTENT(Alltoall_init)(out, 1, MPI_CHAR, in, 1, MPI_CHAR, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
  return request;
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int runs = argc > 1 ? std::atoi(argv[1]) : 200;
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (rank == 0) std::printf("%-52s %9s %9s %9s %8s\n", "ns a call", "MPI_", "library", "more", "speedup");
  compare_requests("", runs);
  std::vector<char> out(static_cast<std::size_t>(ranks));
  std::vector<char> in(out.size());
  MPI_Request plan = some_plan(out.data(), in.data());
  compare_requests(", while there is a plan", runs);
  MPI_Request_free(&plan);
  compare_one_rank(runs);
  for (const int bytes : {8, 64, 512, 4096, 16384, 65536})
    compare_alltoallv(bytes, std::max(1, runs / (1 + bytes / 4096)));
  MPI_Finalize();
}
