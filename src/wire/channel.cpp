#include "wire/channel.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "wire/await.hpp"
#include "wire/held_type.hpp"
#include "wire/known_groups.hpp"
#include "wire/library_progress.hpp"
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

// The duplicates that are open, so that those still cached when the program ends are freed while MPI is up.
class OpenDuplicates {
 public:
  void add(Duplicate *duplicate) {
    const std::lock_guard lock(mutex_);
    open_.insert(duplicate);
  }
  void remove(Duplicate *duplicate) {
    const std::lock_guard lock(mutex_);
    open_.erase(duplicate);
  }
  void close_all() {
    std::set<Duplicate *> open;
    {
      const std::lock_guard lock(mutex_);
      open.swap(open_);
    }
    for (Duplicate *duplicate : open) duplicate->close();
  }

 private:
  std::mutex mutex_;
  std::set<Duplicate *> open_;
};

// Never destroyed, as MPI_Finalize may come after main().
OpenDuplicates &open_duplicates() {
  static auto *const open = new OpenDuplicates;
  return *open;
}

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
  open_duplicates().close_all();
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

bool joins_groups(MPI_Comm comm) {
  int inter = 0;
  check_mpi(MPI_Comm_test_inter(comm, &inter), "MPI_Comm_test_inter");
  return inter != 0;
}

// What make() makes a communicator of. MPI libraries have so many and no more: where there is none left, that is an
// error of all ranks, and says that this communicator cannot be served. Those of an intercommunicator cannot agree yet.
template <class Make>
OwnedComm made_together(MPI_Comm from, Make &&make) {
  OwnedComm made;
  std::optional<Error> fault = fault_of([&] { made = make(); });
  if (fault && fault->fault == Fault::mpi) fault->fault = Fault::comm;
  if (!joins_groups(from)) {
    agree(from, {}, fault);
  } else if (fault) {
    throw *std::move(fault);
  }
  return made;
}

OwnedComm split(MPI_Comm comm, int color, int rank) {
  MPI_Comm part = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split(comm, color, rank, &part), "MPI_Comm_split");
  return part == MPI_COMM_NULL ? OwnedComm() : OwnedComm(part);
}

// One with the ranks of the user's in their order, and nothing else of it. Collective; throws Error (comm) where the
// MPI library has none left.
OwnedComm comm_of_ranks(MPI_Comm user, int rank) {
  OwnedComm made;
  std::optional<Error> fault = fault_of([&] { made = split(user, 0, rank); });
  if (!fault) return made;
  fault->fault = Fault::comm;
  throw *std::move(fault);
}

}  // namespace

// Some MPI libraries tell it on MPI_COMM_WORLD only.
int largest_tag(MPI_Comm comm) {
  void *limit = nullptr;
  int found = 0;
  MPI_Comm_get_attr(comm, MPI_TAG_UB, &limit, &found);
  if (found == 0 && has_world()) MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &limit, &found);
  constexpr int least = 32767;  // that MPI asks of a library
  return found != 0 ? *static_cast<int *>(limit) : least;
}

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

Duplicate::Duplicate(int ranks) {
  if (ranks > 0) node_ = std::make_unique<Node>(ranks);
  introductions_.resize(ranks);
  open_duplicates().add(this);
}

void Duplicate::own(OwnedComm comm, int second_group) {
  comm_ = std::move(comm);
  second_group_ = second_group;
  know_ranks(comm_.get());
}

void Duplicate::know_ranks(MPI_Comm comm) {
  MPI_Comm_rank(comm, &rank_);
  MPI_Comm_size(comm, &ranks_);
  last_tag_ = largest_tag(comm);
}

// With a fault a rank goes on to the agreement at the end, where the others meet it.
void Duplicate::meet(MPI_Comm user) {
  const bool one_host = comm_.get() == MPI_COMM_NULL;
  const MPI_Comm all = one_host ? user : comm_.get();
  if (one_host) know_ranks(all);
  agreement_.open(all, *node_);
  Introduction own{};
  Node::introduce(own);
  auto fault = fault_of([&] {
    node_->meet(comm_.get(), rank_);
    segment_ = std::make_unique<Segment>(*node_);
    segment_->introduce(own);
  });
  introduce_ranks(all, own);
  node_->hear(introductions_);
  std::byte *board = nullptr;
  if (!fault) fault = fault_of([&] { board = segment_->meet(introductions_); });
  std::int64_t without_board = board == nullptr && node_->local_ranks() > 1 ? 1 : 0;
  agreement_.agree({&without_board, 1}, fault);
  if (without_board == 0) {
    use_boards(board);
  } else {
    open_messages(user);
  }
  introductions_ = {};
}

// Not as MPI duplicates: that copies the program's attributes, by calls of the program's, which may be there for as
// long as the program's communicator only.
void Duplicate::open_messages(MPI_Comm user) {
  if (comm_.get() != MPI_COMM_NULL) return;
  if (closed_) throw Error(Fault::comm, "MPI_Finalize has begun: nothing can be planned any more");
  const UserErrorsReturned returned(user);
  OwnedComm comm;
  const auto fault = fault_of([&] { comm = comm_of_ranks(user, rank_); });
  agreement_.agree({}, fault);
  own(std::move(comm));
  agreement_.open(comm_.get(), *node_);
}

// Fills in those of this node. Collective over all ranks: a call on the node alone would need a communicator, which
// takes longer to make than all of this.
void Duplicate::introduce_ranks(MPI_Comm all, const Introduction &own) {
  gather<Introduction>(all, own, introductions_);
  const std::vector<int> &members = node_->members();
  for (std::size_t local = 0; local < members.size(); ++local) {  // which ascend
    introductions_[local] = introductions_[members[local]];
  }
  introductions_.resize(members.size());
}

