#include "wire/channel.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "wire/await.hpp"
#include "wire/duplicate_pool.hpp"
#include "wire/held_type.hpp"
#include "wire/known_groups.hpp"
#include "wire/library_progress.hpp"
#include "wire/made_comm.hpp"
#include "wire/merged_groups.hpp"
#include "wire/mpi_call.hpp"
#include "wire/user_errors_returned.hpp"

namespace rondo::internal {

namespace {

// What is cached with a user's communicator.
struct Cached {
  Cached(std::shared_ptr<Duplicate> of_ranks, MPI_Comm comm)
      : duplicate(std::move(of_ranks)), user(std::make_shared<MPI_Comm>(comm)) {
    duplicate->has_communicator();
  }
  ~Cached() { duplicate->has_lost_communicator(); }
  Cached(const Cached &) = delete;
  Cached &operator=(const Cached &) = delete;

  void replace(const std::shared_ptr<Duplicate> &by) {
    by->has_communicator();
    std::exchange(duplicate, by)->has_lost_communicator();
  }
  // Whether an agreement has been given up for another communicator of these ranks. One that was for this one has to be
  // given up on this one by all ranks, also those that come late.
  [[nodiscard]] bool stalled_elsewhere() const {
    return duplicate->agreement().has_stalled() && duplicate->serving() != user.get();
  }

  std::shared_ptr<Duplicate> duplicate;
  std::shared_ptr<MPI_Comm> user;
};

extern "C" int rondo_drop_cached(MPI_Comm, int, void *value, void *) {
  const TypesFreedAtEnd types_freed_at_end;
  auto *cached = static_cast<Cached *>(value);
  *cached->user = MPI_COMM_NULL;
  delete cached;
  return MPI_SUCCESS;
}

std::atomic<int> live_plans{0};

// What is to be done first, in the order in which it was asked for.
struct AtFinalize {
  std::mutex mutex;
  std::vector<void (*)()> calls;
};

AtFinalize &first_at_finalize() {
  static auto *const first = new AtFinalize;
  return *first;
}

// One call may ask for another.
void call_first_at_finalize() {
  AtFinalize &first = first_at_finalize();
  for (std::size_t i = 0;; ++i) {
    std::unique_lock lock(first.mutex);
    if (i == first.calls.size()) return;
    void (*const call)() = first.calls[i];
    lock.unlock();
    call();
  }
}

// MPI deletes the attributes of MPI_COMM_SELF first thing in MPI_Finalize, when calls are still allowed.
extern "C" int rondo_close_all(MPI_Comm, int, void *, void *) {
  const TypesFreedAtEnd types_freed_at_end;
  call_first_at_finalize();
  if (const int plans = live_plans.load(); plans > 0) {
    std::fprintf(stderr, "[rondo] MPI_Finalize: %d plan%s not been freed\n", plans, plans == 1 ? " has" : "s have");
  }
  KnownGroups::of_process().forget_all();
  DuplicatePool::of_process().forget_all();
  close_duplicates();
  return MPI_SUCCESS;
}

int cache_keyval() {
  static const int keyval = [] {
    int cache = MPI_KEYVAL_INVALID;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, rondo_drop_cached, &cache, nullptr);
    return cache;
  }();
  return keyval;
}

}  // namespace

// There is no MPI_COMM_SELF before MPI_Init, which a program may call after it has planned on sessions' communicators.
void watch_for_finalize() {
  static std::atomic<bool> watched{false};
  if (!has_world() || watched.exchange(true)) return;
  int keyval = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, rondo_close_all, &keyval, nullptr);
  MPI_Comm_set_attr(MPI_COMM_SELF, keyval, nullptr);
  MPI_Comm_free_keyval(&keyval);
}

void at_finalize(void (*call)()) {
  AtFinalize &first = first_at_finalize();
  const std::lock_guard lock(first.mutex);
  first.calls.push_back(call);
}

LivePlan::LivePlan() {
  ++live_plans;
}

LivePlan::~LivePlan() {
  --live_plans;
}

