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

template <class Work>
void PairCall::or_give_up(Work &&work) {
  try {
    work();
  } catch (...) {
    give_up();
    throw;
  }
}

PairCall::~PairCall() {
  if (is_listed_) exchange_->started_calls()->strike_out(*this);
}

// This, begin() and receive() are each compiled in one piece: the calls within them would take as long as what they
// call does.
[[gnu::flatten]] void PairCall::aim(PairExchange &exchange, const Messages &messages, void *send, void *receive,
                                    std::uint64_t number) {
  exchange_ = &exchange;
  number_ = number;
  messages_ = &messages;
  send_ = messages_->in_place ? receive : send;
  receive_ = receive;
  exchange.check_usable(ways_ == Ways::links_and_messages);
  goes_as_it_lies_ =
      ways_ == Ways::links_and_messages && messages.lies_ready && exchange.links().carry_all(messages.longest);
  reserve();
}

// Data with gaps that goes by a link, and in place all that is sent.
std::int64_t PairCall::bytes_to_pack() const {
  std::int64_t bytes = 0;
  for (const Message &message : messages_->sends) {
    if (!is_packed(message)) continue;
    bytes += message.bytes;
    if (messages_->send.for_all) break;
  }
  for (const Message &message : messages_->receives) {
    if (!message.shape.dense && !message.by_runs && link(message) != nullptr) bytes += message.bytes;
  }
  return bytes;
}

void PairCall::reserve() {
  const std::int64_t bytes = messages_->lies_ready ? 0 : bytes_to_pack();
  constexpr std::int64_t most_kept = std::int64_t{16} << 20;  // for calls that need less
  if (bytes > storage_bytes_ || storage_bytes_ > std::max(4 * bytes, most_kept)) {
    storage_ = Storage(bytes);
    storage_bytes_ = bytes;
  }
  packed_bytes_ = 0;
  if (ways_ == Ways::links_and_messages) {
    link_sends_.clear(messages_->sends.size());
    link_receives_.clear(messages_->receives.size());
    pieces_.clear();
    pieces_.reserve(messages_->most_pieces);
    walks_.clear();
    walks_.reserve(messages_->walks);
  }
  requests_.clear();
  first_receive_ = receives_ = 0;
  to_unpack_.clear();
  if (goes_as_it_lies_) return;
  requests_.reserve(messages_->sends.size() + messages_->receives.size());
  statuses_.resize(requests_.capacity());
  to_unpack_.reserve(messages_->receives.size());
}

std::byte *PairCall::take_packed(std::int64_t bytes) {
  std::byte *const data = storage_.data() + packed_bytes_;
  packed_bytes_ += bytes;
  return data;
}

// The one block of an all-gather is packed once: the sends come before all else that is packed.
std::byte *PairCall::packed(const Message &message) {
  if (messages_->send.for_all && packed_bytes_ > 0) return storage_.data();
  std::byte *const data = take_packed(message.bytes);
  pack(message.elements(send_), data, exchange_->comm());
  return data;
}

// MPI's receives are started first, so that a message finds its receive when it arrives; but in place they are started
// after the sends, which first pack the data that the receives will overwrite. Links are written to before they are
// read from, since other ranks wait for what is written.
[[gnu::flatten]] void PairCall::begin() {
  started_ = false;
  or_give_up([this] {
    if (goes_as_it_lies_) {
      start_sends_as_they_lie();
    } else {
      if (!messages_->overwritten()) start_mpi_receives();
      for (const Message &message : messages_->sends) start_send(message);
      if (messages_->overwritten()) start_mpi_receives();
    }
    move_own();
    start_link_receives();
    requests_complete_ = requests_.empty();
    started_ = true;
  });
}

void PairCall::start_sends_as_they_lie() {
  for (const Message &message : messages_->sends) {
    start_link_send(*link(message), {message.data(send_), message.bytes});
  }
}

void PairCall::start() {
  StartedCalls *const started = exchange_->started_calls();
  started != nullptr ? started->start(*this) : begin();
}

// Where a message has more elements than an int counts, a datatype is made for it. It is freed at once: MPI keeps it
// until the message is complete.
template <class Begin>
void PairCall::begin_message(const TypedPiece &elements, const char *call, Begin &&begin) {
  std::vector<MPI_Datatype> made;
  const TypedMessage described = describe({&elements, 1}, made);
  MPI_Request &request = requests_.emplace_back(MPI_REQUEST_NULL);
  const int code = begin(described, &request);
  for (MPI_Datatype &type : made) MPI_Type_free(&type);
  check_mpi(code, call);
}

