#pragma once

// What is kept for a communicator of the program's, as an attribute of it.

#include <mpi.h>

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "call/pair_call.hpp"
#include "pmpi/calls/block_plans.hpp"
#include "pmpi/calls/caches.hpp"
#include "pmpi/calls/ending.hpp"
#include "pmpi/report/tally.hpp"
#include "pmpi/requests/used_requests.hpp"
#include "pmpi/settings/settings.hpp"
#include "wire/handle_table.hpp"
#include "wire/neighbors.hpp"

namespace rondo::internal::pmpi {

// What the ranks of a communicator know of it alike.
struct Scope {
  // Whether calls on it may be taken over: it is an intracommunicator of several ranks, all of this MPI_COMM_WORLD. (If
  // one rank is of another world, no rank has all others in its own.)
  bool served = false;
  // Whether it is an intercommunicator of ranks that are all of this MPI_COMM_WORLD: all-to-alls on it may be taken
  // over.
  bool joins_groups = false;
  // Whether it has a topology on which calls between neighbours may be taken over. On some topologies the MPI libraries
  // mix up blocks (docs/limits.md): calls on these are left to the library, as a program may count on what it does.
  bool has_neighbors = false;
  // Whether none of this may be, as its first call has come in a thread that must not call MPI: what communicators of
  // the same ranks have in common is the main thread's.
  bool is_of_stray_thread = false;
  // What its ranks have, if they knew each other (wire/known_groups.hpp) when this was last asked; or what an earlier
  // communicator has left to this one (wire/duplicate_pool.hpp).
  std::shared_ptr<Duplicate> known{};
};
// Takes no memory, since a rank that has none left must get the same answer as the others.
Scope scope_of(MPI_Comm comm);

// What the calls on communicators of the same ranks have in common, where these know each other: the messages of the
// last calls of each kind, and the call that waits, of which there is one at a time.
struct CallsOfRanks {
  // Of calls between neighbours, as communicators with the same ones have in common.
  struct OfNeighbors {
    explicit OfNeighbors(Neighbors given) : neighbors(std::move(given)) {}

    const Neighbors neighbors;
    Caches caches;
  };

  Caches caches;
  std::shared_ptr<OfNeighbors> of_neighbors;  // of the last communicator that has them
  call::PairCall waiting{call::PairCall::Ways::links_and_messages};
};

using CallCounts = std::array<std::int64_t, calls>;

// How often ranks have made calls that wait, on whatever communicators of theirs; until they find out that they cannot
// know each other: then each communicator counts for itself.
struct CallsSeen {
  CallCounts counts{};
  bool apart = false;
};

class Communicator {
 public:
  explicit Communicator(MPI_Comm comm);
  ~Communicator();
  Communicator(const Communicator &) = delete;
  Communicator &operator=(const Communicator &) = delete;

  [[nodiscard]] const Scope &scope() const { return scope_; }
  // Its neighbours, if calls between them may be taken over, too; else null.
  const Neighbors *neighbors() {
    if (!neighbors_ && scope_.has_neighbors) neighbors_ = neighbors_of(comm());
    return neighbors_ ? &*neighbors_ : nullptr;
  }

  // Counts a call and says who does it. All ranks answer the same without communicating:
  //   - calls on a communicator come in the same order on all ranks, so before each call all ranks have counted the
  //     same number of calls of each kind;
  //   - blocking calls are taken over once there is an exchange. All ranks make it together in the first call of a
  //     communicator whose ranks have links already, as those of MPI_COMM_WORLD may from MPI_Init on, or which takes
  //     over those of one that has been freed, else in that call
  //     of a kind which is the cache_after-th of these ranks (RONDO_CACHE_AFTER), whose calls that wait come in one
  //     order, whatever the communicator; where ranks cannot know each other (wire/known_groups.hpp), on the
  //     communicator;
  //   - non-blocking calls (MPI_Ialltoallv and its like) are taken over once there is an exchange for them. They cannot
  //     make it, as they must not wait. The first collective call that may wait makes it, of whatever kind, when there
  //     have been cache_after of these calls of one kind on the communicator. Where not all of its ranks share a node,
  //     such calls are taken over if they gain by messages (gains_by_messages), once there is an exchange for calls
  //     that wait;
  //   - all-gathers are taken over where all ranks share a node (CallLinks::gathers), and no exchange is made for them
  //     in a program of several nodes;
  //   - with RONDO_REPORT=saved the MPI library does each 64th call that waits.
  Done serves(Call call);
  // Whether Rondo does a call that waits, as it has done the last ones of this kind, which nothing but calls that do
  // not wait can change: then the call is counted. Where not, serves() has the answer.
  bool serves_as_before(Call call) {
    if (!settled_[index_of(call)]) return false;
    count(call);
    exchange_->links().count_call();
    return true;
  }

  // In a collective call that may wait: makes what calls that do not wait have asked for (pmpi/calls/meetings.hpp).
  void open_where_wanted();
  [[nodiscard]] bool wants_links() const { return state_for_started_ == ForStarted::wanted; }
  // Of communicators with a topology that these ranks have made and not freed, the first that wants links.
  static Communicator *first_that_wants_links(const Duplicate &known);
  // 0: it has none.
  [[nodiscard]] std::int64_t number_among_topologies() const { return number_among_topologies_; }
  void set_number_among_topologies(std::int64_t number) { number_among_topologies_ = number; }
  [[nodiscard]] std::int64_t calls_that_did_not_wait() const;

