// The calls after which there is MPI. What is done at its end follows from them (pmpi/settings/world.hpp).

#include <mpi.h>

#include "pmpi/pass/next_definition.hpp"
#include "pmpi/settings/other_mpi.hpp"
#include "pmpi/settings/settings.hpp"
#include "pmpi/settings/world.hpp"
#include "rondo/rondo.h"
#include "wire/library_loads.hpp"

namespace rondo::internal::pmpi {

namespace {

constinit const Next next_init{"MPI_Init", PMPI_Init};
constinit const Next next_init_thread{"MPI_Init_thread", PMPI_Init_thread};

bool wants_thread_multiple() {
  return settings().on && settings().thread_multiple;
}

// By one of the two, which initialises MPI.
template <class Initialise>
int begin_world_after(Initialise &&initialise) {
  end_on_another_mpi();
  look_for_count_of_loads();
  const int code = initialise();
  look_for_count_of_loads();
  if (code == MPI_SUCCESS) begin_world();
  return code;
}

}  // namespace

}  // namespace rondo::internal::pmpi

using rondo::internal::pmpi::begin_world_after;
using rondo::internal::pmpi::wants_thread_multiple;

RONDO_API int MPI_Init(int *argc, char ***argv) {
  return begin_world_after([&] {
    if (!wants_thread_multiple()) return rondo::internal::pmpi::next_init(argc, argv);
    int provided = MPI_THREAD_SINGLE;
    return rondo::internal::pmpi::next_init_thread(argc, argv, MPI_THREAD_MULTIPLE, &provided);
  });
}

RONDO_API int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  const int level = wants_thread_multiple() ? MPI_THREAD_MULTIPLE : required;
  return begin_world_after([&] { return rondo::internal::pmpi::next_init_thread(argc, argv, level, provided); });
}
