#include "call/pair_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <span>
#include <utility>

#include "exchange/error.hpp"
#include "plan/progress.hpp"
#include "wire/late_messages.hpp"
#include "wire/library_progress.hpp"
#include "wire/mpi_call.hpp"
#include "wire/packing.hpp"

namespace rondo::internal::call {

namespace {

Error sizes_differ(int peer, std::int64_t sent, std::int64_t expected) {
  return Error::of(Fault::mismatch,
                   [&] { return fmt::format("rank {} sends {} bytes where {} are expected", peer, sent, expected); })
      .with_peer(peer)
      .with_values(sent, expected);
}

Error too_long(int peer) {
  return Error::of(Fault::mismatch, [&] { return fmt::format("rank {} sends more bytes than are expected", peer); })
      .with_peer(peer);
}

int class_of_mpi(int code) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  return error_class;
}

Error sends_nothing(int peer) {
  return Error::of(Fault::stalled, [&] { return fmt::format("rank {} has failed in this call", peer); })
      .with_peer(peer);
}

}  // namespace

Error lost_a_peer() {
  return Error::of(Fault::stalled, [] { return "another rank's call on this communicator has failed"; });
}

// Gives up a call that has failed. Receives are cancelled, so that nothing writes to the program's memory later. If
// messages are still under way then, the packed data that MPI sends from is never freed.
void PairCall::give_up() noexcept {
  const bool links_are_over = exchange_->started_calls() != nullptr ? !is_listed_ : links_done();
  if (ways_ == Ways::messages || (started_ && links_are_over)) {
    exchange_->break_off_messages();
  } else {
    exchange_->break_off();
  }
  if (is_listed_) exchange_->started_calls()->strike_out(*this);
  leave_links();
  failed_links_.reset();
  const ErrorsReturned returned;
  cancel_pending(std::span(requests_).subspan(first_receive_, receives_));
  if (!complete_in_time(requests_)) [[maybe_unused]]
    auto *kept = new (std::nothrow) Storage(std::move(storage_));
  storage_bytes_ = 0;
  requests_complete_ = true;
  mismatch_.reset();
  discarded_.clear();
}

PairCall::~PairCall() {
  if (is_listed_) exchange_->started_calls()->strike_out(*this);
}

// Moves what is open by move(block), which says whether all of the block has been moved. Blocks of one link move in
// their order.
template <class Block, class Move>
void PairCall::move_open(LinkBlocks<Block> &all, Move &&move) {
  const auto first = all.blocks.begin() + static_cast<std::ptrdiff_t>(all.first_open);
  for (auto block = first; block != all.blocks.end(); ++block) {
    const auto holds = [&](const Block &other) { return !other.done && other.link == block->link; };
    if (block->done || (messages_->repeated && std::any_of(first, block, holds))) continue;
    block->done = move(*block);
  }
  while (!all.done() && all.blocks[all.first_open].done) ++all.first_open;
}

// Compiled in one piece, as begin() is.
[[gnu::flatten]] bool PairCall::receive(LinkReceive &block, Looks &looks) {
  if (!block.arrived) {
    if (block.runs == nullptr) {
      const Whole found = block.link->take_block(block.data, block.bytes, looks);
      if (found != Whole::another) return found == Whole::taken;
    }
    std::int64_t sent = 0;
    if (!block.link->arrived({&sent, 1})) return block.link->was_ahead() && miss(block);
    block.arrived = true;
    if (sent != block.bytes) [[unlikely]]
      discard(block, sent);
  }
  return block.runs != nullptr ? block.link->take_runs(*block.runs, block.bytes)
                               : block.link->take(block.data, block.bytes);
}

// The other rank is in a later call already: it has failed in this one.
bool PairCall::miss(LinkReceive &block) {
  if (!mismatch_) mismatch_ = sends_nothing(block.message->peer);
  leave_packed(block);
  return true;
}

void PairCall::leave_packed(const LinkReceive &block) {
  std::erase_if(to_unpack_, [&](const Packed &packed) { return packed.message == block.message; });
}

// A block of another length than expected (of none, if the other rank has failed in this call) is taken all the same,
// so that the link's next one is the next call's.
void PairCall::discard(LinkReceive &block, std::int64_t sent) {
  if (!mismatch_) {
    const int peer = block.message->peer;
    mismatch_ = sent == 0 ? sends_nothing(peer) : sizes_differ(peer, sent, block.bytes);
  }
  leave_packed(block);
  block.runs = nullptr;
  block.data = discarded_.emplace_back(sent).data();
  block.bytes = sent;
}

void PairCall::move_sends() {
  move_open(link_sends_, [](LinkSend &block) { return block.link->send(block.message); });
}

void PairCall::move_receives(Looks &looks) {
  move_open(link_receives_, [&](LinkReceive &block) { return receive(block, looks); });
}

