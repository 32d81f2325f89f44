#include "pmpi/requests/proxy_request.hpp"

#include <cstddef>
#include <new>
#include <utility>
#include <vector>

#include "plan/progress.hpp"
#include "pmpi/pass/blocked.hpp"
#include "pmpi/requests/poll.hpp"
#include "pmpi/requests/raise.hpp"
#include "pmpi/requests/used_requests.hpp"
#include "wire/agreement.hpp"
#include "wire/held_type.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal::pmpi {

namespace {

// Operations whose requests were freed before they were complete: a list, which takes no memory. They are driven like
// a plan, as nobody else will ask for them.
class Orphans : private Driven {
 public:
  Orphans() : Driven(true) {}

  void add(std::unique_ptr<ProxyRequest> orphan) {
    const Hold hold(*this);
    end_running();
    begin_running();
    orphan->next_orphan = std::move(first_);
    first_ = std::move(orphan);
  }

  // Frees those that are complete; whether there are others.
  bool reap() {
    std::unique_ptr<ProxyRequest> done;
    const Hold hold(*this);
    for (std::unique_ptr<ProxyRequest> *at = &first_; *at != nullptr;) {
      if (!(*at)->complete()) {
        at = &(*at)->next_orphan;
        continue;
      }
      std::unique_ptr<ProxyRequest> orphan = std::move(*at);
      *at = std::move(orphan->next_orphan);
      orphan->next_orphan = std::move(done);
      done = std::move(orphan);
    }
    if (first_ == nullptr) end_running();
    return first_ != nullptr;
  }

 private:
  // Frees none of them: this is called with the list of plans locked, which freeing an operation changes. reap() frees.
  bool advance() override {
    bool complete = true;
    for (ProxyRequest *orphan = first_.get(); orphan != nullptr; orphan = orphan->next_orphan.get()) {
      complete = orphan->look() && complete;
    }
    if (complete) end_running();
    return complete;
  }
  [[nodiscard]] std::size_t position() const override { return 0; }

  std::unique_ptr<ProxyRequest> first_;
};

// Made with the first request, since making it takes memory, which may be missing when a request is freed. Never
// destroyed: a program may free requests after main().
constinit std::atomic<Orphans *> orphans{nullptr};

void make_orphans() {
  alignas(Orphans) static std::byte memory[sizeof(Orphans)];
  static auto *const list = new (memory) Orphans;
  orphans.store(list);
}

}  // namespace

constinit thread_local LastFound<ProxyRequest> last_proxy [[gnu::tls_model("initial-exec")]];
constinit std::atomic<std::uint64_t> ended_proxies{1};

// What is counted before the table is asked may have ended meanwhile, and is looked up anew then.
ProxyRequest *look_up_proxy(MPI_Request request) {
  const std::uint64_t now = ended_proxies.load(std::memory_order_relaxed);
  ProxyRequest *const found = ProxyRequests::find(request);
  if (found != nullptr) last_proxy = {bits_of(request), found, now};
  return found;
}

ProxyRequest::ProxyRequest(std::unique_ptr<Operation> operation, std::shared_ptr<MPI_Comm> errors_to,
                           std::shared_ptr<UsedRequests> used)
    : operation_(std::move(operation)), errors_to_(std::move(errors_to)), used_(std::move(used)) {
  make_orphans();
  check_mpi(PMPI_Recv_init(nullptr, 0, MPI_BYTE, 0, 0, MPI_COMM_SELF, &handle_), "MPI_Recv_init");
  try {
    ProxyRequests::insert(handle_, this);
  } catch (...) {
    PMPI_Request_free(&handle_);
    throw;
  }
}

ProxyRequest::~ProxyRequest() {
  give_up_handle();
}

void ProxyRequest::give_up_handle() {
  if (handle_ == MPI_REQUEST_NULL) return;
  ProxyRequests::erase(handle_);
  ended_proxies.fetch_add(1, std::memory_order_relaxed);
  PMPI_Request_free(&handle_);
}

void ProxyRequest::start() {
  if (active_) throw Error(Fault::request, "start of an active request");
  operation_->start();
  active_ = true;
  complete_.store(false, std::memory_order_release);
  help_blocked();
}

// Whether the operation is complete. If that is not known yet, one thread at a time asks ended(). A start needs no
// lock: a thread that reads complete_ as false sees all that the start has done.
template <class Ended>
bool ProxyRequest::ask(Ended &&ended) {
  if (complete_.load(std::memory_order_acquire)) return true;
  if (!hold()) return false;  // another thread is at it
  bool complete = complete_.load(std::memory_order_acquire);
  if (!complete) {
    fault_ = fault_of([&] { complete = ended(); });
    complete = complete || fault_;
    if (complete) complete_.store(true, std::memory_order_release);
  }
  held_.store(false, std::memory_order_release);
  return complete;
}

bool ProxyRequest::hold() {
  if (several_threads.load(std::memory_order_relaxed)) return !held_.exchange(true, std::memory_order_acquire);
  held_.store(true, std::memory_order_relaxed);
  return true;
}

bool ProxyRequest::complete() {
  return ask([this] { return operation_->test(); });
}

bool ProxyRequest::look() {
  return ask([this] { return operation_->look(); });
}

// Waits as the operation itself does, which may sleep until its bell rings.
void ProxyRequest::wait() {
  const auto wait_for_it = [this] {
    operation_->wait();
    return true;
  };
  for (Poll poll; !ask(wait_for_it); poll.pause()) {
  }
}

int ProxyRequest::retire(MPI_Request *request, MPI_Status *status) {
  set_empty(status);
  if (!active_) return MPI_SUCCESS;
  active_ = false;
  if (!fault_) {
    if (used_) leave(request);
    return MPI_SUCCESS;
  }
  const Error fault = *std::exchange(fault_, std::nullopt);
  const std::shared_ptr<MPI_Comm> errors_to = errors_to_;
  if (used_) free(this, request);
  return pmpi::raise(*errors_to, fault);
}

bool ProxyRequest::is_kept() const {
  return used_ && !active_ && used_->has(*this);
}

void ProxyRequest::leave(MPI_Request *request) {
  if (!used_->keep(*this)) return free(this, request);
  *request = MPI_REQUEST_NULL;
  orphans.load()->reap();
}

void ProxyRequest::free(ProxyRequest *proxy, MPI_Request *request) {
  const TypesFreedAtEnd types_freed_at_end;
  if (proxy->is_kept()) {  // it is the program's no more
    *request = MPI_REQUEST_NULL;
    return;
  }
  std::unique_ptr<ProxyRequest> owned(proxy);
  *request = MPI_REQUEST_NULL;
  if (owned->active_ && !owned->complete()) {
    owned->give_up_handle();
    orphans.load()->add(std::move(owned));
  }
  orphans.load()->reap();
}

int ProxyRequest::raise(const Error &error) const {
  return pmpi::raise(*errors_to_, error);
}

void close_proxies() {
  const TypesFreedAtEnd types_freed_at_end;
  if (Orphans *const list = orphans.load()) {
    for (Poll poll; list->reap(); poll.pause()) {
    }
  }
  std::vector<ProxyRequest *> left;
  ProxyRequests::for_each([&](ProxyRequest &one) { left.push_back(&one); });
  for (ProxyRequest *one : left) {
    if (!one->is_kept()) delete one;
  }
}

}  // namespace rondo::internal::pmpi