void PairCall::start_mpi_receives() {
  first_receive_ = requests_.size();
  for (const Message &message : messages_->receives) {
    if (link(message) != nullptr) continue;
    begin_message({message.address(receive_), message.count, message.type}, "MPI_Irecv",
                  [&](const TypedMessage &elements, MPI_Request *request) {
                    return MPI_Irecv(elements.buffer, elements.count, elements.type, exchange_->address(message.peer),
                                     exchange_->tag(), exchange_->comm(), request);
                  });
    ++receives_;
  }
}

void PairCall::start_link_receives() {
  for (const Message &message : messages_->receives) {
    SlotLink *const from = link(message);
    if (from == nullptr) continue;
    if (message.by_runs) {
      RunWalk &runs = walks_.emplace_back(message.address(receive_), message.runs, message.shape.extent);
      link_receives_.blocks.push_back({from, &message, nullptr, message.bytes, &runs});
      continue;
    }
    std::byte *data = message.data(receive_);
    if (!message.shape.dense) {
      data = take_packed(message.bytes);
      to_unpack_.push_back({&message, data});
    }
    link_receives_.blocks.push_back({from, &message, data, message.bytes});
  }
}

void PairCall::start_send(const Message &message) {
  SlotLink *const to = link(message);
  if (to != nullptr && sends_runs(message)) return start_run_send(*to, message);
  std::byte *data = message.data(send_);
  const bool packs = is_packed(message);
  if (packs) data = packed(message);
  if (to != nullptr) return start_link_send(*to, {data, message.bytes});
  begin_message(packs ? TypedPiece{data, message.bytes, MPI_BYTE}
                      : TypedPiece{message.address(send_), message.count, message.type},
                "MPI_Isend", [&](const TypedMessage &elements, MPI_Request *request) {
                  return MPI_Isend(elements.buffer, elements.count, elements.type, exchange_->address(message.peer),
                                   exchange_->tag(), exchange_->comm(), request);
                });
}

// A block waits for those before it to the same rank.
void PairCall::start_link_send(SlotLink &link, const BlockData &block) {
  if (may_send_at_once() && link.send_block(block)) return;
  LinkSend &left = leave_to(link, block.bytes);
  pieces_.push_back(block);
  left.message = Outgoing(std::span(pieces_).last(2), block.bytes);
}

void PairCall::start_run_send(SlotLink &link, const Message &message) {
  const bool at_once = may_send_at_once();
  LinkSend &left = leave_to(link, message.bytes);
  const std::size_t first = pieces_.size() - 1;
  const std::byte *element = message.address(send_);
  for (std::int64_t i = 0; i < message.count; ++i, element += message.shape.extent) {
    for (const Extent &run : message.runs) pieces_.push_back({element + run.offset, run.length});
  }
  left.message = Outgoing(std::span(pieces_).subspan(first), message.bytes);
  if (at_once && link.send(left.message)) link_sends_.blocks.pop_back();
}

bool PairCall::may_send_at_once() const {
  return sends_at_once_ && (!messages_->repeated || link_sends_.blocks.empty());
}

// A message whose only piece so far is its length, which is all that its head says.
PairCall::LinkSend &PairCall::leave_to(SlotLink &link, std::int64_t bytes) {
  LinkSend &left = link_sends_.blocks.emplace_back(LinkSend{&link, bytes});
  pieces_.push_back({reinterpret_cast<const std::byte *>(&left.length), sizeof(left.length)});
  return left;
}

void PairCall::move_own() const {
  for (std::size_t i = 0; i < messages_->own_sends.size() && i < messages_->own_receives.size(); ++i) {
    copy_elements(messages_->own_sends[i].elements(send_), messages_->own_receives[i].elements(receive_),
                  exchange_->comm());
  }
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

[[gnu::flatten]] bool PairCall::receive(LinkReceive &block) {
  if (!block.arrived) {
    if (block.runs == nullptr) {
      const Whole found = block.link->take_block(block.data, block.bytes);
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

void PairCall::move_receives() {
  move_open(link_receives_, [this](LinkReceive &block) { return receive(block); });
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
      move_receives();
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
