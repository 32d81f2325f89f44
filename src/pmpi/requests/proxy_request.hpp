#pragma once

// Proxies of requests: the MPI requests by which a program knows operations of Rondo's.
//
// A proxy is a real request of the MPI library's, so that the program can store, compare, copy and convert it: a
// persistent receive from itself, which is never started. (Not one from MPI_PROC_NULL: MPICH before 4.1 does not start
// the program's own persistent collectives that it makes in the place of such a request.) A table leads from it to the
// operation.

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "exchange/error.hpp"
#include "pmpi/requests/operation.hpp"
#include "wire/handle_table.hpp"
#include "wire/status.hpp"

namespace rondo::internal::pmpi {

class UsedRequests;

class ProxyRequest {
 public:
  // `errors_to` is MPI_COMM_NULL once the program has freed the communicator. A request of one use has somewhere to go
  // when it is over; a persistent one has not. Throws Error.
  ProxyRequest(std::unique_ptr<Operation> operation, std::shared_ptr<MPI_Comm> errors_to,
               std::shared_ptr<UsedRequests> used = nullptr);
  ~ProxyRequest();
  ProxyRequest(const ProxyRequest &) = delete;
  ProxyRequest &operator=(const ProxyRequest &) = delete;

  [[nodiscard]] MPI_Request handle() const { return handle_; }
  [[nodiscard]] bool active() const { return active_; }

  void start();     // throws Error
  bool complete();  // drives what runs; true for an inactive one too
  bool look();      // the same, but drives this one alone
  void wait();      // until complete() is true

  // The end of an operation that is complete: a persistent request is inactive from then on, another is the program's
  // no more and set to MPI_REQUEST_NULL. Gives the code of the MPI call; the program's error handler has been called if
  // it is an error.
  int retire(MPI_Request *request, MPI_Status *status);

  // Frees the request; an operation under way is completed by later calls.
  static void free(ProxyRequest *proxy, MPI_Request *request);

  [[nodiscard]] Operation &operation() const { return *operation_; }
  // Whether it waits to be used again.
  [[nodiscard]] bool is_kept() const;
  int raise(const Error &error) const;
  // The communicator whose error handler is told; MPI_COMM_NULL once the program has freed it.
  [[nodiscard]] MPI_Comm errors_to() const { return *errors_to_; }

  std::unique_ptr<ProxyRequest> next_orphan;  // of those that the program has freed

 private:
  template <class Ended>
  bool ask(Ended &&ended);
  bool hold();
  void leave(MPI_Request *request);
  void give_up_handle();

  std::unique_ptr<Operation> operation_;
  const std::shared_ptr<MPI_Comm> errors_to_;
  const std::shared_ptr<UsedRequests> used_;
  MPI_Request handle_ = MPI_REQUEST_NULL;
  bool active_ = false;
  std::atomic<bool> complete_{true};
  std::atomic<bool> held_{false};  // by the one thread that asks the operation
  std::optional<Error> fault_;
};

using ProxyRequests = HandleTable<MPI_Request, ProxyRequest>;

// The proxy that a thread asked for last.
extern constinit thread_local LastFound<ProxyRequest> last_proxy [[gnu::tls_model("initial-exec")]];
extern constinit std::atomic<std::uint64_t> ended_proxies;

ProxyRequest *look_up_proxy(MPI_Request request);

// What a request is the proxy of, or null for one of the program's own.
inline ProxyRequest *proxy_of(const MPI_Request *request) {
  if (request == nullptr || ProxyRequests::empty()) return nullptr;
  const LastFound<ProxyRequest> &last = last_proxy;
  const bool is_last = last.serves(*request, ended_proxies.load(std::memory_order_relaxed));
  return is_last ? last.found : look_up_proxy(*request);
}
// Whether there are any.
inline bool any_proxies() {
  return !ProxyRequests::empty();
}

// Ends what the program has left, and completes what it has freed. Called in MPI_Finalize.
void close_proxies();

}  // namespace rondo::internal::pmpi
