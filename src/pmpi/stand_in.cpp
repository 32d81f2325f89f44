#include "pmpi/stand_in.hpp"

#include <mutex>
#include <utility>
#include <vector>

#include "pmpi/poll.hpp"
#include "pmpi/raise.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::pmpi {

namespace {

// Operations whose requests were freed before they were complete.
class Orphans {
 public:
  void add(std::unique_ptr<StandIn> orphan) {
    const std::lock_guard lock(mutex_);
    all_.push_back(std::move(orphan));
  }

  // Frees those that are complete; whether there are others.
  bool reap() {
    std::vector<std::unique_ptr<StandIn>> done;
    const std::lock_guard lock(mutex_);
    for (auto &orphan : all_) {
      if (orphan->complete()) done.push_back(std::move(orphan));
    }
    std::erase(all_, nullptr);
    return !all_.empty();
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<StandIn>> all_;
};

Orphans &orphans() {
  static auto *const list = new Orphans;
  return *list;
}

}  // namespace

StandIn::StandIn(std::unique_ptr<Operation> operation, Lifetime lifetime, std::shared_ptr<MPI_Comm> errors_to)
    : operation_(std::move(operation)), lifetime_(lifetime), errors_to_(std::move(errors_to)) {
  check_mpi(PMPI_Recv_init(nullptr, 0, MPI_BYTE, 0, 0, MPI_COMM_SELF, &handle_), "MPI_Recv_init");
  StandIns::insert(handle_, this);
}

StandIn::~StandIn() {
  if (active_) end_running();
  if (handle_ == MPI_REQUEST_NULL) return;
  StandIns::erase(handle_);
  PMPI_Request_free(&handle_);
}

void StandIn::start() {
  if (active_) throw Error(Fault::request, "start of an active request");
  complete_.store(false, std::memory_order_relaxed);
  operation_->start();
  active_ = true;
  begin_running();
}

// Runs ended(), which says whether the operation is at its end, unless it is known already, and lets go of it.
template <class Ended>
void StandIn::look_held(Ended &&ended) {
  try {
    if (!complete_.load(std::memory_order_relaxed) && ended()) complete_.store(true, std::memory_order_release);
  } catch (const Error &error) {
    fault_ = error;
    complete_.store(true, std::memory_order_release);
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

// Where nothing else has to be driven, the operation's own way to wait is best: it sleeps until it is rung up.
void StandIn::wait() {
  if (!active_) return;
  if (running_now() == 1 && !complete() && !held_.test_and_set(std::memory_order_acquire)) {
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

void set_empty(MPI_Status *status) {
  if (status == MPI_STATUS_IGNORE) return;
  status->MPI_SOURCE = MPI_ANY_SOURCE;
  status->MPI_TAG = MPI_ANY_TAG;
  status->MPI_ERROR = MPI_SUCCESS;
  PMPI_Status_set_elements(status, MPI_BYTE, 0);
  PMPI_Status_set_cancelled(status, 0);
}

void close_stand_ins() {
  for (Poll poll; orphans().reap(); poll.pause()) {
  }
  std::vector<StandIn *> left;
  StandIns::for_each([&](StandIn &one) { left.push_back(&one); });
  for (StandIn *one : left) delete one;
}

}  // namespace rondo::pmpi