  // What its ranks have if they know each other by now; null where they do not. The same on all of them, in calls that
  // wait.
  Duplicate *known();

  [[nodiscard]] const std::shared_ptr<call::PairExchange> &exchange() const { return exchange_; }
  // Of calls that do not wait.
  [[nodiscard]] const std::shared_ptr<call::PairExchange> &exchange_for_started() const {
    return for_started_ ? for_started_ : exchange_;
  }
  [[nodiscard]] call::Peers peers(Call call) {
    return {exchange_->rank(), exchange_->ranks(), is_of_neighbors(call) ? neighbors() : exchange_->opposite()};
  }
  // Of one that has an exchange.
  call::MessageCache &cache(Call call) {
    return (is_of_neighbors(call) ? of_neighbors_->caches : shared_->caches)[index_of(call)];
  }
  BlockPlans &block_plans() { return block_plans_; }
  // Does the blocking calls, likewise.
  call::PairCall &waiting_call() { return shared_->waiting; }

  // Of calls that do not wait and go by links.
  [[nodiscard]] const std::shared_ptr<UsedRequests> &used_requests() const {
    return used_requests_ ? used_requests_ : UsedRequests::none();
  }

  // Null unless RONDO_REPORT asks for it.
  [[nodiscard]] const std::shared_ptr<Tallies> &tallies() const { return tallies_; }

  [[nodiscard]] MPI_Comm comm() const { return *handle_; }
  // MPI_COMM_NULL once it has ended.
  [[nodiscard]] const std::shared_ptr<MPI_Comm> &handle() const { return handle_; }

  // Whether the program has freed it. It ends when nothing that is under way needs it any more.
  [[nodiscard]] bool is_freed() const { return freed_; }
  void set_freed(bool freed) { freed_ = freed; }
  // What tells that it has ended.
  [[nodiscard]] std::unique_ptr<Ending> take_end() { return std::move(end_); }

 private:
  [[nodiscard]] bool may_serve(Call call) const;
  [[nodiscard]] bool mixed_up(Call call) const;
  void check_neighbors();
  // Which of its kind the call is: of those of the ranks if it waits, else on the communicator.
  std::int64_t count(Call call) {
    const std::int64_t here = ++counts_[index_of(call)];
    if (seen_ == nullptr || !may_wait(call)) return here;
    const std::int64_t of_ranks = ++seen_->counts[index_of(call)];
    return seen_->apart ? here : of_ranks;
  }
  [[nodiscard]] bool have_links();
  void open_exchange(bool joins);
  void take_over_what_is_left();
  [[nodiscard]] Done serves_started(Call call, std::int64_t number);
  void open_for_started();

  std::shared_ptr<MPI_Comm> handle_;
  Scope scope_;
  std::optional<Neighbors> neighbors_;  // once they have been asked for
  CallCounts counts_{};
  CallsSeen *seen_;                    // of its ranks; null where there are no links to be shared
  bool refused_ = false;               // no exchange could be made
  std::array<bool, calls> settled_{};  // kinds of call that wait, are Rondo's from now on, and are not reported
  bool has_asked_pool_ = false;
  std::shared_ptr<call::PairExchange> exchange_;
  // Links for calls that do not wait: whether these ask for them, or have had the answer.
  enum class ForStarted : std::uint8_t { not_wanted, wanted, answered } state_for_started_{};
  std::shared_ptr<call::PairExchange> for_started_;
  std::int64_t number_among_topologies_ = 0;
  std::size_t groups_known_ = 0;                 // of this process, when these ranks were looked for last
  std::shared_ptr<UsedRequests> used_requests_;  // null where none are to be kept
  std::shared_ptr<CallsOfRanks> shared_;
  std::shared_ptr<CallsOfRanks::OfNeighbors> of_neighbors_;  // null without neighbours
  BlockPlans block_plans_;
  std::shared_ptr<Tallies> tallies_;
  bool freed_ = false;
  std::unique_ptr<Ending> end_ = std::make_unique<Ending>();
};

using Communicators = HandleTable<MPI_Comm, Communicator>;

// The communicator that a thread asked for last.
extern constinit thread_local LastFound<Communicator> last_communicator [[gnu::tls_model("initial-exec")]];
extern constinit std::atomic<std::uint64_t> dropped_communicators;

Communicator *look_up_communicator(MPI_Comm comm);

// Null where calls on it are not Rondo's affair: a null or bad communicator, or no MPI_COMM_WORLD. Local.
inline Communicator *communicator(MPI_Comm comm) {
  const LastFound<Communicator> &last = last_communicator;
  const bool is_last = last.serves(comm, dropped_communicators.load(std::memory_order_relaxed));
  return is_last ? last.found : look_up_communicator(comm);
}

// The following are called by MPI_Init, where look_up_communicator() finds none yet.
//
// What is kept for this communicator from now on; null where it is none. Local; throws std::bad_alloc.
Communicator *make_communicator(MPI_Comm comm);
// A communicator of all ranks that has none of the attributes of MPI_COMM_WORLD, whose functions are not to be called;
// MPI_COMM_NULL where the MPI library has none left. Collective.
MPI_Comm comm_of_all_ranks();
// Finds out what is the same for all communicators of the process. Local.
void prepare_communicators();
// Where all ranks share a host: makes the links of MPI_COMM_WORLD's ranks, on all of them or on none. Whether there are
// links, and no more ranks than cores, which all ranks answer alike.
bool open_links_of_world();
// Called in MPI_Finalize.
void close_communicators();

}  // namespace rondo::internal::pmpi
