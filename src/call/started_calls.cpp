#include "call/started_calls.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "call/pair_call.hpp"
#include "call/pair_exchange.hpp"
#include "wire/agreement.hpp"

namespace rondo::internal::call {

namespace {

Error out_of_step() {
  return Error::of(Fault::internal, [] { return "another call of these ranks has failed: they are out of step"; });
}

}  // namespace

void StartedCalls::tell_failure(std::uint64_t number) {
  const Hold hold(*this);
  if (!calls_.empty()) return;
  exchange_.links().turn_to(number);
  exchange_.links().tell_failure();
}

// What it has to send follows what earlier calls have left to send. The memory for its place in the list is taken
// before it begins.
void StartedCalls::start(PairCall &call) {
  const Hold hold(*this);
  calls_.reserve(calls_.size() + 1);
  call.sends_at_once_ = all_sent();
  exchange_.links().turn_to(call.number_);
  call.begin();
  if (call.links_done()) return;
  calls_.push_back(&call);
  call.is_listed_ = true;
  if (calls_.size() == 1) begin_running();
}

bool StartedCalls::move(PairCall &call) {
  constexpr int looks_at_peers = 4096;  // a program that tests again and again waits, too
  const Hold hold(*this);
  move_all();
  if (++looks_ % looks_at_peers == 0) find_lost();
  if (call.failed_links_) throw *std::exchange(call.failed_links_, std::nullopt);
  return call.links_done();
}

bool StartedCalls::advance() {
  move_all();
  return calls_.empty();
}

bool StartedCalls::all_sent() const {
  return std::all_of(calls_.begin(), calls_.end(), [](const PairCall *call) { return call->link_sends_.done(); });
}

// Blocks of a pair of ranks arrive in the order of the calls, so that a call's are sent when the earlier ones' have
// been, and looked for when those have come.
void StartedCalls::move_all() {
  bool sends = true;
  bool receives = true;
  for (PairCall *const call : calls_) {
    exchange_.links().turn_to(call->number_);
    const std::optional<Error> fault = fault_of([&] {
      if (receives) call->move_receives();
      if (sends) call->move_sends();
    });
    if (fault) return fail_all(*call, *fault);
    sends = sends && call->link_sends_.done();
    receives = receives && call->link_receives_.done();
    if (!sends && !receives) break;
  }
  end_done();
}

void StartedCalls::check_peers() {
  const Hold hold(*this);
  find_lost();
}

void StartedCalls::find_lost() {
  const auto lost = [&] {
    return std::find_if(calls_.begin(), calls_.end(), [](const PairCall *call) { return call->has_lost_a_peer(); });
  };
  if (lost() == calls_.end()) return;
  move_all();  // what had been sent before is there by now
  const auto found = lost();
  if (found != calls_.end()) fail_all(**found, lost_a_peer());
}

void StartedCalls::fail_all(const PairCall &failed, const Error &fault) {
  exchange_.break_off();
  for (PairCall *const call : calls_) {
    call->failed_links_ = call == &failed ? fault : out_of_step();
    call->leave_links();
  }
  end_done();
}

void StartedCalls::strike_out(PairCall &call) {
  const Hold hold(*this);
  call.leave_links();
  end_done();
}

void StartedCalls::end_done() {
  const auto ended = [](PairCall *call) {
    if (!call->links_done()) return false;
    call->is_listed_ = false;
    return true;
  };
  const std::size_t erased = std::erase_if(calls_, ended);
  moves_ += erased;
  if (erased > 0 && calls_.empty()) end_running();
}

}  // namespace rondo::internal::call
