#pragma once

// What the environment asks of the interposer. docs/interposer.md lists the variables.

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace rondo::internal::pmpi {

// The kinds of call that can be taken over, by the words of RONDO_INTERCEPT.
enum class Call {
  alltoall,
  alltoallv,
  alltoallw,
  neighbor_alltoall,
  neighbor_alltoallv,
  neighbor_alltoallw,
  allgather,
  allgatherv,
  ialltoall,
  ialltoallv,
  ialltoallw,
  ineighbor_alltoall,
  ineighbor_alltoallv,
  ineighbor_alltoallw,
  persistent,
};
constexpr std::array<std::string_view, 15> call_names = {
    "alltoall",           "alltoallv",          "alltoallw",           "neighbor_alltoall",   "neighbor_alltoallv",
    "neighbor_alltoallw", "allgather",          "allgatherv",          "ialltoall",           "ialltoallv",
    "ialltoallw",         "ineighbor_alltoall", "ineighbor_alltoallv", "ineighbor_alltoallw", "persistent"};
constexpr std::size_t calls = call_names.size();

constexpr std::size_t index_of(Call call) {
  return static_cast<std::size_t>(call);
}
constexpr std::string_view name_of(Call call) {
  return call_names[index_of(call)];
}

constexpr bool may_wait(Call call) {
  return call <= Call::allgatherv;
}
// Whether each rank sends one block, which is the same for all.
constexpr bool gathers(Call call) {
  return call == Call::allgather || call == Call::allgatherv;
}
constexpr bool is_of_neighbors(Call call) {
  return (call >= Call::neighbor_alltoall && call <= Call::neighbor_alltoallw) ||
         (call >= Call::ineighbor_alltoall && call <= Call::ineighbor_alltoallw);
}
// Whether it has one count for all blocks that are received, and no displacements of these.
constexpr bool is_uniform(Call call) {
  return call == Call::alltoall || call == Call::allgather || call == Call::ialltoall ||
         call == Call::neighbor_alltoall || call == Call::ineighbor_alltoall;
}

// Whether a call that does not wait is taken over where RONDO_INTERCEPT does not say, and its blocks are messages. It
// gains nothing then, but that MPICH's own MPI_Ialltoallv and MPI_Ialltoallw are slow from some KiB on
// (docs/interposer.md).
constexpr bool gains_by_messages(Call call) {
#if defined(OPEN_MPI)
  constexpr bool slow_library = false;
#else
  constexpr bool slow_library = true;
#endif
  return slow_library && (call == Call::ialltoallv || call == Call::ialltoallw);
}

// RONDO_REPORT: which report there is at the end of what has been taken over.
struct ReportWish {
  bool table = false;    // on standard error
  bool samples = false;  // some calls are left to the MPI library, so that it is known what they take there
  bool waits = false;    // ranks meet before each call that waits, so that their waiting is told apart from the call
  std::string file{};    // of JSON; empty: none

  [[nodiscard]] bool any() const { return table || !file.empty(); }
};

struct Settings {
  bool on = true;                                      // RONDO_PMPI
  std::array<bool, calls> taken{};                     // RONDO_INTERCEPT
  std::array<bool, calls> taken_by_messages{};         // likewise, of calls that do not wait
  std::int64_t cache_after = 3;                        // RONDO_CACHE_AFTER
  bool links_at_init = true;                           // where all ranks share a host: it is not set
  std::int64_t cache_memory = std::int64_t{64} << 20;  // RONDO_CACHE_MEMORY, bytes for each communicator
  std::int64_t init_timeout = 30;                      // RONDO_INIT_TIMEOUT, seconds; 0: none
  bool thread_multiple = false;                        // RONDO_THREAD_MULTIPLE: asked of MPI whatever the program does
  ReportWish report;                                   // RONDO_REPORT
  std::string fault;                                   // what is wrong with them; empty where nothing is

  [[nodiscard]] bool takes(Call call) const { return on && taken[index_of(call)]; }
  [[nodiscard]] bool takes_calls_that_wait() const {
    return on && std::any_of(taken.begin(), taken.begin() + index_of(Call::ialltoall), [](bool one) { return one; });
  }
  [[nodiscard]] bool takes_by_messages(Call call) const { return taken_by_messages[index_of(call)]; }
  // A number that is the same on two ranks when what must be the same is.
  [[nodiscard]] std::int64_t fingerprint() const;
};

// `variable` gives the value of an environment variable, or null.
Settings read_settings(const char *(*variable)(const char *name));

// Of this process, read once. Never destroyed, as MPI_Finalize may come after main().
inline const Settings &settings() {
  static const auto *const read =
      new Settings(read_settings([](const char *name) -> const char * { return std::getenv(name); }));
  return *read;
}

}  // namespace rondo::internal::pmpi
