#include "pmpi/calls/communicator.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "api/hints.hpp"
#include "call/world_messages.hpp"
#include "exchange/error.hpp"
#include "plan/progress.hpp"
#include "pmpi/calls/meetings.hpp"
#include "pmpi/pass/blocked.hpp"
#include "pmpi/settings/world.hpp"
#include "wire/agreement.hpp"
#include "wire/calls_beneath.hpp"
#include "wire/channel.hpp"
#include "wire/duplicate_pool.hpp"
#include "wire/held_type.hpp"
#include "wire/known_groups.hpp"
#include "wire/mpi_call.hpp"
#include "wire/neighbor_order.hpp"
#include "wire/neighbors.hpp"
#include "wire/ordinary_memory.hpp"

namespace rondo::internal::pmpi {

namespace {

extern "C" int rondo_pmpi_drop_communicator(MPI_Comm comm, int, void *value, void *) {
  const TypesFreedAtEnd types_freed_at_end;
  auto *communicator = static_cast<Communicator *>(value);
  Communicators::erase(comm);
  dropped_communicators.fetch_add(1, std::memory_order_relaxed);
  // It does not end where it is closed at the end of MPI; and where this call frees it, it is known to be ending.
  const bool ends = calls_beneath > 0 && communicator->is_freed();
  if (ends && !is_freed_here(comm)) keep_end(comm, communicator->take_end());
  *communicator->handle() = MPI_COMM_NULL;
  delete communicator;
  return MPI_SUCCESS;
}

int keyval() {
  static const int key = [] {
    int made = MPI_KEYVAL_INVALID;
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, rondo_pmpi_drop_communicator, &made, nullptr);
    return made;
  }();
  return key;
}

// Whether the handle is a valid communicator. Calls on one that is not go to the MPI library, which reports the error.
bool is_good(MPI_Comm comm) {
#if defined(OPEN_MPI)  // which looks at the handle, and calls no error handler
  return PMPI_Comm_c2f(comm) >= 0;
#else
  const ErrorsReturned returned;
  int inter = 0;
  return PMPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS;
#endif
}

call::Wishes read_wishes() {
  call::Wishes wishes;
  wishes.fault = fault_of([&] {
    const Hints hints = parse_hints(MPI_INFO_NULL);
    wishes.messages_only = hints.messages_only();
    wishes.node_size = hints.node_size;
  });
  return wishes;
}

// Read once, in MPI_Init, unless there was a fault, which may have been for want of memory. Never destroyed, as
// MPI_Finalize may come after main().
call::Wishes wishes_of_environment() {
  static const auto *const once = new call::Wishes(read_wishes());
  return once->fault ? read_wishes() : *once;
}

std::shared_ptr<CallsOfRanks::OfNeighbors> calls_between(CallsOfRanks &calls, const Neighbors &neighbors) {
  auto &last = calls.of_neighbors;
  if (!last || last->neighbors != neighbors) {
    last = std::make_shared<CallsOfRanks::OfNeighbors>(neighbors);
  }
  return last;
}

std::shared_ptr<void> &kept_calls(Duplicate &duplicate) {
  return duplicate.kept(Duplicate::Kept::calls);
}

// Never destroyed, as MPI_Finalize may come after main().
CallsSeen *seen_by(MPI_Comm comm, const Scope &scope) {
  static auto *const seen = new std::unordered_map<std::int64_t, CallsSeen>;
  const bool has_links = scope.known && call::PairExchange::has_links(*scope.known);
  // As all ranks have agreed in MPI_Init: they may have asked for different levels of thread support.
  const bool may_be_known = call::WorldMessages::of_process().is_open();
  if (!scope.served || has_links || !may_be_known) return nullptr;
  return &(*seen)[fingerprint_of(OwnedGroup(comm).get())];
}

}  // namespace

