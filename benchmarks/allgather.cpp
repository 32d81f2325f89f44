// Intergroup all-gathers of Rondo beside the MPI library's own, in one interleaved run.
//
//   mpiexec -n P benchmark_allgather [RANKS OF THE FIRST GROUP, half of them by default] [SECONDS A SIZE, 4]
//
// Every rank has as many bytes for the other group. A sample is the mean of a batch, on the slowest rank; what is
// printed is the median of the samples in microseconds, and how many times faster than the persistent call that is.

#include <fmt/format.h>
#include <mpi_functions.h>
#include <rondo/rondo.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace {

struct Data {
  Data(MPI_Comm comm, int bytes_of_each) : inter(comm), bytes(bytes_of_each) {
    int sources = 0;
    MPI_Comm_remote_size(comm, &sources);
    sent.resize(static_cast<std::size_t>(bytes));
    received.resize(static_cast<std::size_t>(bytes) * static_cast<std::size_t>(sources));
    counts.assign(static_cast<std::size_t>(sources), bytes);
    for (int source = 0; source < sources; ++source) displacements.push_back(source * bytes);
  }

  MPI_Comm inter;
  int bytes;
  std::vector<char> sent;
  std::vector<char> received;
  std::vector<int> counts;
  std::vector<int> displacements;
};

// Something that exchanges once; empty where it does not serve.
struct Contender {
  std::string name;
  std::function<void()> exchange;
  std::function<void()> free;
  std::vector<double> samples;
};

Contender persistent(Data &data) {
  auto request = std::make_shared<MPI_Request>();
  // The v form, as the other of MPICH 4.0 gathers wrongly between two groups.
  RONDO_MPI_PERSISTENT(Allgatherv_init)
  (data.sent.data(), data.bytes, MPI_CHAR, data.received.data(), data.counts.data(), data.displacements.data(),
   MPI_CHAR, data.inter, MPI_INFO_NULL, request.get());
  return {"MPI, persistent",
          [request] {
            MPI_Start(request.get());
            MPI_Wait(request.get(), MPI_STATUS_IGNORE);
          },
          [request] { MPI_Request_free(request.get()); },
          {}};
}

Contender blocking(Data &data) {
  return {"MPI, blocking",
          [&data] {
            MPI_Allgather(data.sent.data(), data.bytes, MPI_CHAR, data.received.data(), data.bytes, MPI_CHAR,
                          data.inter);
          },
          [] {},
          {}};
}

Contender rondo(Data &data, const char *algorithm, const char *radix, const char *wire) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  if (*algorithm != '\0') MPI_Info_set(info, "rondo_algorithm", algorithm);
  if (*radix != '\0') MPI_Info_set(info, "rondo_radix", radix);
  MPI_Info_set(info, "rondo_wire", wire);
  auto request = std::make_shared<RONDO_Request>();
  const int code = RONDO_Allgather_init(data.sent.data(), data.bytes, MPI_CHAR, data.received.data(), data.bytes,
                                        MPI_CHAR, data.inter, info, request.get());
  MPI_Info_free(&info);
  if (code != MPI_SUCCESS) {
    fmt::print(stderr, "{} is refused\n", algorithm);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  RONDO_Report report;
  RONDO_Request_report(*request, &report, sizeof(report));
  std::string name = fmt::format("{}{}, {}", *algorithm == '\0' ? "chosen: " : "", report.algorithm, report.wire);
  if (report.radix > 0) name = fmt::format("{}, radix {}", name, report.radix);
  return {name,
          [request] {
            RONDO_Start(request.get());
            RONDO_Wait(request.get(), MPI_STATUS_IGNORE);
          },
          [request] { RONDO_Request_free(request.get()); },
          {}};
}

double slowest(double seconds) {
  double most = 0;
  MPI_Allreduce(&seconds, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return most;
}

double time_of(const Contender &contender, int batch) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  for (int i = 0; i < batch; ++i) contender.exchange();
  return slowest((MPI_Wtime() - begin) / batch);
}

double median(std::vector<double> samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

void measure(MPI_Comm inter, int bytes, double seconds, bool prints) {
  Data data(inter, bytes);
  std::vector<Contender> contenders;
  contenders.push_back(persistent(data));
  contenders.push_back(blocking(data));
  contenders.push_back(rondo(data, "", "", "auto"));
  for (const char *wire : {"auto", "packed"}) {
    contenders.push_back(rondo(data, "root_gathering", "", wire));
    for (const char *radix : {"1", "2"}) {
      for (const char *algorithm : {"segmented", "balanced", "two_stage"}) {
        contenders.push_back(rondo(data, algorithm, radix, wire));
      }
    }
  }
  std::vector<int> batches;
  for (const Contender &contender : contenders) {
    const double once = std::max(time_of(contender, 3), time_of(contender, 3));
    batches.push_back(std::clamp(static_cast<int>(200e-6 / once), 5, 1000));
  }
  const double begin = MPI_Wtime();
  do {
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      contenders[i].samples.push_back(time_of(contenders[i], batches[i]));
    }
  } while (slowest(MPI_Wtime() - begin) < seconds || contenders.front().samples.size() < 5);
  const double base = median(contenders.front().samples);
  for (Contender &contender : contenders) {
    const double time = median(contender.samples);
    if (prints) {
      fmt::print("{:>9}  {:<44} {:>10.2f} {:>8.2f}x  {:>5} samples\n", bytes, contender.name, time * 1e6, base / time,
                 contender.samples.size());
    }
    contender.free();
  }
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int first = argc > 1 ? std::atoi(argv[1]) : ranks / 2;
  const double seconds = argc > 2 ? std::atof(argv[2]) : 4;
  if (first < 1 || first >= ranks) {
    if (rank == 0) fmt::print(stderr, "{} ranks cannot be a group of {} ranks and another\n", ranks, first);
    MPI_Finalize();
    return 2;
  }
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm inter = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank < first ? 0 : 1, rank, &own);
  MPI_Intercomm_create(own, 0, MPI_COMM_WORLD, rank < first ? first : 0, 1, &inter);
  if (rank == 0) {
    fmt::print("groups of {} and {} ranks; microseconds, and how many times faster than MPI's persistent call\n", first,
               ranks - first);
  }
  for (const int bytes : {8, 1024, 65536, 1048576}) measure(inter, bytes, seconds, rank == 0);
  MPI_Comm_free(&inter);
  MPI_Comm_free(&own);
  MPI_Finalize();
  return 0;
}
