// Random legal programs: several plans of any kind on several communicators, which each rank starts, tests, completes,
// rebinds and frees in an order of its own, between messages, collectives and probes of its own. All of them must end,
// with the right data. --help tells how to run one again.

#include <mpi.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <optional>
#include <thread>
#include <vector>

#include "tests/mpi/random_programs/communicators.hpp"
#include "tests/mpi/random_programs/traveller.hpp"
#include "tests/random_programs/watchdog.hpp"

namespace rondo::random_programs {

namespace {

struct Options {
  std::uint64_t seed = 0;
  int programs = 200;
  int threads = 1;
  unsigned seconds = 120;
};

// Communicators and types live for some programs, as to make them costs more than to run most programs.
constexpr int programs_on_one_set = 25;

void run(const Options &options, int thread, MPI_Comm base) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(base, &rank);
  MPI_Comm_size(base, &ranks);
  Doing &doing = doing_of(thread);
  const Types types;
  std::optional<Communicators> communicators;
  for (int i = 0; i < options.programs; ++i) {
    const std::uint64_t seed = options.seed + static_cast<std::uint64_t>(i);
    const std::uint64_t own = options.threads == 1 ? seed : mixed(seed, thread);
    watch(rank, seed, options.seconds);
    if (!communicators) {
      doing.now("making communicators");
      communicators.emplace(base, own);
    }
    const Program program = draw_program(own, ranks, options.threads > 1);
    {
      Traveller traveller(program, *communicators, types, base, doing);
      traveller.go();
    }
    if ((i + 1) % programs_on_one_set == 0) communicators.reset();
  }
  doing.now("done");
}

std::uint64_t seed_of_clock() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::milliseconds>(now).count()) % 1'000'000'000;
}

// Open MPI 4.1 sets up its topologies in the first call that needs them, without a lock: two threads that make a graph
// at once can crash there.
void make_first_graph() {
  MPI_Comm graph = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(MPI_COMM_SELF, 0, nullptr, MPI_UNWEIGHTED, 0, nullptr, MPI_UNWEIGHTED, MPI_INFO_NULL,
                                 0, &graph);
  MPI_Comm_free(&graph);
}

void run_all(const Options &options) {
  if (options.threads > 1) make_first_graph();
  std::vector<MPI_Comm> bases(static_cast<std::size_t>(options.threads));
  for (MPI_Comm &base : bases) MPI_Comm_dup(MPI_COMM_WORLD, &base);
  std::vector<std::thread> threads;
  for (int thread = 1; thread < options.threads; ++thread) {
    threads.emplace_back([&, thread] { run(options, thread, bases[static_cast<std::size_t>(thread)]); });
  }
  run(options, 0, bases.front());
  for (std::thread &thread : threads) thread.join();
  watch(0, 0, 0);
  for (MPI_Comm &base : bases) MPI_Comm_free(&base);
}

}  // namespace

}  // namespace rondo::random_programs

int main(int argc, char **argv) {
  using namespace rondo::random_programs;
  Options options;
  std::optional<std::uint64_t> seed;
  CLI::App app(
      "Runs random legal programs. Each has a seed of its own, one more than that of the program before it; "
      "on failure it is told, and `--seed THAT --programs 1` runs that program alone.");
  app.add_option("--programs", options.programs, "how many")->capture_default_str()->check(CLI::PositiveNumber);
  app.add_option("--seed", seed, "of the first program; without it another one each time");
  app.add_option("--threads", options.threads, "of each rank, each with programs of its own")
      ->capture_default_str()
      ->check(CLI::Range(1, 8));
  app.add_option("--seconds", options.seconds, "that a program may take")->capture_default_str();
  CLI11_PARSE(app, argc, argv);

  int given = MPI_THREAD_SINGLE;
  MPI_Init_thread(&argc, &argv, options.threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED, &given);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  options.seed = seed.value_or(seed_of_clock());
  MPI_Bcast(&options.seed, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  run_all(options);
  if (rank == 0) {
    std::printf("%d random programs on %d ranks, %d thread%s each, from seed %llu on: all ended with the right data\n",
                options.programs, ranks, options.threads, options.threads == 1 ? "" : "s",
                static_cast<unsigned long long>(options.seed));
  }
  MPI_Finalize();
  return 0;
}