Scope scope_of(MPI_Comm comm) {
  if (is_stray_thread()) return {.is_of_stray_thread = true};
  int inter = 0;
  int ranks = 0;
  int topology = MPI_UNDEFINED;
  PMPI_Comm_test_inter(comm, &inter);
  PMPI_Comm_size(comm, &ranks);
  std::shared_ptr<Duplicate> known = inter != 0 ? nullptr : KnownGroups::of_process().find(comm);
  const bool near = known || within_world(OwnedGroup(comm).get());
  if (inter != 0) return {.joins_groups = near && within_world(OwnedGroup::remote_of(comm).get())};
  PMPI_Topo_test(comm, &topology);
  return {.served = ranks > 1 && near,
          .has_neighbors = topology != MPI_UNDEFINED && !is_folded(comm),
          .known = std::move(known)};
}

Communicator::Communicator(MPI_Comm comm)
    : handle_(std::make_shared<MPI_Comm>(comm)),
      scope_(scope_of(comm)),
      seen_(seen_by(comm, scope_)),
      block_plans_(comm) {
  if (settings().report.any()) tallies_ = Tallies::make();
}

Communicator::~Communicator() {
  if (used_requests_) used_requests_->close();
  if (state_for_started_ == ForStarted::wanted) reasons_to_meet.fetch_sub(1, std::memory_order_relaxed);
}

bool Communicator::may_serve(Call call) const {
  return scope_.served || (scope_.joins_groups && !gathers(call) && !is_of_neighbors(call));
}

Done Communicator::serves(Call call) {
  if (!may_serve(call)) return scope_.is_of_stray_thread ? Done::stray_thread : Done::not_served;
  const std::int64_t number = count(call);  // before anything that one rank alone may fail in
  if (is_of_neighbors(call) && neighbors() == nullptr) return Done::topology;
  if (!may_wait(call)) return serves_started(call, number);
  open_where_wanted();
  if (exchange_ == nullptr) {
    if (refused_) return Done::refused;
    if (gathers(call) && !world_is_one_host()) return Done::no_gain;
    take_over_what_is_left();
    const bool joins = have_links();
    if (!joins && number < settings().cache_after) return Done::too_early;
    open_exchange(joins);
    if (!joins && seen_ != nullptr && !have_links()) seen_->apart = true;
    if (exchange_ == nullptr) return Done::refused;
  }
  if (mixed_up(call)) return Done::topology;
  if (gathers(call) && !exchange_->links().gathers()) return Done::no_gain;
  constexpr std::int64_t between_samples = 64;
  if (settings().report.samples && counts_[index_of(call)] % between_samples == 0) return Done::sample;
  exchange_->links().count_call();
  settled_[index_of(call)] = !settings().report.any();
  return Done::by_rondo;
}

// Whether there are links depends on the collective calls before this one alone.
Done Communicator::serves_started(Call call, std::int64_t number) {
  if (state_for_started_ == ForStarted::not_wanted && number >= settings().cache_after && !refused_) {
    state_for_started_ = ForStarted::wanted;
    settled_ = {};  // the next call that waits is to make them
    reasons_to_meet.fetch_add(1, std::memory_order_relaxed);
  }
  const bool by_messages = exchange_ != nullptr && settings().takes_by_messages(call);
  if (for_started_ == nullptr && !by_messages) return Done::must_not_wait;
  return mixed_up(call) ? Done::topology : Done::by_rondo;
}

void Communicator::open_where_wanted() {
  if (state_for_started_ != ForStarted::wanted) return;
  reasons_to_meet.fetch_sub(1, std::memory_order_relaxed);
  if (exchange_ == nullptr && !refused_) open_exchange(have_links());
  if (exchange_ != nullptr && exchange_->links().join_all()) open_for_started();
  state_for_started_ = ForStarted::answered;
}

// On all ranks or on none.
void Communicator::open_for_started() {
  const Blocked blocked;
  const auto fault = fault_of([this] { for_started_ = exchange_->open_for_started(); });
  if (fault || !for_started_->links().join_all()) return for_started_.reset();
  fault_of([this] { used_requests_ = std::make_shared<UsedRequests>(); });  // without, each request is used once
}

