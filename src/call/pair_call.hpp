#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "call/messages.hpp"
#include "call/pair_exchange.hpp"
#include "wire/pieces.hpp"
#include "wire/storage.hpp"

namespace rondo::internal::call {

// One call's messages under way. It can be used again when it is complete.
//
// A blocking call writes its data into the rings, and has written all of it when it returns. A non-blocking call uses
// messages of MPI only. It might find a ring full, and the rest of its data would then move only when the program calls
// Rondo again, while messages move in every call of the MPI library. Both ends know which of the two a call is.
class PairCall {
 public:
  enum class Ways { rings_and_messages, messages };

  PairCall(std::shared_ptr<PairExchange> exchange, Ways ways) : exchange_(std::move(exchange)), ways_(ways) {}
  ~PairCall();
  PairCall(const PairCall &) = delete;
  PairCall &operator=(const PairCall &) = delete;

  // What the next start is to move.
  void aim(std::shared_ptr<const Messages> messages, void *send, void *receive);

  // Where one of these three functions throws Error, the exchange is broken off: later data of other ranks could not be
  // told from data that they have sent for this call.
  void start();
  // Does what can be done without waiting; true once all is there.
  bool look();
  // Waits until the call is complete, and drives the plans of this process that run meanwhile. If none runs, it waits
  // inside the MPI library.
  void wait();

 private:
  // Packed data that becomes a message's elements at the end.
  struct Packed {
    const Message *message;
    std::byte *data;
  };

  void reserve();
  template <class Begin>
  void begin_message(const TypedPiece &elements, const char *call, Begin &&begin);
  void start_mpi_receives();
  void start_ring_receives();
  void start_send(const Message &message);
  RingBlock &new_block(const Message &message, std::byte *data);
  void move_own() const;
  std::byte *take_packed(std::int64_t bytes);
  bool arrived();
  void wait_in_mpi();
  template <class Work>
  void or_give_up(Work &&work);
  void give_up() noexcept;

  bool try_look();

  [[nodiscard]] bool by_ring(const Message &message) const {
    return ways_ == Ways::rings_and_messages && exchange_->by_ring(message.peer, message.bytes);
  }

  std::shared_ptr<PairExchange> exchange_;
  const Ways ways_;
  std::shared_ptr<const Messages> messages_;
  void *send_ = nullptr;
  void *receive_ = nullptr;

  std::vector<RingBlock> blocks_;
  std::vector<MPI_Request> requests_;
  std::size_t first_receive_ = 0;  // of the requests; they stand together
  std::size_t receives_ = 0;
  std::vector<Packed> to_unpack_;
  Storage storage_;
  std::int64_t storage_bytes_ = 0;
  std::int64_t packed_bytes_ = 0;   // of it in use
  std::atomic<int> unfinished_{0};  // blocks on their way through rings
  bool requests_complete_ = true;
};

}  // namespace rondo::internal::call
