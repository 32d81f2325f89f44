#include "pmpi/world.hpp"

#include <mpi.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "pmpi/blocked.hpp"
#include "pmpi/communicator.hpp"
#include "pmpi/next.hpp"
#include "pmpi/other_mpi.hpp"
#include "pmpi/settings.hpp"
#include "pmpi/stand_in.hpp"
#include "pmpi/tally.hpp"
#include "rondo/rondo.h"

namespace rondo::pmpi {

namespace {

std::atomic<bool> up{false};

// Not by MPI_Abort: launchers drop what a rank has just said when another one aborts.
[[noreturn]] void give_up(bool says_why, const char *why) {
  if (says_why) {
    std::fprintf(stderr, "[rondo] %s\n", why);
    std::fflush(stderr);
  }
  PMPI_Finalize();
  std::_Exit(EXIT_FAILURE);  // the program's own ends may call MPI
}

// Ranks with other settings would wait for each other where they decide differently.
void check_settings() {
  int rank = 0, size = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::string &fault = settings().fault;
  const long long fingerprint = settings().fingerprint();
  long long greatest[3] = {fingerprint, -fingerprint, fault.empty() ? -size : -rank};
  PMPI_Allreduce(MPI_IN_PLACE, greatest, 3, MPI_LONG_LONG, MPI_MAX, MPI_COMM_WORLD);
  const auto first_at_fault = -greatest[2];
  if (first_at_fault != size) give_up(rank == first_at_fault, fault.c_str());
  if (greatest[0] != -greatest[1]) {
    give_up(rank == 0, "RONDO_PMPI, RONDO_INTERCEPT or RONDO_CACHE_ variables differ between ranks");
  }
}

}  // namespace

bool world_is_up() {
  return up.load(std::memory_order_relaxed);
}

void begin_world() {
  check_settings();
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  calls_at_once.store(level == MPI_THREAD_MULTIPLE, std::memory_order_relaxed);
  up.store(settings().on, std::memory_order_relaxed);
}

void end_world() {
  if (!up.exchange(false, std::memory_order_relaxed)) return;
  end_helper();
  close_stand_ins();
  close_communicators();
  if (settings().report) print_report();
}

}  // namespace rondo::pmpi

RONDO_API int MPI_Init(int *argc, char ***argv) {
  static constinit const rondo::pmpi::Next next{"MPI_Init", PMPI_Init};
  rondo::pmpi::end_on_another_mpi();
  const int code = next(argc, argv);
  if (code == MPI_SUCCESS) rondo::pmpi::begin_world();
  return code;
}

RONDO_API int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  static constinit const rondo::pmpi::Next next{"MPI_Init_thread", PMPI_Init_thread};
  rondo::pmpi::end_on_another_mpi();
  const int code = next(argc, argv, required, provided);
  if (code == MPI_SUCCESS) rondo::pmpi::begin_world();
  return code;
}

RONDO_API int MPI_Finalize() {
  static constinit const rondo::pmpi::Next next{"MPI_Finalize", PMPI_Finalize};
  rondo::pmpi::end_world();
  return next();
}