// In the first call that waits: where ranks share a host it costs little to find out that there is nothing. Elsewhere
// the call that makes the exchange finds it.
void Communicator::take_over_what_is_left() {
  auto &pool = DuplicatePool::of_process();
  if (has_asked_pool_ || scope_.joins_groups || !pool.is_open() || !world_is_one_host()) return;
  has_asked_pool_ = true;
  fault_of([&] { scope_.known = pool.borrow(comm(), drive_what_runs); });
  if (!have_links()) scope_.known.reset();  // what is left are plans: the exchange that is made finds it
}

// Whether its ranks know each other and have links. The same on all of them, in calls that wait.
bool Communicator::have_links() {
  if (scope_.joins_groups) return false;
  Duplicate *const known = this->known();
  return known != nullptr && !known->agreement().has_stalled() && call::PairExchange::has_links(*known);
}

// Ranks that did not know each other may by now, if a group has been added.
Duplicate *Communicator::known() {
  const KnownGroups &groups = KnownGroups::of_process();
  if (!scope_.known && !scope_.joins_groups && groups_known_ != groups.count()) {
    scope_.known = groups.find(comm());
    groups_known_ = groups.count();
  }
  return scope_.known.get();
}

Communicator *Communicator::first_that_wants_links(const Duplicate &known) {
  Communicator *first = nullptr;
  Communicators::for_each([&](Communicator &one) {
    const bool wants = one.state_for_started_ == ForStarted::wanted && one.number_among_topologies_ > 0;
    if (!wants || one.freed_ || one.known() != &known) return;
    if (first == nullptr || one.number_among_topologies_ < first->number_among_topologies_) first = &one;
  });
  return first;
}

std::int64_t Communicator::calls_that_did_not_wait() const {
  return std::accumulate(counts_.begin() + index_of(Call::ialltoall), counts_.begin() + index_of(Call::persistent),
                         std::int64_t{0});
}

// Whether the MPI library may mix up the blocks of neighbours that are the same rank, which it has not been asked for
// but in the calls with counts and one type: MPICH 4.0 does in MPI_Neighbor_alltoall. All ranks answer the same.
bool Communicator::mixed_up(Call call) const {
  const bool asked = call == Call::neighbor_alltoallv || call == Call::ineighbor_alltoallv;
  return is_of_neighbors(call) && !asked && exchange_->repeated_neighbors();
}

// Throws where the MPI library mixes up the blocks of this communicator's neighbours: it has done the first calls, and
// the program may count on the later ones to do the same.
void Communicator::check_neighbors() {
  const Neighbors *const own = neighbors();
  if (own == nullptr || !own->repeated || !library_mixes_up_repeated_neighbors(comm())) return;
  throw Error(Fault::comm, "this MPI library mixes up the blocks of neighbours that are the same rank");
}

// Makes the exchange, on all ranks or on none; where it cannot be made, the MPI library goes on doing the calls. It
// joins those of the same ranks if these have links already.
void Communicator::open_exchange(bool joins) {
  const Blocked blocked;
  try {
    call::PairExchange::Brought brought;
    brought.fault = fault_of([&] {
      check_neighbors();
      brought.repeated = neighbors() != nullptr && neighbors()->repeated;
      if (joins) shared_ = std::static_pointer_cast<CallsOfRanks>(kept_calls(*scope_.known));
      if (!shared_) shared_ = std::make_shared<CallsOfRanks>();
      if (neighbors() != nullptr) of_neighbors_ = calls_between(*shared_, *neighbors());
    });
    if (joins) {
      exchange_ = call::PairExchange::join(scope_.known, std::move(brought));
    } else {
      exchange_ = call::PairExchange::open(comm(), wishes_of_environment(), std::move(brought));
    }
    kept_calls(exchange_->duplicate()) = shared_;
  } catch (const Error &error) {
    refused_ = true;
    shared_.reset();
    int rank = 0;
    PMPI_Comm_rank(comm(), &rank);
    static std::atomic<bool> said{false};
    const bool is_programs = world_is_up();  // and no rehearsal
    if (is_programs && rank == 0 && !said.exchange(true)) {
      std::fprintf(stderr, "[rondo] calls are left to the MPI library: %s\n", error.what());
    }
  }
}

