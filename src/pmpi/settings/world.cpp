#include "pmpi/settings/world.hpp"

#include <mpi.h>

#include <atomic>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>

#include "call/world_messages.hpp"
#include "pmpi/calls/communicator.hpp"
#include "pmpi/calls/rehearsal.hpp"
#include "pmpi/pass/blocked.hpp"
#include "pmpi/report/report.hpp"
#include "pmpi/requests/proxy_request.hpp"
#include "pmpi/settings/settings.hpp"
#include "wire/agreement.hpp"
#include "wire/channel.hpp"
#include "wire/duplicate_pool.hpp"
#include "wire/known_groups.hpp"
#include "wire/node.hpp"
#include "wire/signals_blocked.hpp"

namespace rondo::internal::pmpi {

namespace {

std::atomic<bool> up{false};
std::atomic<bool> main_thread_alone{false};  // is to call MPI
std::atomic<bool> one_host{false};
std::atomic<bool> had_session{false};
constinit thread_local bool is_main_thread = false;

// Ends the program on all ranks. Not by MPI_Abort: launchers drop a rank's last output when another rank aborts.
[[noreturn]] void give_up(bool says_why, const char *why) {
  if (says_why) {
    std::fprintf(stderr, "[rondo] %s\n", why);
    std::fflush(stderr);
  }
  PMPI_Finalize();
  std::_Exit(EXIT_FAILURE);  // the program's own ends may call MPI
}

// A time limit for the ranks to meet, for as long as an object of this class lives. A rank that runs without this
// library never comes, and cannot be told from a rank that is late. Rank 0 gives up first, so that in most cases only
// one rank prints the message.
class Deadline {
 public:
  explicit Deadline(int rank) {
    if (settings().init_timeout == 0) return;
    const SignalsBlocked blocked;
    try {
      thread_.emplace([this, rank] { watch(rank); });
    } catch (const std::system_error &) {  // all is as without one
    }
  }
  ~Deadline() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_one();
    if (thread_) thread_->join();
  }
  Deadline(const Deadline &) = delete;
  Deadline &operator=(const Deadline &) = delete;

 private:
  void watch(int rank) {
    const auto timeout = std::chrono::seconds(settings().init_timeout) +
                         std::chrono::milliseconds(250) * std::bit_width(static_cast<unsigned>(rank));
    std::unique_lock lock(mutex_);
    if (changed_.wait_for(lock, timeout, [this] { return over_; })) return;
    std::fprintf(
        stderr,
        "[rondo] rank %d has waited for others in MPI_Init for %lld s: librondo_pmpi.so must be preloaded on all "
        "ranks or on none (RONDO_INIT_TIMEOUT)\n",
        rank, static_cast<long long>(settings().init_timeout));
    std::fflush(stderr);
    std::_Exit(EXIT_FAILURE);
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::optional<std::thread> thread_;
};

// A communicator of all ranks, made of messages that no other call takes for its own: ranks without this library may be
// in any collective call on MPI_COMM_WORLD.
MPI_Comm meet_all_ranks(int rank) {
  constexpr int tag = 20011;
  const Deadline deadline(rank);
  MPI_Group group = MPI_GROUP_NULL;
  MPI_Comm all = MPI_COMM_NULL;
  PMPI_Comm_group(MPI_COMM_WORLD, &group);
  PMPI_Comm_create_group(MPI_COMM_WORLD, group, tag, &all);
  PMPI_Group_free(&group);
  return all;
}

// Ends the program if ranks have different settings: they would take over different calls, and wait for each other for
// ever. Whether they take over calls at all, which all answer alike.
bool agree_on_settings() {
  int rank = 0, size = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::string &fault = settings().fault;
  const long long fingerprint = settings().fingerprint();
  const bool helps = calls_at_once.load(std::memory_order_relaxed);
  const long long host = settings().on ? Node::find_host() : 0;
  long long greatest[9] = {fingerprint,
                           -fingerprint,
                           fault.empty() ? -size : -rank,
                           helps ? 0 : 1,
                           settings().on && KnownGroups::possible() ? 0 : 1,
                           host,
                           -host,
                           KnownGroups::switched_off() ? 1 : 0,
                           had_session.load(std::memory_order_relaxed) ? 1 : 0};
  MPI_Comm all = meet_all_ranks(rank);
  PMPI_Allreduce(MPI_IN_PLACE, greatest, 9, MPI_LONG_LONG, MPI_MAX, all);
  const auto first_at_fault = -greatest[2];
  if (first_at_fault != size) give_up(rank == first_at_fault, fault.c_str());
  if (greatest[0] != -greatest[1]) {
    give_up(rank == 0, "RONDO_PMPI, RONDO_INTERCEPT or RONDO_CACHE_ variables differ between ranks");
  }
  all_help_by_mpi.store(greatest[3] == 0, std::memory_order_relaxed);
  one_host.store(greatest[5] == -greatest[6], std::memory_order_relaxed);
  if (greatest[8] != 0) {
    if (rank == 0 && settings().on) {
      std::fputs("[rondo] calls are left to the MPI library: a session has begun before MPI_Init\n", stderr);
    }
    PMPI_Comm_free(&all);
    return false;
  }
  if (greatest[4] == 0) {
    call::WorldMessages::of_process().open(all);
  } else {
    PMPI_Comm_free(&all);
    if (settings().on && greatest[7] == 0) DuplicatePool::of_process().open();
  }
  return settings().on;
}

// The ranks meet here anyway. Once they know each other, and have links, the calls on all communicators of these ranks
// find what they share (wire/known_groups.hpp, wire/duplicate_pool.hpp), and the first does not have to wait for it.
// Where they cannot have it, no rank has it. Whether they have links, and there are no more of them than cores, which
// all answer alike.
bool meet_on_host() {
  const bool may_be_known = call::WorldMessages::of_process().is_open();
  const bool may_be_lent = DuplicatePool::of_process().is_open();
  if ((!may_be_known && !may_be_lent) || !world_is_one_host()) return false;
  if (may_be_known) fault_of([] { open_channel(MPI_COMM_WORLD, nullptr); });
  return settings().links_at_init && settings().takes_calls_that_wait() && open_links_of_world();
}

}  // namespace

bool world_is_one_host() {
  return one_host.load(std::memory_order_relaxed);
}

bool is_stray_thread() {
  return !is_main_thread && main_thread_alone.load(std::memory_order_relaxed);
}

void note_session() {
  had_session.store(true, std::memory_order_relaxed);
}

bool world_is_up() {
  return up.load(std::memory_order_relaxed);
}

void begin_world() {
  int level = MPI_THREAD_SINGLE;
  PMPI_Query_thread(&level);
  calls_at_once.store(level == MPI_THREAD_MULTIPLE, std::memory_order_relaxed);
  is_main_thread = true;
  main_thread_alone.store(level < MPI_THREAD_SERIALIZED, std::memory_order_relaxed);
  if (!agree_on_settings()) return;
  watch_for_finalize();
  at_finalize(end_world);
  prepare_communicators();
  if (meet_on_host()) rehearse_a_call();
  up.store(true, std::memory_order_relaxed);
}

void end_world() {
  if (!up.exchange(false, std::memory_order_relaxed)) return;
  end_helper();
  close_proxies();
  close_communicators();
  call::WorldMessages::of_process().close();
  if (settings().report.any()) give_report();
}

}  // namespace rondo::internal::pmpi
