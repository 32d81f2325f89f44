#include "pmpi/stand_in.hpp"

#include <cstddef>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "pmpi/blocked.hpp"
#include "pmpi/poll.hpp"
#include "pmpi/raise.hpp"
#include "wire/agreement.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal::pmpi {

namespace {

// Operations whose requests were freed before they were complete: a list, which takes no memory.
class Orphans {
 public:
  void add(std::unique_ptr<StandIn> orphan) {
    const std::lock_guard lock(mutex_);
    orphan->next_orphan = std::move(first_);
    first_ = std::move(orphan);
  }

  // Frees those that are complete; whether there are others.
  bool reap() {
    std::unique_ptr<StandIn> done;
    const std::lock_guard lock(mutex_);
    for (std::unique_ptr<StandIn> *at = &first_; *at != nullptr;) {
      if (!(*at)->complete()) {
        at = &(*at)->next_orphan;
        continue;
      }
      std::unique_ptr<StandIn> orphan = std::move(*at);
      *at = std::move(orphan->next_orphan);
      orphan->next_orphan = std::move(done);
      done = std::move(orphan);
    }
    return first_ != nullptr;
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<StandIn> first_;
};

// Never destroyed: a program may free requests after main().
Orphans &orphans() {
  alignas(Orphans) static std::byte room[sizeof(Orphans)];
  static auto *const list = new (room) Orphans;
  return *list;
}

}  // namespace

StandIn::StandIn(std::unique_ptr<Operation> operation, Lifetime lifetime, std::shared_ptr<MPI_Comm> errors_to)
    : operation_(std::move(operation)), lifetime_(lifetime), errors_to_(std::move(errors_to)) {
  check_mpi(PMPI_Recv_init(nullptr, 0, MPI_BYTE, 0, 0, MPI_COMM_SELF, &handle_), "MPI_Recv_init");
  try {
    StandIns::insert(handle_, this);
  } catch (...) {
    PMPI_Request_free(&handle_);
    throw;
  }
}

StandIn::~StandIn() {
  if (active_) end_running();
  if (handle_ == MPI_REQUEST_NULL) return;
  StandIns::erase(handle_);
  PMPI_Request_free(&handle_);
}

void StandIn::start() {
  if (active_) throw Error(Fault::request, "start of an active request");
  begin_running();
  try {
    operation_->start();
  } catch (...) {
    end_running();
    throw;
  }
  active_ = true;
  complete_.store(false, std::memory_order_release);
}

// Runs ended(), which says whether the operation is at its end, unless it is known already, and lets go of it. A start
// is not held: what it has done is seen with complete_.
template <class Ended>
void StandIn::look_held(Ended &&ended) {
  bool complete = complete_.load(std::memory_order_acquire);
  if (!complete) {
    fault_ = fault_of([&] { complete = ended(); });
    if (complete || fault_) complete_.store(true, std::memory_order_release);
  }
  held_.clear(std::memory_order_release);
}

void StandIn::advance() {
  if (complete_.load(std::memory_order_acquire)) return;
  if (held_.test_and_set(std::memory_order_acquire)) return;  // another thread is at it
  look_held([this] { return operation_->test(); });
}

void StandIn::drive() noexcept {
  advance();
}

void StandIn::help(bool may_call_mpi) noexcept {
  if (complete_.load(std::memory_order_acquire)) return;
  if (held_.test_and_set(std::memory_order_acquire)) return;  // another thread is at it
  look_held([&] {
    operation_->help(may_call_mpi);
    return false;  // the program's thread completes it
  });
}

bool StandIn::complete() {
  if (!active_) return true;
  advance();
  return complete_.load(std::memory_order_acquire);
}

// Where nothing else has to be driven, the operation's own way to wait is best: it sleeps until it is rung up. What
// another thread starts meanwhile, the thread for blocked calls drives.
void StandIn::wait() {
  if (!active_) return;
  if (running_now() == 1 && !complete() && !held_.test_and_set(std::memory_order_acquire)) {
    const Blocked blocked;
    look_held([this] {
      operation_->wait();
      return true;
    });
  }
  for (Poll poll; !complete(); poll.pause()) {
  }
}

int StandIn::retire(MPI_Request *request, MPI_Status *status) {
  set_empty(status);
  if (!active_) return MPI_SUCCESS;
  end_running();
  active_ = false;
  const std::optional<Error> fault = std::exchange(fault_, std::nullopt);
  const std::shared_ptr<MPI_Comm> errors_to = errors_to_;
  if (lifetime_ == Lifetime::one_use) free(this, request);
  return fault ? pmpi::raise(*errors_to, *fault) : MPI_SUCCESS;
}

void StandIn::free(StandIn *stand_in, MPI_Request *request) {
  std::unique_ptr<StandIn> owned(stand_in);
  *request = MPI_REQUEST_NULL;
  if (owned->active_ && !owned->complete()) {
    StandIns::erase(owned->handle_);
    PMPI_Request_free(&owned->handle_);
    orphans().add(std::move(owned));
  }
  orphans().reap();
}

int StandIn::raise(const Error &error) const {
  return pmpi::raise(*errors_to_, error);
}

void close_stand_ins() {
  for (Poll poll; orphans().reap(); poll.pause()) {
  }
  std::vector<StandIn *> left;
  StandIns::for_each([&](StandIn &one) { left.push_back(&one); });
  for (StandIn *one : left) delete one;
}

}  // namespace rondo::internal::pmpi
