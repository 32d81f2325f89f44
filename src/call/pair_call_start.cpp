// How a call begins: where its blocks come from and go to, what is packed, and what can be sent at once.

#include <algorithm>
#include <span>
#include <vector>

#include "call/pair_call.hpp"
#include "wire/mpi_call.hpp"
#include "wire/packing.hpp"

namespace rondo::internal::call {

// This and begin() are each compiled in one piece: the calls within them would take as long as what they call does.
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
    if (messages_->for_all) break;
  }
  for (const Message &message : messages_->receives) {
    if (!message.element->shape.dense && !message.by_runs && link(message) != nullptr) bytes += message.bytes;
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
  }
  requests_.clear();
  first_receive_ = receives_ = 0;
  to_unpack_.clear();
  if (goes_as_it_lies_) return;  // without walks, messages of MPI, and what is packed
  walks_.clear();
  walks_.reserve(messages_->walks);
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
  if (messages_->for_all && packed_bytes_ > 0) return storage_.data();
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
    begin_message({message.address(receive_), message.count, message.element->type}, "MPI_Irecv",
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
      RunWalk &runs =
          walks_.emplace_back(message.address(receive_), message.element->runs, message.element->shape.extent);
      link_receives_.blocks.push_back({from, &message, nullptr, message.bytes, &runs});
      continue;
    }
    std::byte *data = message.data(receive_);
    if (!message.element->shape.dense) {
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
                      : TypedPiece{message.address(send_), message.count, message.element->type},
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
  for (std::int64_t i = 0; i < message.count; ++i, element += message.element->shape.extent) {
    for (const Extent &run : message.element->runs) pieces_.push_back({element + run.offset, run.length});
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

}  // namespace rondo::internal::call
