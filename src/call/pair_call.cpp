#include "call/pair_call.hpp"

#include <mutex>
#include <new>
#include <span>
#include <utility>

#include "exchange/error.hpp"
#include "plan/progress.hpp"
#include "wire/copy.hpp"
#include "wire/late_messages.hpp"
#include "wire/library_progress.hpp"
#include "wire/mpi_call.hpp"
#include "wire/packing.hpp"

namespace rondo::internal::call {

PairCall::~PairCall() {
  if (unfinished_ == 0) return;
  const std::lock_guard lock(exchange_->mutex());
  exchange_->forget(&unfinished_);
}

// Gives up a call that has failed. Receives are cancelled, so that nothing writes to the program's memory later. If
// messages are still under way then, the packed data that MPI sends from is never freed.
void PairCall::give_up() noexcept {
  exchange_->break_off();
  {
    const std::lock_guard lock(exchange_->mutex());
    exchange_->forget(&unfinished_);
    unfinished_ = 0;
  }
  const ErrorsReturned returned;
  cancel_pending(std::span(requests_).subspan(first_receive_, receives_));
  if (!complete_in_time(requests_)) [[maybe_unused]]
    auto *kept = new (std::nothrow) Storage(std::move(storage_));
  storage_bytes_ = 0;
  requests_complete_ = true;
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

void PairCall::aim(std::shared_ptr<const Messages> messages, void *send, void *receive) {
  messages_ = std::move(messages);
  send_ = messages_->in_place ? receive : send;
  receive_ = receive;
}

// Takes the memory for what is packed: data with gaps that goes through a ring, and in place all that is sent.
void PairCall::reserve() {
  std::int64_t bytes = 0;
  for (const Message &message : messages_->sends) {
    if (messages_->in_place || (!message.shape.dense && by_ring(message))) {
      bytes += message.bytes;
    }
  }
  for (const Message &message : messages_->receives) {
    if (!message.shape.dense && by_ring(message)) bytes += message.bytes;
  }
  if (bytes > storage_bytes_) {
    storage_ = Storage(bytes);
    storage_bytes_ = bytes;
  }
  packed_bytes_ = 0;
  blocks_.clear();
  blocks_.reserve(messages_->sends.size() + messages_->receives.size());  // queues point to them
  requests_.clear();
  requests_.reserve(messages_->sends.size() + messages_->receives.size());
  first_receive_ = receives_ = 0;
  to_unpack_.clear();
  to_unpack_.reserve(messages_->receives.size());
}

std::byte *PairCall::take_packed(std::int64_t bytes) {
  std::byte *const data = storage_.data() + packed_bytes_;
  packed_bytes_ += bytes;
  return data;
}

// MPI's receives are started first, so that a message finds its receive when it arrives; but in place they are started
// after the sends, which first pack the data that the receives will overwrite. Rings are written before they are read,
// since other ranks wait for what is written.
void PairCall::start() {
  exchange_->check_usable();
  reserve();
  or_give_up([this] {
    const std::lock_guard lock(exchange_->mutex());
    if (!messages_->in_place) start_mpi_receives();
    for (const Message &message : messages_->sends) start_send(message);
    if (messages_->in_place) start_mpi_receives();
    move_own();
    start_ring_receives();
    requests_complete_ = requests_.empty();
  });
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
    if (by_ring(message)) continue;
    begin_message({message.address(receive_), message.count, message.type}, "MPI_Irecv",
                  [&](const TypedMessage &elements, MPI_Request *request) {
                    return MPI_Irecv(elements.buffer, elements.count, elements.type, message.peer, exchange_->tag(),
                                     exchange_->comm(), request);
                  });
    ++receives_;
  }
}

void PairCall::start_ring_receives() {
  for (const Message &message : messages_->receives) {
    if (!by_ring(message)) continue;
    std::byte *data = message.data(receive_);
    if (!message.shape.dense) {
      data = take_packed(message.bytes);
      to_unpack_.push_back({&message, data});
    }
    exchange_->receive(new_block(message, data));
  }
}

RingBlock &PairCall::new_block(const Message &message, std::byte *data) {
  unfinished_.fetch_add(1, std::memory_order_relaxed);
  return blocks_.emplace_back(RingBlock{message.peer, data, static_cast<std::uint64_t>(message.bytes), &unfinished_});
}

void PairCall::start_send(const Message &message) {
  const bool ring = by_ring(message);
  std::byte *data = message.data(send_);
  const bool packs = messages_->in_place || (ring && !message.shape.dense);
  if (packs) {
    data = take_packed(message.bytes);
    pack(message.elements(send_), data, exchange_->comm());
  }
  if (ring) return exchange_->send(new_block(message, data));
  begin_message(packs ? TypedPiece{data, message.bytes, MPI_BYTE}
                      : TypedPiece{message.address(send_), message.count, message.type},
                "MPI_Isend", [&](const TypedMessage &elements, MPI_Request *request) {
                  return MPI_Isend(elements.buffer, elements.count, elements.type, message.peer, exchange_->tag(),
                                   exchange_->comm(), request);
                });
}

void PairCall::move_own() const {
  for (std::size_t i = 0; i < messages_->own_sends.size() && i < messages_->own_receives.size(); ++i) {
    const Message &from = messages_->own_sends[i];
    const Message &to = messages_->own_receives[i];
    if (from.shape.dense && to.shape.dense) {
      copy_bytes(to.data(receive_), from.data(send_), static_cast<std::size_t>(to.bytes));
      continue;
    }
    const Storage packed(from.bytes);
    pack(from.elements(send_), packed.data(), exchange_->comm());
    unpack(to.elements(receive_), packed.data(), exchange_->comm());
  }
}

bool PairCall::arrived() {
  {
    const std::lock_guard lock(exchange_->mutex());
    if (unfinished_ > 0) exchange_->progress();
    if (unfinished_ > 0) return false;
  }
  if (requests_complete_) return true;
  int done = 0;
  check_mpi(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE),
            "MPI_Testall");
  requests_complete_ = done != 0;
  return requests_complete_;
}

bool PairCall::look() {
  bool complete = false;
  or_give_up([&] { complete = try_look(); });
  return complete;
}

bool PairCall::try_look() {
  if (!arrived()) return false;
  for (const Packed &packed : to_unpack_) unpack(packed.message->elements(receive_), packed.data, exchange_->comm());
  to_unpack_.clear();
  return true;
}

void PairCall::wait() {
  for (Waiting waiting(exchange_->patience()); !look();) {
    drive_running();
    if (unfinished_ == 0 && !any_running()) {
      wait_in_mpi();
      continue;
    }
    // Without a call of MPI's the program's own messages would not move.
    if (!waiting.spinning() && waiting.moment()) let_library_move();
    if (!waiting.pause()) exchange_->sleep();
  }
}

// Waits inside MPI, when nothing is left to come through rings and no plan of this process runs.
void PairCall::wait_in_mpi() {
  if (requests_complete_) return;
  or_give_up([this] {
    check_mpi(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  });
  requests_complete_ = true;
}

}  // namespace rondo::internal::call