Communicator *make_communicator(MPI_Comm comm) {
  if (!is_good(comm)) return nullptr;
  auto fresh = std::make_unique<Communicator>(comm);
  Communicators::insert(comm, fresh.get());
  const int code = PMPI_Comm_set_attr(comm, keyval(), fresh.get());
  if (code == MPI_SUCCESS) return fresh.release();
  Communicators::erase(comm);
  check_mpi(code, "MPI_Comm_set_attr");
  return nullptr;
}

constinit thread_local LastFound<Communicator> last_communicator [[gnu::tls_model("initial-exec")]];
constinit std::atomic<std::uint64_t> dropped_communicators{1};

Communicator *look_up_communicator(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL || !world_is_up()) return nullptr;
  if (is_ending(comm)) return nullptr;
  const std::uint64_t now = dropped_communicators.load(std::memory_order_relaxed);
  Communicator *const found = Communicators::find_or_make(comm, [&] { return make_communicator(comm); });
  if (found == nullptr || found->is_freed()) return nullptr;
  last_communicator = {bits_of(comm), found, now};
  return found;
}

MPI_Comm comm_of_all_ranks() {
  const ErrorsReturned returned;
  int rank = 0;
  MPI_Comm made = MPI_COMM_NULL;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return PMPI_Comm_split(MPI_COMM_WORLD, 0, rank, &made) == MPI_SUCCESS ? made : MPI_COMM_NULL;
}

void prepare_communicators() {
  wishes_of_environment();
  are_ordinary_memory(nullptr, nullptr);  // asks the system, which takes longer than a call
}

namespace {

// Makes links for a communicator's ranks. Null where there can be none, on all of them.
std::shared_ptr<call::PairExchange> open_links(MPI_Comm comm) {
  std::shared_ptr<call::PairExchange> opened;
  fault_of([&] { opened = call::PairExchange::open(comm, wishes_of_environment(), {}); });
  return opened;
}

bool work_on_own_cores(const std::shared_ptr<call::PairExchange> &ranks) {
  return ranks != nullptr && ranks->links().join_all() && ranks->links().have_cores();
}

// Links of all ranks that a later communicator may have. All ranks answer alike.
struct LinksToLend {
  LinksToLend() {
    using std::chrono::steady_clock;
    constexpr long long longest = 10'000'000;  // nanoseconds
    const auto begin = steady_clock::now();
    comm = comm_of_all_ranks();
    if (comm == MPI_COMM_NULL) return;
    const auto opened = open_links(comm);
    long long taken = std::chrono::nanoseconds(steady_clock::now() - begin).count();
    PMPI_Allreduce(MPI_IN_PLACE, &taken, 1, MPI_LONG_LONG, MPI_MAX, comm);
    more = opened != nullptr && taken < longest;
    on_own_cores = work_on_own_cores(opened);
  }

  MPI_Comm comm = MPI_COMM_NULL;  // which is freed when all have been made
  bool on_own_cores = false;
  // Whether there ought to be more: it has not taken long, as it does where ranks outnumber cores and the MPI library
  // spins (0.1 s).
  bool more = false;
};

}  // namespace

bool open_links_of_world() {
  int ranks = 0;
  PMPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (ranks == 1) return false;
  if (!DuplicatePool::of_process().is_open()) return work_on_own_cores(open_links(MPI_COMM_WORLD));
  constexpr std::size_t most = 4;  // communicators at once that find links: as many as most programs have
  std::array<std::optional<LinksToLend>, most> all;
  for (std::optional<LinksToLend> &one : all) {
    if (!one.emplace().more) break;
  }
  const bool on_own_cores = all.front()->on_own_cores;
  for (std::optional<LinksToLend> &one : all) {
    if (one && one->comm != MPI_COMM_NULL) PMPI_Comm_free(&one->comm);
  }
  return on_own_cores;
}

void close_communicators() {
  const TypesFreedAtEnd types_freed_at_end;
  dropped_communicators.fetch_add(1, std::memory_order_relaxed);
  std::vector<MPI_Comm> open;
  Communicators::for_each([&](const Communicator &communicator) { open.push_back(communicator.comm()); });
  for (const MPI_Comm comm : open) PMPI_Comm_delete_attr(comm, keyval());
}

}  // namespace rondo::internal::pmpi
