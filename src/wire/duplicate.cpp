#include "wire/duplicate.hpp"

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

#include "wire/await.hpp"
#include "wire/made_comm.hpp"
#include "wire/mpi_call.hpp"
#include "wire/user_errors_returned.hpp"

namespace rondo::internal {

namespace {

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

}  // namespace

void close_duplicates() {
  open_duplicates().close_all();
}

// Some MPI libraries tell it on MPI_COMM_WORLD only.
int largest_tag(MPI_Comm comm) {
  void *limit = nullptr;
  int found = 0;
  MPI_Comm_get_attr(comm, MPI_TAG_UB, &limit, &found);
  if (found == 0 && has_world()) MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &limit, &found);
  constexpr int least = 32767;  // that MPI asks of a library
  return found != 0 ? *static_cast<int *>(limit) : least;
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

// This rank's part, as far as it is local where all ranks are known to be on one host.
void Duplicate::introduce(Introduction &own, MPI_Comm user) {
  const bool one_host = comm_.get() == MPI_COMM_NULL;
  if (one_host) know_ranks(user);
  agreement_.open(one_host ? user : comm_.get(), *node_);
  own.board = -1;
  Node::introduce(own);
  node_->meet(comm_.get(), rank_);
  segment_ = std::make_unique<Segment>(*node_);
  segment_->introduce(own);
}

Introduction Duplicate::introduce_on_host(MPI_Comm user) {
  Introduction own{};
  introduce(own, user);
  return own;
}

void Duplicate::meet_on_host(MPI_Comm user, std::span<const Introduction> told) {
  std::copy(told.begin(), told.end(), introductions_.begin());
  set_up(user, std::nullopt);
}

// With a fault a rank goes on to the agreement at the end, where the others meet it. The ranks of a node tell each
// other by a call of all: one on the node alone would need a communicator, which takes longer to make than all of this.
void Duplicate::meet(MPI_Comm user) {
  Introduction own{};
  auto fault = fault_of([&] { introduce(own, user); });
  gather<Introduction>(comm_.get() == MPI_COMM_NULL ? user : comm_.get(), own, introductions_);
  keep_those_of_node();
  set_up(user, std::move(fault));
}

void Duplicate::keep_those_of_node() {
  const std::vector<int> &members = node_->members();
  for (std::size_t local = 0; local < members.size(); ++local) {  // which ascend
    introductions_[local] = introductions_[members[local]];
  }
  introductions_.resize(members.size());
}

// After that the ranks of the node have introduced themselves.
void Duplicate::set_up(MPI_Comm user, std::optional<Error> fault) {
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

}  // namespace rondo::internal
