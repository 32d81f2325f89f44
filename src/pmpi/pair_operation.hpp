#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "pmpi/messages.hpp"
#include "pmpi/operation.hpp"
#include "pmpi/pair_exchange.hpp"
#include "wire/storage.hpp"

namespace rondo::pmpi {

// One call's messages under way. It can be used again when it is complete.
class PairOperation : public Operation {
 public:
  explicit PairOperation(std::shared_ptr<PairExchange> exchange) : exchange_(std::move(exchange)) {}
  ~PairOperation() override;

  // What the next start is to move.
  void aim(std::shared_ptr<const Messages> messages, void *send, void *receive);

  void start() override;
  bool test() override;
  void wait() override;

 private:
  // Packed data that becomes a message's elements at the end.
  struct Packed {
    const Message *message;
    std::byte *data;
  };

  void reserve();
  void start_mpi_receives();
  void start_ring_receives();
  void start_send(const Message &message);
  RingBlock &new_block(const Message &message, std::byte *data);
  void move_own() const;
  std::byte *take_packed(std::int64_t bytes);
  bool arrived();
  void wait_in_mpi();

  std::shared_ptr<PairExchange> exchange_;
  std::shared_ptr<const Messages> messages_;
  void *send_ = nullptr;
  void *receive_ = nullptr;

  std::vector<RingBlock> blocks_;
  std::vector<MPI_Request> requests_;
  std::vector<Packed> to_unpack_;
  Storage storage_;
  std::int64_t storage_bytes_ = 0;
  std::int64_t packed_bytes_ = 0;   // of it in use
  std::atomic<int> unfinished_{0};  // blocks on their way through rings
  bool requests_complete_ = true;
};

}  // namespace rondo::pmpi