namespace {

// Both groups of an intercommunicator in one.
OwnedComm merged(MPI_Comm inter, int &second_group) {
  MPI_Comm whole = MPI_COMM_NULL;
  second_group = merge_groups(inter, &whole);
  return OwnedComm(whole);
}

int size_of(MPI_Comm comm) {
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  return ranks;
}

// Keeps a new duplicate for later communicators of the same ranks, if all of these can: for all of them at once, or for
// one at a time.
class Keeping {
 public:
  // Local; throws std::bad_alloc. Gives the reference to the duplicate that its first communicator has.
  std::shared_ptr<Duplicate> prepare(MPI_Comm user, std::shared_ptr<Duplicate> duplicate) {
    OwnedGroup group(user);
    auto &pool = DuplicatePool::of_process();
    if (pool.is_open()) {
      entry_ = pool.reserve(std::move(group), duplicate);
      return entry_ ? DuplicatePool::lend(entry_) : duplicate;
    }
    if (KnownGroups::of_process().can_add(group)) group_ = std::move(group);
    return duplicate;
  }
  // Whether this rank can.
  [[nodiscard]] bool is_possible() const { return entry_ || group_.get() != MPI_GROUP_NULL; }
  // All of them can: `number` is that which their first rank has drawn.
  void keep(const std::shared_ptr<Duplicate> &duplicate, std::int64_t number) {
    if (entry_) return DuplicatePool::of_process().add(std::move(entry_), number);
    KnownGroups::of_process().add(std::move(group_), duplicate);
  }
  static std::int64_t draw_number() {
    auto &pool = DuplicatePool::of_process();
    return pool.is_open() ? pool.draw_number() : 0;
  }

 private:
  OwnedGroup group_{};
  std::shared_ptr<DuplicatePool::Entry> entry_;
};

// A new duplicate whose ranks have met. What is collective and what takes memory stand apart, with an agreement between
// them.
struct Fresh {
  std::unique_ptr<Cached> cached;
  Keeping keeping{};
  std::int64_t number = 0;  // among those that are kept
  bool is_kept = false;     // all ranks can
};

std::shared_ptr<Duplicate> duplicate_of(int ranks) {
  open_library_progress();
  return std::make_shared<Duplicate>(ranks);
}

Fresh made_of_groups(MPI_Comm inter, Meanwhile meanwhile) {
  barrier(inter, meanwhile);
  int second_group = 0;
  OwnedComm whole = made_together(inter, [&] { return merged(inter, second_group); });
  Fresh fresh;
  succeed_together(whole.get(),
                   [&] { fresh.cached = std::make_unique<Cached>(duplicate_of(size_of(whole.get())), inter); });
  fresh.cached->duplicate->own(std::move(whole), second_group);
  fresh.cached->duplicate->meet(inter);
  return fresh;
}

// What the ranks of a communicator tell each other first. Those on one host then need nothing more to share memory.
struct Greeting {
  std::int64_t host;  // the same number on ranks that share a node
  std::int64_t has_world;
  std::int64_t can_be_kept;
  std::int64_t number;  // of what is kept
  std::int64_t at_fault;
  Introduction introduction;
};
constexpr int most_greeted = 64;

// What has been found out of all ranks.
struct Ranks {
  bool one_host = true;
  bool have_world = true;
  bool can_be_kept = true;
  bool at_fault = false;
  std::int64_t number = 0;

