#include "pmpi/calls/one_call.hpp"

#include "pmpi/requests/call_operation.hpp"
#include "pmpi/requests/proxy_request.hpp"

namespace rondo::internal::pmpi {

namespace {

// Calls break_off(), which is to break off the exchange, if work() fails for another reason than bad arguments, as the
// other ranks do not know of such a failure. Bad arguments are the program's mistake, which it may have made on all
// ranks.
template <class Work, class BreakOff>
int or_break_off(Work &&work, BreakOff &&break_off) {
  try {
    return work();
  } catch (const Error &error) {
    if (error.fault == Fault::mpi || error.fault == Fault::no_memory) break_off();
    throw;
  } catch (const std::bad_alloc &) {
    break_off();
    throw;
  }
}

// `held` is where the messages are held as long as they are used, if that is necessary.
const std::shared_ptr<const call::Messages> &find_messages(Communicator &communicator, Call call,
                                                           const call::CallArguments &arguments, Counting &counting,
                                                           std::shared_ptr<const call::Messages> &held) {
  const bool may_be_forgotten = calls_at_once.load(std::memory_order_relaxed);
  std::unique_lock<std::mutex> lock;
  if (may_be_forgotten) lock = Caches::lock();
  const auto found = communicator.cache(call).find(arguments, communicator.peers(call));
  if (!found.hit) counting.sets_up();
  counting.sends(found.messages->sent_bytes);
  if (!may_be_forgotten) return found.messages;
  return held = found.messages;
}

// Where blocks of one size are forwarded by a plan: see pmpi/calls/block_plans.hpp.
BlockPlan *block_plan(Communicator &communicator, Call call, const call::Messages &messages) {
  if (call != Call::alltoall || communicator.scope().joins_groups) return nullptr;
  if (!communicator.exchange()->links().leaves_nodes()) return nullptr;
  return communicator.block_plans().of(messages.receives.empty() ? 0 : messages.receives.front().bytes);
}

// Waits until all ranks have come to the call, where RONDO_REPORT asks how long that takes. Not where ranks of another
// MPI_COMM_WORLD may know nothing of it. An error is left to the communicator's handler, and the call goes on.
void meet(const Communicator &communicator, Counting &counting) {
  if (!communicator.scope().served && !communicator.scope().joins_groups) return;
  const Blocked blocked;
  PMPI_Barrier(communicator.comm());
  counting.has_waited();
}

}  // namespace

void give_arrays(const call::Peers &peers, call::CallArguments &arguments) {
  static constexpr std::int64_t nothing = 0;
  static const MPI_Datatype no_type = MPI_DATATYPE_NULL;
  const auto give = [](call::SideArguments &side, int entries) {
    if (entries > 0) return;
    side.counts = &nothing;
    side.displs = &nothing;
    if (side.types == nullptr) side.types = &no_type;
  };
  give(arguments.send, peers.destinations());
  give(arguments.receive, peers.sources());
}

bool finds_served(Communicator &found, Call call, Counting &counting) {
  counting.on(found.tallies().get());
  if (settings().report.waits && may_wait(call)) meet(found, counting);
  const bool had_exchange = found.exchange() != nullptr;
  const Done done = found.serves(call);
  counting.as(done);
  if (!had_exchange && found.exchange() != nullptr) counting.sets_up();
  return done == Done::by_rondo;
}

[[gnu::flatten]] int run(Communicator &communicator, Call call, const call::CallArguments &arguments,
                         Counting &counting) {
  const Caches::InUse in_use;
  call::PairExchange &exchange = *communicator.exchange();
  call::PairCall &waiting = communicator.waiting_call();
  const call::Messages *found = nullptr;
  BlockPlan *plan = nullptr;
  std::shared_ptr<const call::Messages> held;
  try {
    const auto &messages = find_messages(communicator, call, arguments, counting, held);
    found = messages.get();
    check_apart(*messages, arguments.send.buffer, arguments.receive.buffer);
    plan = block_plan(communicator, call, *messages);
    if (plan == nullptr) waiting.aim(exchange, *messages, arguments.send.buffer, arguments.receive.buffer);
  } catch (...) {
    exchange.links().tell_failure();
    throw;
  }
  const auto work = [&] {
    if (plan != nullptr) {
      plan->run(*found, arguments.send.buffer, arguments.receive.buffer, exchange.comm());
      return MPI_SUCCESS;
    }
    waiting.start();
    const Blocked blocked(Blocked::drives_itself);
    waiting.wait();
    return MPI_SUCCESS;
  };
  return or_break_off(work, [&] { exchange.break_off_unless_done(); });
}

void fail_alone(Communicator &communicator, Call call) {
  if (may_wait(call)) return communicator.exchange()->links().tell_failure();
  if (call::StartedCalls *const started = communicator.exchange_for_started()->started_calls()) {
    started->tell_failure(started->count());
  }
}

int begin(Communicator &communicator, Call call, const call::CallArguments &arguments, Counting &counting,
          MPI_Request *request) {
  const Caches::InUse in_use;
  const std::shared_ptr<call::PairExchange> &exchange = communicator.exchange_for_started();
  call::StartedCalls *const started = exchange->started_calls();
  const std::uint64_t number = started != nullptr ? started->count() : 0;
  std::unique_ptr<ProxyRequest> made;
  std::shared_ptr<const call::Messages> held;
  const auto prepare = [&] {
    const auto &messages = find_messages(communicator, call, arguments, counting, held);
    check_apart(*messages, arguments.send.buffer, arguments.receive.buffer);
    const auto &used = started != nullptr ? communicator.used_requests() : UsedRequests::none();
    made = used->take();
    if (!made) {
      made = std::make_unique<ProxyRequest>(std::make_unique<CallOperation>(exchange), communicator.handle(), used);
    }
    static_cast<CallOperation &>(made->operation())
        .aim(messages, arguments.send.buffer, arguments.receive.buffer, number);
    return MPI_SUCCESS;
  };
  const auto break_off = [&] {
    started != nullptr ? exchange->break_off_unless_done() : exchange->break_off_messages();
  };
  try {
    or_break_off(prepare, break_off);
  } catch (...) {
    if (started != nullptr) started->tell_failure(number);
    throw;
  }
  const auto start = [&] {
    made->start();
    *request = made.release()->handle();
    return MPI_SUCCESS;
  };
  return or_break_off(start, break_off);
}

}  // namespace rondo::internal::pmpi