// `memory` is that of the board; null where this rank is alone. Collective.
void Duplicate::use_boards(std::byte *memory) {
  const Node &node = *node_;
  std::optional<Board> board;
  if (memory != nullptr) {
    const Patience patience = Patience::of(node.ranks_on_cores(), node.cores());
    board.emplace(memory, node.local_ranks(), node.local_rank(), patience);
  }
  agreement_.use_boards(board, open_leaders());
  if (board) segment_->use(*agreement_.board(), introductions_[(node.local_rank() + 1) % node.local_ranks()]);
}

// The first ranks of the nodes, by node; MPI_COMM_NULL on others, and where there is one node. Collective.
MPI_Comm Duplicate::open_leaders() {
  const int nodes = 1 + *std::max_element(node_->node_of().begin(), node_->node_of().end());
  if (nodes == 1) return MPI_COMM_NULL;
  if (nodes == ranks_) return comm_.get();
  const int color = node_->local_rank() == 0 ? 0 : MPI_UNDEFINED;
  leaders_ = made_together(comm_.get(), [&] { return split(comm_.get(), color, rank_); });
  return leaders_.get();
}

Duplicate::~Duplicate() {
  open_duplicates().remove(this);
  close();
}

void Duplicate::has_lost_communicator() {
  constexpr std::int64_t most_kept = std::int64_t{32} << 20;
  if (--communicators_ == 0 && segment_) segment_->drop_beyond(most_kept);
}

void Duplicate::close() {
  closed_ = true;
  leaders_.free();
  comm_.free();
}

int Duplicate::draw_tag() {
  return next_tag_ <= last_tag_ ? static_cast<int>(next_tag_++) : -1;
}

OwnedComm duplicate_of(MPI_Comm comm) {
  MPI_Comm duplicate = MPI_COMM_NULL;
  std::optional<Error> fault = fault_of([&] { check_mpi(MPI_Comm_dup(comm, &duplicate), "MPI_Comm_dup"); });
  if (!fault) return OwnedComm(duplicate);
  fault->fault = Fault::comm;
  throw *std::move(fault);
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

// A new duplicate before its ranks have met, and the group of these where all of them can take it among the known ones.
// What is collective and what takes memory stand apart, with an agreement between them.
struct Fresh {
  std::unique_ptr<Cached> cached;
  OwnedGroup group{};
  bool becomes_known = false;
};

std::unique_ptr<Cached> made_of(MPI_Comm user, int ranks) {
  open_library_progress();
  return std::make_unique<Cached>(std::make_shared<Duplicate>(ranks), user);
}

Fresh made_of_groups(MPI_Comm inter, Meanwhile meanwhile) {
  barrier(inter, meanwhile);
  int second_group = 0;
  OwnedComm whole = made_together(inter, [&] { return merged(inter, second_group); });
  Fresh fresh;
  succeed_together(whole.get(), [&] { fresh.cached = made_of(inter, size_of(whole.get())); });
  fresh.cached->duplicate->own(std::move(whole), second_group);
  return fresh;
}

// Ranks on one host can do without MPI's duplicate; but a process that has sessions only needs it to pack data.
Fresh made_of_ranks(MPI_Comm user, Meanwhile meanwhile) {
  Fresh fresh;
  std::array<std::int64_t, 4> all{};
  const auto fault = fault_of([&] {
    fresh.cached = made_of(user, size_of(user));
    fresh.group = OwnedGroup(user);
    const std::int64_t host = fresh.cached->duplicate->node().host();
    all = {host, -host, has_world() ? 0 : 1, KnownGroups::of_process().can_add(fresh.group) ? 0 : 1};
  });
  agree(user, all, fault, meanwhile);
  const auto [highest_host, lowest_negative, without_world, cannot_add] = all;
  fresh.becomes_known = cannot_add == 0;
  if (highest_host != -lowest_negative || without_world != 0) {
    int rank = 0;
    MPI_Comm_rank(user, &rank);
    fresh.cached->duplicate->own(made_together(user, [&] { return comm_of_ranks(user, rank); }));
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
  duplicate->meet(user);
  Cached *made = cached;
  if (cached != nullptr) {
    cached->replace(duplicate);
  } else {
    made = &cached_together(duplicate->agreement(), user, nullptr, [&] { return std::move(fresh.cached); });
    if (fresh.becomes_known) KnownGroups::of_process().add(std::move(fresh.group), duplicate);
  }
  return *made;
}

// Null where the ranks of the communicator are not known.
Cached *cache_known(MPI_Comm user, Meanwhile meanwhile) {
  if (joins_groups(user)) return nullptr;
  const UserErrorsReturned returned(user);
  const std::shared_ptr<Duplicate> known = KnownGroups::of_process().find(user);
  if (!known) return nullptr;
  return &cached_together(known->agreement(), user, meanwhile, [&] { return std::make_unique<Cached>(known, user); });
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
  if (cached == nullptr) cached = cache_known(user, meanwhile);
  if (cached != nullptr && !cached->stalled_elsewhere()) {
    cached->duplicate->serve(cached->user);
    if (const int tag = cached->duplicate->draw_tag(); tag >= 0) return {cached->duplicate, tag, cached->user};
  }
  Cached &fresh = renew(cached, user, meanwhile);
  fresh.duplicate->serve(fresh.user);
  return {fresh.duplicate, fresh.duplicate->draw_tag(), fresh.user};
}

}  // namespace rondo::internal
