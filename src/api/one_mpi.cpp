#include "api/one_mpi.hpp"

#include <fmt/format.h>
#include <mpi_functions.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <string_view>

#include "exchange/error.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

// A common MPI library, and how a process recognises it and its launcher.
struct Mpi {
  std::string_view name;  // the text of MPI_Get_library_version begins with it
  const char *ranks;      // environment variables that its launcher sets
  const char *rank;
};
constexpr std::array known{Mpi{"MPICH", "PMI_SIZE", "PMI_RANK"},
                           Mpi{"Open MPI", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}};
constexpr std::string_view own = RONDO_MPI_FULL_NAME;

std::string_view variable(const char *name) {
  const char *value = std::getenv(name);
  return value == nullptr ? std::string_view() : value;
}

bool is_alone() {
  int ranks = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  return ranks == 1;
}

// Launchers of a library that is not known set variables of one that is.
void warn_of_other_launcher() {
  const Mpi *const self = std::find_if(known.begin(), known.end(), [](const Mpi &mpi) { return mpi.name == own; });
  if (self == known.end() || !variable(self->ranks).empty() || !is_alone()) return;
  for (const Mpi &other : known) {
    const std::string_view ranks = variable(other.ranks);
    if (ranks.empty() || ranks == "1" || variable(other.rank) != "0") continue;
    fmt::print(
        stderr,
        "Rondo: the launcher of {} has started {} processes, but this program uses {}, for which each of them is a job "
        "of one rank: start it with the mpiexec of {}\n",
        other.name, ranks, own, own);
  }
}

}  // namespace

void check_one_mpi() {
  static std::atomic<bool> done{false};  // once the world is there: nothing of it changes then
  if (done.load(std::memory_order_relaxed)) return;
  // MPI_MAX_LIBRARY_VERSION_STRING is that of the MPI that Rondo was built on: another one's text may be longer.
  constexpr std::size_t longest = 1 << 14;
  static_assert(longest >= MPI_MAX_LIBRARY_VERSION_STRING);
  static char text[longest];  // of which a page or two are ever touched
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  int length = 0;
  MPI_Get_library_version(text, &length);
  const std::string_view library(text, static_cast<std::size_t>(length));
  for (const Mpi &other : known) {
    if (other.name == own || !library.starts_with(other.name)) continue;
    throw Error(Fault::comm,
                fmt::format("Rondo was built on {}, but this program runs on {}: build and start it with the "
                            "compiler wrapper and the mpiexec of {}",
                            own, library.substr(0, library.find_first_of("\n,")), own));
  }
  static std::once_flag once;
  if (!has_world()) return;
  std::call_once(once, warn_of_other_launcher);
  done.store(true, std::memory_order_relaxed);
}

}  // namespace rondo::internal
