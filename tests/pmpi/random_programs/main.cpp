// Legal programs drawn at random, which know nothing of Rondo: see script.hpp. Each ends with the right data, or this
// one says which seed does not, and what every rank is doing.

#include <mpi.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "run.hpp"
#include "script.hpp"
#include "tests/pmpi/looked_at.hpp"
#include "tests/pmpi/repeated_neighbors.h"
#include "tests/random_programs/draw.hpp"
#include "tests/random_programs/watchdog.hpp"

namespace {

using namespace rondo::random_programs;

struct Options {
  std::uint64_t first = 1;
  long programs = 10;
  double seconds = 0;  // 0: as long as they take
  int threads = 1;
  unsigned patience = 60;
  bool show = false;
  Wishes wishes;
  Style style;
};

void read(Options &options, CLI::App &app) {
  app.add_option("--seed", options.first, "of the first program; each has one more than the one before it")
      ->capture_default_str();
  app.add_option("--programs", options.programs, "how many")->capture_default_str()->check(CLI::PositiveNumber);
  app.add_option("--threads", options.threads, "of each rank, each with programs of its own")
      ->capture_default_str()
      ->check(CLI::Range(1, 8));
  app.add_option("--seconds", options.patience, "that a program may take")->capture_default_str();
  app.add_option("--limit", options.seconds, "seconds after which no other program is begun; 0: none");
  app.add_flag("--show", options.show, "print what the programs do");
  // For narrowing down what fails.
  app.add_option("--most-bytes", options.wishes.most_bytes, "of a block");
  app.add_option("--algorithm", options.wishes.algorithm, "of all plans");
  app.add_flag("--persistent,!--no-persistent", options.wishes.persistent, "persistent exchanges");
  app.add_flag("--others,!--persistent-only", options.wishes.not_persistent, "exchanges that are not persistent");
  app.add_flag("--hints,!--no-hints", options.wishes.hints, "hints in an MPI_Info");
  app.add_flag("--gathers,!--no-gathers", options.wishes.gathers, "all-gathers");
  app.add_flag("--for-openmpi", options.wishes.for_openmpi, "without what Open MPI 4.1 gets wrong itself");
  app.add_flag("--waits-only", options.style.waits_only, "no tests");
  app.add_flag("--no-idle", options.style.no_idle, "no pauses");
}

// One program: a script for each thread, on communicators of its own.
void run_program(std::uint64_t seed, const Options &options) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  watch(rank, seed, options.patience);
  const bool twice = !options.wishes.for_openmpi && library_keeps_order_of_repeated_neighbors() != 0;
  std::vector<Groups> groups;
  std::vector<Script> scripts;
  for (int thread = 0; thread < options.threads; ++thread) {
    groups.push_back(open_groups(mixed(seed, thread), twice));
    scripts.push_back(write_script(mixed(seed, thread), ranks, options.wishes));
    for (int act = 0; options.show && rank == 0 && act < static_cast<int>(scripts.back().acts.size()); ++act) {
      std::printf("%s\n", to_string(scripts.back(), act).c_str());
    }
  }
  const auto run_thread = [&](int thread) {
    run(scripts[static_cast<std::size_t>(thread)], seed, groups[static_cast<std::size_t>(thread)], thread,
        options.style);
  };
  std::vector<std::thread> threads;
  for (int thread = 1; thread < options.threads; ++thread) threads.emplace_back(run_thread, thread);
  run_thread(0);
  for (std::thread &thread : threads) thread.join();
  for (Groups &of_thread : groups) close_groups(of_thread);
}

}  // namespace

int main(int argc, char **argv) {
  Options options;
  CLI::App app("Legal programs drawn at random, which know nothing of Rondo. Run it with the interposer preloaded.");
  read(options, app);
  CLI11_PARSE(app, argc, argv);
  options.wishes.any_thread = options.threads > 1;
  int provided = 0;
  MPI_Init_thread(&argc, &argv, options.threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  if (options.threads > 1 && provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  options.style.forgets_what_was_looked_at = library_forgets_what_was_looked_at() != 0;
  const auto begin = std::chrono::steady_clock::now();
  long done = 0;
  for (int goes_on = 1; goes_on != 0 && done < options.programs; ++done) {
    run_program(options.first + static_cast<std::uint64_t>(done), options);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (options.seconds > 0) goes_on = seconds < options.seconds ? 1 : 0;
    if (options.seconds > 0) MPI_Bcast(&goes_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
  }
  watch(rank, 0, options.patience);
  MPI_Finalize();
  watch(rank, 0, 0);
  if (rank == 0) std::printf("%ld programs have ended with the right data\n", done);
  return 0;
}
