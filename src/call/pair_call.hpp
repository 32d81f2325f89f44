#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "call/messages.hpp"
#include "call/pair_exchange.hpp"
#include "exchange/error.hpp"
#include "varying/outgoing.hpp"
#include "varying/slot_link.hpp"
#include "wire/patience.hpp"
#include "wire/pieces.hpp"
#include "wire/storage.hpp"

namespace rondo::internal::call {

// One call's messages under way. It can be used again when it is complete.
//
// A blocking call has handed over all that it sends when it returns: through a link in memory, or by MPI. Of a call
// that does not wait, what its links have no room for is moved by whoever drives what runs in this process: such calls
// of an exchange go one after the other (call/started_calls.hpp). Where an exchange is for calls that wait, others use
// messages of MPI only. Both ends know which of these a call is.
class PairCall {
 public:
  enum class Ways { links_and_messages, messages };

  explicit PairCall(Ways ways) : ways_(ways) {}
  ~PairCall();
  PairCall(const PairCall &) = delete;
  PairCall &operator=(const PairCall &) = delete;

  // What the next start is to move, and by which exchange, which live as long as that takes. Throws Error where that
  // has been broken off; takes the memory. `number` is that of the call, where it does not wait (StartedCalls::count).
  void aim(PairExchange &exchange, const Messages &messages, void *send, void *receive, std::uint64_t number = 0);

  // Where one of these three functions throws Error, the exchange is broken off: what has been sent and received in
  // part cannot be told from later data. Not so where a block that comes by a link is not as long as expected (Error,
  // mismatch), or none comes as the other rank has failed in the call (Error, stalled): the call is complete then, and
  // the next one finds all ranks in step.
  void start();
  // Does what can be done without waiting; true once all is there.
  bool look();
  // Waits until the call is complete, and drives the plans of this process that run meanwhile. If none runs, it waits
  // inside the MPI library.
  void wait();
  // Of a call that is complete: gives back what memory it has, if that is more.
  void keep_at_most(std::int64_t bytes);
  // Drives the plans of this process that run, and calls of other exchanges.
  void drive_others() const;

 private:
  friend class StartedCalls;

  // Packed data that becomes a message's elements at the end.
  struct Packed {
    const Message *message;
    std::byte *data;
  };
  // A block on its way to a link, which did not take it at once. It stays where it is, as the message's head is the
  // length.
  struct LinkSend {
    SlotLink *link;
    std::int64_t length;
    Outgoing message{};
    bool done = false;
  };
  // A block that is to come by a link.
  struct LinkReceive {
    SlotLink *link;
    const Message *message;
    std::byte *data;  // null where the block goes to runs
    std::int64_t bytes;
    RunWalk *runs = nullptr;
    bool arrived = false;
    bool done = false;
  };
  // The blocks of a call in one direction. All before the first open one are done.
  template <class Block>
  struct LinkBlocks {
    std::vector<Block> blocks{};
    std::size_t first_open = 0;

    void clear(std::size_t room) {
      blocks.clear();
      blocks.reserve(room);
      first_open = 0;
    }
    [[nodiscard]] bool done() const { return first_open == blocks.size(); }
  };

  void reserve();
  [[nodiscard]] std::int64_t bytes_to_pack() const;
  void begin();
  void start_sends_as_they_lie();
  template <class Begin>
  void begin_message(const TypedPiece &elements, const char *call, Begin &&begin);
  void start_mpi_receives();
  void start_link_receives();
  void start_send(const Message &message);
  void start_link_send(SlotLink &link, const BlockData &block);
  void start_run_send(SlotLink &link, const Message &message);
  LinkSend &leave_to(SlotLink &link, std::int64_t bytes);
  [[nodiscard]] bool may_send_at_once() const;
  void move_own() const;
  std::byte *take_packed(std::int64_t bytes);
  std::byte *packed(const Message &message);
  template <class Block, class Move>
  void move_open(LinkBlocks<Block> &all, Move &&move);
  bool receive(LinkReceive &block, Looks &looks);
  bool miss(LinkReceive &block);
  void leave_packed(const LinkReceive &block);
  void discard(LinkReceive &block, std::int64_t sent);
  void move_sends();
  void move_receives(Looks &looks);
  void move_receives() {
    Looks once;
    move_receives(once);
  }
  [[nodiscard]] bool has_lost_a_peer() const;
  void check_peers();
  bool move_links();
  bool arrived();
  bool complete_but_cut(int code, const char *call);
  void wait_in_mpi();
  template <class Work>
  void or_give_up(Work &&work) {
    try {
      work();
    } catch (...) {
      give_up();
      throw;
    }
  }
  void give_up() noexcept;
  // The links bring and take nothing more of this call.
  void leave_links() {
    link_sends_ = {};
    link_receives_ = {};
  }

  bool try_look();
  void throw_mismatch();
  bool spin(Waiting &waiting);

  // Null where it goes by MPI.
  [[nodiscard]] SlotLink *link(const Message &message) const {
    return ways_ == Ways::links_and_messages ? exchange_->links().link(message.peer, message.bytes) : nullptr;
  }
  // Whether what is sent is packed first.
  [[nodiscard]] bool is_packed(const Message &message) const {
    if (messages_->overwritten()) return true;
    return !message.element->shape.dense && link(message) != nullptr && !sends_runs(message);
  }
  // Of a message that goes by a link.
  [[nodiscard]] bool sends_runs(const Message &message) const { return message.by_runs && messages_->may_send_runs(); }
  [[nodiscard]] bool links_done() const { return link_sends_.done() && link_receives_.done(); }

  PairExchange *exchange_ = nullptr;
  const Ways ways_;
  const Messages *messages_ = nullptr;
  std::uint64_t number_ = 0;
  bool goes_as_it_lies_ = false;         // by links alone, and nothing is packed
  std::atomic<bool> is_listed_{false};   // among the exchange's started calls
  bool sends_at_once_ = true;            // no earlier call has anything left to send by links
  bool links_over_ = false;              // as the last look has found
  std::optional<Error> failed_links_{};  // for which they were left
  void *send_ = nullptr;
  void *receive_ = nullptr;

  LinkBlocks<LinkSend> link_sends_;
  std::vector<BlockData> pieces_;  // of link_sends_: of each its length and its runs
  LinkBlocks<LinkReceive> link_receives_;
  std::vector<RunWalk> walks_;  // of link_receives_
  std::vector<MPI_Request> requests_;
  std::vector<MPI_Status> statuses_;
  std::size_t first_receive_ = 0;  // of the requests; they stand together
  std::size_t receives_ = 0;
  std::vector<Packed> to_unpack_;
  Storage storage_;
  std::int64_t storage_bytes_ = 0;
  std::int64_t packed_bytes_ = 0;  // of it in use
  bool requests_complete_ = true;
  bool started_ = false;              // all that goes by links has been written, or stands among link_sends_
  std::optional<Error> mismatch_{};   // of the first block that was not as expected
  std::vector<Storage> discarded_{};  // what such blocks are taken into
};

// Of a call that waits for a rank which has failed in it and brings nothing more.
Error lost_a_peer();

}  // namespace rondo::internal::call