// Whether all is done that goes by links.
bool PairCall::move_links() {
  if (StartedCalls *const started = exchange_->started_calls()) return started->move(*this);
  if (links_done()) return true;
  move_receives();
  move_sends();
  return links_done();
}

// A rank whose call has failed brings and takes nothing more. What it had sent before is there when it is seen to have
// given up, and comes by one more look.
void PairCall::check_peers() {
  if (StartedCalls *const started = exchange_->started_calls()) return started->check_peers();
  if (!has_lost_a_peer()) return;
  or_give_up([&] {
    move_links();
    if (has_lost_a_peer()) throw lost_a_peer();
  });
}

bool PairCall::has_lost_a_peer() const {
  const auto given_up = [](const auto &all) {
    const auto gone = [](const auto &block) { return !block.done && block.link->withdrawn(); };
    return std::any_of(all.blocks.begin(), all.blocks.end(), gone);
  };
  return given_up(link_sends_) || given_up(link_receives_);
}

bool PairCall::arrived() {
  links_over_ = move_links();
  if (!links_over_) return false;
  if (requests_complete_) return true;
  int done = 0;
  const int code = MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, statuses_.data());
  requests_complete_ = code == MPI_SUCCESS ? done != 0 : complete_but_cut(code, "MPI_Testall");
  return requests_complete_;
}

// After a call on all requests that has given an error: whether all are complete. Messages that were longer than
// expected are, too. Throws Error for any other error.
bool PairCall::complete_but_cut(int code, const char *call) {
  if (class_of_mpi(code) != MPI_ERR_IN_STATUS) check_mpi(code, call);
  bool complete = true;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    const int error = class_of_mpi(statuses_[i].MPI_ERROR);
    if (error == MPI_ERR_TRUNCATE) {
      if (!mismatch_) mismatch_ = too_long(exchange_->peer_at(statuses_[i].MPI_SOURCE));
    } else if (error != MPI_SUCCESS && error != MPI_ERR_PENDING) {
      check_mpi(statuses_[i].MPI_ERROR, call);
    }
    complete = complete && requests_[i] == MPI_REQUEST_NULL;
  }
  return complete;
}

bool PairCall::look() {
  bool complete = false;
  or_give_up([&] { complete = try_look(); });
  if (complete) throw_mismatch();
  return complete;
}

// Once the call is complete.
void PairCall::throw_mismatch() {
  if (!mismatch_) [[likely]]
    return;
  discarded_.clear();
  throw *std::exchange(mismatch_, std::nullopt);
}

bool PairCall::try_look() {
  if (!arrived()) return false;
  for (const Packed &packed : to_unpack_) unpack(packed.message->elements(receive_), packed.data, exchange_->comm());
  to_unpack_.clear();
  return true;
}

// Looks at nothing but the blocks that are to come, as long as there is no time for other things; true once all is
// there.
bool PairCall::spin(Waiting &waiting) {
  if (!goes_as_it_lies_ || exchange_->started_calls() != nullptr) return false;
  or_give_up([&] {
    while (link_sends_.done() && !any_running()) {
      const bool only_last_is_open = link_receives_.first_open + 1 == link_receives_.blocks.size();
      Looks looks = only_last_is_open ? waiting.looks() : Looks();
      move_receives(looks);
      waiting.count(looks);
      if (link_receives_.done() || !waiting.spinning()) return;
      waiting.pause();
    }
  });
  if (!links_done()) return false;
  throw_mismatch();
  return true;
}

void PairCall::wait() {
  Waiting waiting(exchange_->links().patience());
  if (spin(waiting)) return;
  while (!look()) {
    drive_others();
    if (links_over_ && !any_running()) {
      wait_in_mpi();
      continue;
    }
    // Without a call of MPI's the program's own messages would not move.
    if (!waiting.spinning() && waiting.moment()) {
      let_library_move();
      check_peers();
    }
    if (!waiting.pause()) exchange_->links().sleep();
  }
}

void PairCall::keep_at_most(std::int64_t bytes) {
  if (static_cast<std::int64_t>(pieces_.capacity() * sizeof(BlockData)) > bytes) pieces_ = {};
  if (storage_bytes_ <= bytes) return;
  storage_ = Storage();
  storage_bytes_ = 0;
}

void PairCall::drive_others() const {
  const StartedCalls *const started = exchange_->started_calls();
  started != nullptr ? started->drive_the_rest() : drive_running();
}

// Waits inside MPI, when nothing is left to go by links and no plan of this process runs.
void PairCall::wait_in_mpi() {
  if (requests_complete_) return;
  or_give_up([this] {
    const int code = MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), statuses_.data());
    requests_complete_ = code == MPI_SUCCESS || complete_but_cut(code, "MPI_Waitall");
  });
}

}  // namespace rondo::internal::call
