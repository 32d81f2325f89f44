#include "cli/init_cost.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <rondo/rondo.hpp>
#include <vector>

#include "cli/figure.hpp"
#include "cli/mpi_session.hpp"
#include "cli/quantiles.hpp"
#include "rondo/rondo.h"

namespace rondo::internal::cli {

namespace {

// One exchange in which all blocks have the same size.
class Blocks {
 public:
  Blocks(int ranks, std::int64_t bytes) : counts_(ranks, static_cast<int>(bytes)), displacements_(ranks) {
    std::exclusive_scan(counts_.begin(), counts_.end(), displacements_.begin(), 0);
    sent_.resize(ranks * bytes);
    received_.resize(ranks * bytes);
  }

  RONDO_Request init(MPI_Comm comm) {
    RONDO_Request request = RONDO_REQUEST_NULL;
    rondo::detail::check(RONDO_Alltoallv_init(sent_.data(), counts_.data(), displacements_.data(), MPI_CHAR,
                                              received_.data(), counts_.data(), displacements_.data(), MPI_CHAR, comm,
                                              MPI_INFO_NULL, &request));
    return request;
  }
  void call() {
    MPI_Alltoallv(sent_.data(), counts_.data(), displacements_.data(), MPI_CHAR, received_.data(), counts_.data(),
                  displacements_.data(), MPI_CHAR, MPI_COMM_WORLD);
  }

 private:
  std::vector<int> counts_;
  std::vector<int> displacements_;
  std::vector<char> sent_;
  std::vector<char> received_;
};

// On this rank, which begins when it comes: a barrier would let ranks that outnumber the cores begin at very different
// times.
template <class Work>
double microseconds_of(Work &&work) {
  const double begin = MPI_Wtime();
  work();
  return (MPI_Wtime() - begin) * 1e6;
}

double median_of_slowest(std::vector<double> times) {
  MPI_Allreduce(MPI_IN_PLACE, times.data(), static_cast<int>(times.size()), MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return quantiles(std::move(times)).median;
}

// The time of the init alone.
double init_on(MPI_Comm comm, Blocks &blocks) {
  RONDO_Request made = RONDO_REQUEST_NULL;
  const double time = microseconds_of([&] { made = blocks.init(comm); });
  rondo::Request request(made);
  request.run();
  return time;
}

// As often, or as often as there is time for; at least twice. Between the samples there is nothing collective but what
// they do themselves: where ranks outnumber cores, calls of the MPI library let them go on at very different times.
template <class Sample>
std::vector<double> samples(int times, double end, Sample &&sample) {
  constexpr int pilots = 2;
  std::vector<double> measured;
  const double begin = MPI_Wtime();
  for (int i = 0; i < pilots; ++i) measured.push_back(sample(i));
  const double now = MPI_Wtime();
  double more = std::clamp((end - now) / std::max(1e-9, (now - begin) / pilots), 0.0, static_cast<double>(times));
  MPI_Bcast(&more, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (more >= pilots) measured.clear();
  for (int i = 0; i < static_cast<int>(more); ++i) measured.push_back(sample(i));
  return measured;
}

// While one lives, communicators share what their ranks know, or each is for itself.
class KnownRanks {
 public:
  explicit KnownRanks(bool known) { setenv(variable, known ? "1" : "0", 1); }
  ~KnownRanks() { unsetenv(variable); }
  KnownRanks(const KnownRanks &) = delete;
  KnownRanks &operator=(const KnownRanks &) = delete;

 private:
  static constexpr const char *variable = "RONDO_KNOWN_RANKS";
};

std::vector<double> first_inits(Blocks &blocks, bool known, int most, double end) {
  const KnownRanks ranks(known);
  if (known) init_on(MPI_COMM_WORLD, blocks);
  return samples(most, end, [&](int) {
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Barrier(comm);
    const double time = init_on(comm, blocks);
    MPI_Comm_free(&comm);
    return time;
  });
}

// Of so many exchanges in turn, each a byte longer than the one before.
std::vector<double> later_inits(int ranks, std::int64_t bytes, int exchanges, int times, double end) {
  std::vector<Blocks> blocks;
  for (int more = 0; more < exchanges; ++more) blocks.emplace_back(ranks, bytes + more);
  for (Blocks &one : blocks) init_on(MPI_COMM_WORLD, one);
  return samples(times, end, [&](int i) { return init_on(MPI_COMM_WORLD, blocks[i % exchanges]); });
}

std::vector<double> exchanges(Blocks &blocks, int times, double end) {
  constexpr int batch = 10;
  rondo::Request request(blocks.init(MPI_COMM_WORLD));
  return samples(times, end, [&](int) {
    return microseconds_of([&] {
             for (int i = 0; i < batch; ++i) request.run();
           }) /
           batch;
  });
}

std::vector<double> blocking_calls(Blocks &blocks, double end) {
  constexpr int most = 20;
  return samples(most, end, [&](int) { return microseconds_of([&] { blocks.call(); }); });
}

}  // namespace

InitCost measure_inits(std::int64_t bytes, int repetitions, double end) {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  constexpr int more_than_are_kept = 6;
  Blocks blocks(ranks, bytes);
  InitCost cost{.bytes = bytes};
  constexpr int most_first = 5;
  cost.first = median_of_slowest(first_inits(blocks, false, most_first, end));
  cost.further = median_of_slowest(first_inits(blocks, true, repetitions, end));
  const std::vector<double> later = later_inits(ranks, bytes, more_than_are_kept, repetitions, end);
  cost.samples = static_cast<int>(later.size());
  cost.later = median_of_slowest(later);
  cost.again = median_of_slowest(later_inits(ranks, bytes, 1, repetitions, end));
  cost.exchange = median_of_slowest(exchanges(blocks, repetitions, end));
  cost.blocking = median_of_slowest(blocking_calls(blocks, end));
  return cost;
}

std::string init_table(std::span<const InitCost> costs) {
  std::string text =
      fmt::format("{:>8} {:>10} {:>8} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10} {:>14}\n", "bytes", "first", "calls",
                  "further", "new", "exchanges", "again", "exchanges", "exchange", "MPI_Alltoallv");
  for (const InitCost &cost : costs) {
    text += fmt::format("{:>8} {:>10} {:>8.1f} {:>10} {:>10} {:>10.1f} {:>10} {:>10.1f} {:>10} {:>14}\n", cost.bytes,
                        figure(cost.first), cost.first / cost.blocking, figure(cost.further), figure(cost.later),
                        cost.later / cost.exchange, figure(cost.again), cost.again / cost.exchange,
                        figure(cost.exchange), figure(cost.blocking));
  }
  return text +
         "  first: init on a communicator of ranks without plans, also as so many calls of MPI_Alltoallv; further: on "
         "a new one\n  of ranks with plans; new: later ones of an exchange that the ranks have not had lately, again: "
         "of one that they have\n  had, also as so many exchanges of the plan\n";
}

nlohmann::ordered_json init_json(const BenchReport &report, std::span<const InitCost> costs) {
  nlohmann::ordered_json json = origin_json(report);
  json["inits"] = nlohmann::ordered_json::array();
  for (const InitCost &cost : costs) {
    json["inits"].push_back({{"bytes", cost.bytes},
                             {"samples", cost.samples},
                             {"first_us", cost.first},
                             {"further_us", cost.further},
                             {"new_us", cost.later},
                             {"again_us", cost.again},
                             {"exchange_us", cost.exchange},
                             {"mpi_alltoallv_us", cost.blocking}});
  }
  return json;
}

}  // namespace rondo::internal::cli
