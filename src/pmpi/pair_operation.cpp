#include "pmpi/pair_operation.hpp"

#include <chrono>
#include <mutex>
#include <new>
#include <thread>
#include <utility>

#include "exchange/error.hpp"
#include "plan/progress.hpp"
#include "pmpi/big_count.hpp"
#include "pmpi/blocked.hpp"
#include "wire/copy.hpp"
#include "wire/library_progress.hpp"
#include "wire/mpi_call.hpp"
#include "wire/packing.hpp"

namespace rondo::internal::pmpi {

namespace {

// What MPI gets to complete what cannot be cancelled.
constexpr std::chrono::milliseconds grace{100};

bool complete_in_time(std::vector<MPI_Request> &requests) {
  const auto end = std::chrono::steady_clock::now() + grace;
  for (int done = 0;; std::this_thread::yield()) {
    PMPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    if (done != 0) return true;
    if (std::chrono::steady_clock::now() > end) return false;
  }
}

}  // namespace

PairOperation::~PairOperation() {
  if (unfinished_ == 0) return;
  const std::lock_guard lock(exchange_->mutex());
  exchange_->forget(&unfinished_);
}

// What has failed leaves nothing behind that would write to the program's memory later. Messages that others may still
// take keep what they are read from.
void PairOperation::give_up() noexcept {
  exchange_->break_off();
  {
    const std::lock_guard lock(exchange_->mutex());
    exchange_->forget(&unfinished_);
    unfinished_ = 0;
  }
  const ErrorsReturned returned;
  for (std::size_t i = first_receive_; i < first_receive_ + receives_; ++i) {
    if (requests_[i] != MPI_REQUEST_NULL && is_pending(requests_[i])) PMPI_Cancel(&requests_[i]);
  }
  if (!complete_in_time(requests_)) [[maybe_unused]]
    auto *kept = new (std::nothrow) Storage(std::move(storage_));
  storage_bytes_ = 0;
  requests_complete_ = true;
}

template <class Work>
void PairOperation::or_give_up(Work &&work) {
  try {
    work();
  } catch (...) {
    give_up();
    throw;
  }
}

void PairOperation::aim(std::shared_ptr<const call::Messages> messages, void *send, void *receive) {
  messages_ = std::move(messages);
  send_ = messages_->in_place ? receive : send;
  receive_ = receive;
}

// What is packed: data with gaps that goes by a ring, and all that is sent from where something is received.
void PairOperation::reserve() {
  std::int64_t bytes = 0;
  for (const call::Message &message : messages_->sends) {
    if (messages_->in_place || (!message.shape.dense && by_ring(message))) {
      bytes += message.bytes;
    }
  }
  for (const call::Message &message : messages_->receives) {
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

std::byte *PairOperation::take_packed(std::int64_t bytes) {
  std::byte *const data = storage_.data() + packed_bytes_;
  packed_bytes_ += bytes;
  return data;
}

// What is sent in place is packed before anything can arrive there. Else what MPI receives is announced first, so that
// it finds its place at once; what goes through rings is written before it is read, as the others wait for it.
void PairOperation::start() {
  exchange_->check_usable();
  reserve();
  or_give_up([this] {
    const std::lock_guard lock(exchange_->mutex());
    if (!messages_->in_place) start_mpi_receives();
    for (const call::Message &message : messages_->sends) start_send(message);
    if (messages_->in_place) start_mpi_receives();
    move_own();
    start_ring_receives();
    requests_complete_ = requests_.empty();
  });
}

void PairOperation::start_mpi_receives() {
  first_receive_ = requests_.size();
  for (const call::Message &message : messages_->receives) {
    if (by_ring(message)) continue;
    MPI_Request &request = requests_.emplace_back(MPI_REQUEST_NULL);
    check_mpi(irecv(message.address(receive_), message.count, message.type, message.peer, exchange_->tag(),
                    exchange_->comm(), &request),
              "MPI_Irecv");
    ++receives_;
  }
}

void PairOperation::start_ring_receives() {
  for (const call::Message &message : messages_->receives) {
    if (!by_ring(message)) continue;
    std::byte *data = message.data(receive_);
    if (!message.shape.dense) {
      data = take_packed(message.bytes);
      to_unpack_.push_back({&message, data});
    }
    exchange_->receive(new_block(message, data));
  }
}

RingBlock &PairOperation::new_block(const call::Message &message, std::byte *data) {
  unfinished_.fetch_add(1, std::memory_order_relaxed);
  return blocks_.emplace_back(RingBlock{message.peer, data, static_cast<std::uint64_t>(message.bytes), &unfinished_});
}

void PairOperation::start_send(const call::Message &message) {
  const bool ring = by_ring(message);
  std::byte *data = message.data(send_);
  const bool packs = messages_->in_place || (ring && !message.shape.dense);
  if (packs) {
    data = take_packed(message.bytes);
    pack(message.elements(send_), data, exchange_->comm());
  }
  if (ring) return exchange_->send(new_block(message, data));
  MPI_Request &request = requests_.emplace_back(MPI_REQUEST_NULL);
  const int tag = exchange_->tag();
  check_mpi(packs ? isend(data, message.bytes, MPI_BYTE, message.peer, tag, exchange_->comm(), &request)
                  : isend(message.address(send_), message.count, message.type, message.peer, tag, exchange_->comm(),
                          &request),
            "MPI_Isend");
}

void PairOperation::move_own() const {
  for (std::size_t i = 0; i < messages_->own_sends.size() && i < messages_->own_receives.size(); ++i) {
    const call::Message &from = messages_->own_sends[i];
    const call::Message &to = messages_->own_receives[i];
    if (from.shape.dense && to.shape.dense) {
      copy_bytes(to.data(receive_), from.data(send_), static_cast<std::size_t>(to.bytes));
      continue;
    }
    const Storage packed(from.bytes);
    pack(from.elements(send_), packed.data(), exchange_->comm());
    unpack(to.elements(receive_), packed.data(), exchange_->comm());
  }
}

bool PairOperation::arrived() {
  {
    const std::lock_guard lock(exchange_->mutex());
    if (unfinished_ > 0) exchange_->progress();
    if (unfinished_ > 0) return false;
  }
  if (requests_complete_) return true;
  int done = 0;
  check_mpi(PMPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE),
            "MPI_Testall");
  requests_complete_ = done != 0;
  return requests_complete_;
}

bool PairOperation::test() {
  drive_running();
  return look();
}

bool PairOperation::look() {
  bool complete = false;
  or_give_up([&] { complete = try_look(); });
  return complete;
}

bool PairOperation::try_look() {
  if (!arrived()) return false;
  for (const Packed &packed : to_unpack_) unpack(packed.message->elements(receive_), packed.data, exchange_->comm());
  to_unpack_.clear();
  return true;
}

void PairOperation::wait() {
  for (Waiting waiting(exchange_->patience()); !look();) {
    drive_running();
    if (unfinished_ == 0 && !any_running()) {
      wait_in_mpi();
      continue;
    }
    // The program's own messages need a rank that calls MPI.
    if (!waiting.spinning() && waiting.moment()) let_library_move();
    if (!waiting.pause()) exchange_->sleep();
  }
}

// Where all that can come comes through MPI, its own wait is best.
void PairOperation::wait_in_mpi() {
  if (requests_complete_) return;
  const Blocked blocked;
  or_give_up([this] {
    check_mpi(PMPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  });
  requests_complete_ = true;
}

}  // namespace rondo::internal::pmpi