  // MPI's duplicate is needed to share memory between some of the ranks alone; and a process that has sessions only
  // needs it to pack data.
  [[nodiscard]] bool need_communicator() const { return !one_host || !have_world; }
};

// Of few ranks, by one call that takes no memory of Rondo's: `all` is filled in, by rank.
Ranks greet(MPI_Comm user, const Greeting &own, std::span<Greeting> all, Meanwhile meanwhile) {
  gather<Greeting>(user, own, all, meanwhile);
  Ranks ranks{.number = all.front().number};
  for (const Greeting &one : all) {
    ranks.one_host = ranks.one_host && one.host == own.host;
    ranks.have_world = ranks.have_world && one.has_world != 0;
    ranks.can_be_kept = ranks.can_be_kept && one.can_be_kept != 0;
    ranks.at_fault = ranks.at_fault || one.at_fault != 0;
  }
  return ranks;
}

// Of many.
Ranks agree_on_ranks(MPI_Comm user, const Greeting &own, const std::optional<Error> &fault, Meanwhile meanwhile) {
  std::array<std::int64_t, 5> all{own.host, -own.host, 1 - own.has_world, 1 - own.can_be_kept, own.number};
  agree(user, all, fault, meanwhile);
  return {.one_host = all[0] == -all[1], .have_world = all[2] == 0, .can_be_kept = all[3] == 0, .number = all[4]};
}

// Makes what the ranks of a communicator have in common, and has them meet.
Fresh made_of_ranks(MPI_Comm user, Meanwhile meanwhile) {
  const int size = size_of(user);
  const bool few = size <= most_greeted;
  Fresh fresh;
  Greeting own{};
  const auto fault = fault_of([&] {
    fresh.cached = std::make_unique<Cached>(fresh.keeping.prepare(user, duplicate_of(size)), user);
    own.host = fresh.cached->duplicate->node().host();
    own.has_world = has_world() ? 1 : 0;
    own.can_be_kept = fresh.keeping.is_possible() ? 1 : 0;
    own.number = Keeping::draw_number();
    if (few) own.introduction = fresh.cached->duplicate->introduce_on_host(user);
  });
  own.at_fault = fault ? 1 : 0;
  std::array<Greeting, most_greeted> greetings;
  const auto all = std::span(greetings).first(few ? static_cast<std::size_t>(size) : 0);
  const Ranks ranks = few ? greet(user, own, all, meanwhile) : agree_on_ranks(user, own, fault, meanwhile);
  if (ranks.at_fault) agree(user, {}, fault);  // which throws
  fresh.is_kept = ranks.can_be_kept;
  fresh.number = ranks.number;
  Duplicate &duplicate = *fresh.cached->duplicate;
  if (ranks.need_communicator()) {
    int rank = 0;
    MPI_Comm_rank(user, &rank);
    duplicate.own(made_together(user, [&] { return comm_of_ranks(user, rank); }));
  }
  if (few && !ranks.need_communicator()) {
    std::array<Introduction, most_greeted> told;
    std::transform(all.begin(), all.end(), told.begin(), [](const Greeting &one) { return one.introduction; });
    duplicate.meet_on_host(user, std::span(told).first(all.size()));
  } else {
    duplicate.meet(user);
  }
  return fresh;
}

// What make() makes is cached with the communicator, on all ranks or on none. Collective.
template <class Make>
Cached &cached_together(Agreement &agreement, MPI_Comm user, Meanwhile meanwhile, Make &&make) {
  std::unique_ptr<Cached> fresh;
  bool kept = false;
  const auto fault = fault_of([&] {
    fresh = make();
    check_mpi(MPI_Comm_set_attr(user, cache_keyval(), fresh.get()), "MPI_Comm_set_attr");
    kept = true;
  });
  try {
    agreement.agree({}, fault, meanwhile);
  } catch (...) {
    if (kept && fresh.release() != nullptr) MPI_Comm_delete_attr(user, cache_keyval());
    throw;
  }
  return *fresh.release();
}

// Caches a new duplicate: the first, or one in the place of that whose tags have run out. `cached` is null where
// nothing is cached yet.
Cached &renew(Cached *cached, MPI_Comm user, Meanwhile meanwhile) {
  const UserErrorsReturned returned(user);
  Fresh fresh = joins_groups(user) ? made_of_groups(user, meanwhile) : made_of_ranks(user, meanwhile);
  const std::shared_ptr<Duplicate> duplicate = fresh.cached->duplicate;
  Cached *made = cached;
  if (cached != nullptr) {
    cached->replace(duplicate);
  } else {
    made = &cached_together(duplicate->agreement(), user, nullptr, [&] { return std::move(fresh.cached); });
    if (fresh.is_kept) fresh.keeping.keep(duplicate, fresh.number);
  }
  return *made;
}

// What an earlier communicator of the same ranks has left for this one; null where there is nothing.
Cached *cache_kept(MPI_Comm user, Meanwhile meanwhile) {
  if (joins_groups(user)) return nullptr;
  const UserErrorsReturned returned(user);
  auto &pool = DuplicatePool::of_process();
  std::shared_ptr<Duplicate> kept;
  if (pool.is_open()) {
    kept = pool.borrow(user, meanwhile);
  } else if (!KnownGroups::switched_off()) {
    kept = KnownGroups::of_process().find(user);
  }
  if (!kept) return nullptr;
  return &cached_together(kept->agreement(), user, meanwhile, [&] { return std::make_unique<Cached>(kept, user); });
}

Cached *cached_of(MPI_Comm user) {
  void *value = nullptr;
  int found = 0;
  check_mpi(MPI_Comm_get_attr(user, cache_keyval(), &value, &found), "MPI_Comm_get_attr");
  return found != 0 ? static_cast<Cached *>(value) : nullptr;
}

}  // namespace

Duplicate *duplicate_of_channels(MPI_Comm user) {
  Cached *const cached = cached_of(user);
  return cached == nullptr ? nullptr : cached->duplicate.get();
}

Channel open_channel(MPI_Comm user, Meanwhile meanwhile) {
  watch_for_finalize();
  Cached *cached = cached_of(user);
  if (cached == nullptr) cached = cache_kept(user, meanwhile);
  if (cached != nullptr && !cached->stalled_elsewhere()) {
    cached->duplicate->serve(cached->user);
    if (const int tag = cached->duplicate->draw_tag(); tag >= 0) return {cached->duplicate, tag, cached->user};
  }
  Cached &fresh = renew(cached, user, meanwhile);
  fresh.duplicate->serve(fresh.user);
  return {fresh.duplicate, fresh.duplicate->draw_tag(), fresh.user};
}

}  // namespace rondo::internal
