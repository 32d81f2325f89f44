#include "pmpi/world.hpp"

#include <mpi.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>

#include "pmpi/communicator.hpp"
#include "pmpi/next.hpp"
#include "pmpi/settings.hpp"
#include "pmpi/stand_in.hpp"
#include "pmpi/tally.hpp"
#include "rondo/rondo.h"

namespace rondo::pmpi {

namespace {

std::atomic<bool> up{false};

[[noreturn]] void give_up(const char *why) {
  std::fprintf(stderr, "[rondo] %s\n", why);
  std::fflush(stderr);
  PMPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  std::abort();
}

// Ranks with other settings would wait for each other where they decide differently.
void check_settings() {
  if (!settings().fault.empty()) give_up(settings().fault.c_str());
  long long both[2] = {settings().fingerprint(), -settings().fingerprint()};
  PMPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_LONG_LONG, MPI_MAX, MPI_COMM_WORLD);
  if (both[0] != -both[1]) give_up("RONDO_PMPI, RONDO_INTERCEPT or RONDO_CACHE_ variables differ between ranks");
}

}  // namespace

bool world_is_up() {
  return up.load(std::memory_order_relaxed);
}

void begin_world() {
  check_settings();
  up.store(settings().on, std::memory_order_relaxed);
}

void end_world() {
  if (!up.exchange(false, std::memory_order_relaxed)) return;
  close_stand_ins();
  close_communicators();
  if (settings().report) print_report();
}

}  // namespace rondo::pmpi

RONDO_API int MPI_Init(int *argc, char ***argv) {
  static constinit const rondo::pmpi::Next next{"MPI_Init", PMPI_Init};
  const int code = next(argc, argv);
  if (code == MPI_SUCCESS) rondo::pmpi::begin_world();
  return code;
}

RONDO_API int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  static constinit const rondo::pmpi::Next next{"MPI_Init_thread", PMPI_Init_thread};
  const int code = next(argc, argv, required, provided);
  if (code == MPI_SUCCESS) rondo::pmpi::begin_world();
  return code;
}

RONDO_API int MPI_Finalize() {
  static constinit const rondo::pmpi::Next next{"MPI_Finalize", PMPI_Finalize};
  rondo::pmpi::end_world();
  return next();
}
