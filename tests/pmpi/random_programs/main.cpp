// Legal programs drawn at random, which know nothing of Rondo: see script.hpp. Each ends with the right data, or this
// one says which seed does not, and what every rank is doing.
//
// usage: pmpi_random_programs [--first SEED] [--programs COUNT] [--seconds LIMIT] [--threads COUNT] [--patience
// SECONDS]
//   [--most-bytes BYTES] [--algorithm NAME] [--no-persistent] [--persistent-only] [--no-hints] [--waits-only]
//   [--no-idle] [--no-gathers] [--once-neighbors] [--show]

#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "draw.hpp"
#include "run.hpp"
#include "script.hpp"
#include "watchdog.hpp"

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

Options options_of(int argc, char **argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] { return std::string(i + 1 < argc ? argv[++i] : "0"); };
    if (word == "--first") {
      options.first = std::stoull(value());
    } else if (word == "--programs") {
      options.programs = std::stol(value());
    } else if (word == "--seconds") {
      options.seconds = std::stod(value());
    } else if (word == "--threads") {
      options.threads = std::stoi(value());
    } else if (word == "--patience") {
      options.patience = static_cast<unsigned>(std::stoi(value()));
    } else if (word == "--most-bytes") {
      options.wishes.most_bytes = std::stoi(value());
    } else if (word == "--algorithm") {
      options.wishes.algorithm = value();
    } else if (word == "--no-persistent") {
      options.wishes.persistent = false;
    } else if (word == "--persistent-only") {
      options.wishes.not_persistent = false;
    } else if (word == "--no-hints") {
      options.wishes.hints = false;
    } else if (word == "--waits-only") {
      options.style.waits_only = true;
    } else if (word == "--no-idle") {
      options.style.no_idle = true;
    } else if (word == "--no-gathers") {
      options.wishes.gathers = false;
    } else if (word == "--once-neighbors") {
      options.wishes.twice_neighbors = false;
    } else if (word == "--show") {
      options.show = true;
    } else {
      std::fprintf(stderr, "there is no option %s\n", word.c_str());
      std::exit(2);
    }
  }
  return options;
}

// One program: a script for each thread, on communicators of its own.
void run_program(std::uint64_t seed, const Options &options) {
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  watch(rank, seed, options.patience);
  std::vector<Groups> groups;
  std::vector<Script> scripts;
  for (int thread = 0; thread < options.threads; ++thread) {
    groups.push_back(open_groups(mixed(seed, thread), options.wishes.twice_neighbors));
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
  Options options = options_of(argc, argv);
  options.wishes.any_thread = options.threads > 1;
  int provided = 0;
  MPI_Init_thread(&argc, &argv, options.threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
  if (options.threads > 1 && provided < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
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
