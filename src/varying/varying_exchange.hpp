#pragma once

// The executor for counts that come with the data: one rank's part of an exchange of which it knows, before it starts,
// only what it sends.
//
// The route is the one that fixed counts have. Each message of it begins with the lengths of its blocks, so a rank
// learns what it forwards when it arrives, and one message does what takes two where lengths are exchanged first.
// Blocks that rest on their way lie in an arena until the start is complete.

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "route/route.hpp"
#include "schedule/forwarding_table.hpp"
#include "varying/arena.hpp"
#include "varying/figures.hpp"
#include "varying/link.hpp"
#include "varying/metadata.hpp"
#include "varying/outgoing.hpp"
#include "varying/received_bank.hpp"

namespace rondo::internal {

// What a start has brought: the blocks of all ranks, in rank order, one after the other.
struct ReceivedBlocks {
  std::byte *data = nullptr;
  std::span<const std::int64_t> bytes{};    // by source
  std::span<const std::int64_t> offsets{};  // likewise
  std::int64_t all_bytes = 0;
};

// Where blocks rest, and where they lie when they have been received. One of a plan: its exchanges do not run at once.
struct VaryingMemory {
  Arena arena{};
  ReceivedBanks received{};
  std::vector<std::byte> padding{};

  [[nodiscard]] std::int64_t bytes() const {
    return arena.bytes() + received.bytes() + static_cast<std::int64_t>(padding.size());
  }
};

class VaryingExchange {
 public:
  // The links by rank and the memory live as long; this rank's own link is null, and those that the route does not use
  // may be. They have the metadata of the form. The route is as varying_route() has it.
  VaryingExchange(const Route &route, std::span<Link *const> links, VaryingMemory &memory,
                  const MessageForm &form = {});

  // There will be a start soon, whose arguments are still to be read: fetches meanwhile what its blocks are written to,
  // where these go to few ranks at once.
  void prepare_start() const {
    constexpr std::size_t few = 16;
    if (!in_place_ || sends_.size() > few) return;
    for (const Sent &sent : sends_) sent.link->prepare_send();
  }
  // Starts an exchange of blocks by destination; their list and their data stay as they are until it is complete. May
  // take memory, as advance() may.
  void start(std::span<const BlockData> blocks, const VaryingFigures &figures = {});
  // Does what can be done without waiting; true once the exchange is complete. May look again for a message that alone
  // is missing.
  bool advance(Looks &looks);
  bool advance() {
    Looks once;
    return advance(once);
  }

  [[nodiscard]] bool complete() const { return step_ == steps_.size(); }
  [[nodiscard]] std::size_t step() const { return step_; }
  [[nodiscard]] std::size_t steps() const { return steps_.size(); }
  [[nodiscard]] std::uint64_t moved() const;
  void name_missing(std::set<int> &ranks) const;
  // Of the last exchange that is complete; valid until the next start but one.
  [[nodiscard]] const ReceivedBlocks &received() const { return received_; }
  // Of all ranks, once the exchange is complete.
  [[nodiscard]] const VaryingFigures &figures() const { return figures_; }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  struct Sent {
    Link *link;
    int peer;
    std::size_t first;   // send entry
    std::size_t count;   // of blocks
    std::size_t before;  // the message to the same rank in the same step that goes before it
    bool one_block;      // without anything before its length, and nothing goes before it
    bool done = false;
    Outgoing message{};
  };
  struct Arriving {
    // `held_back` is a message before which another one comes from the same rank in the same step.
    enum class State : std::uint8_t { held_back, expected, known, taken };

    Link *link;
    int peer;
    std::size_t first;  // receive entry
    std::size_t count;
    std::size_t before;
    State state = State::held_back;
    std::byte *to = nullptr;  // unless all is received in place
    std::int64_t bytes = 0;   // likewise
  };
  struct Step {
    std::size_t first_send;
    std::size_t sends;
    std::size_t first_receive;
    std::size_t receives;
  };
  // Where a block that is sent comes from.
  struct Origin {
    std::size_t arrival;  // the receive entry; none for this rank's own
    int destination;
  };

  void begin_in_place();
  bool advance_in_place(Looks &looks);
  void begin_send(std::size_t index);
  void begin_step();
  void expect(Arriving &arriving) const;
  void compose(Sent &sent, std::size_t index);
  // What a send entry sends.
  [[nodiscard]] BlockData block_of(std::size_t entry) const {
    const Origin &origin = origins_[entry];
    if (origin.arrival == none) return own_blocks_[origin.destination];
    return {at_[origin.arrival], lengths_[origin.arrival]};
  }
  // The head of a message, of those whose entries begin there; it is the index-th of its direction.
  std::span<std::int64_t> head(std::vector<std::int64_t> &heads, std::size_t first, std::size_t count,
                               std::size_t index) const {
    return std::span(heads).subspan(first + index * words_before_, count + words_before_);
  }
  bool read_head(const Arriving &arriving, std::span<std::int64_t> lengths, Looks &looks) {
    return words_before_ > 0 ? read_words(arriving, lengths, looks) : arriving.link->arrived(lengths, looks);
  }
  bool read_words(const Arriving &arriving, std::span<std::int64_t> lengths, Looks &looks);
  void find_largest();
  void pad(std::span<BlockData> pieces, const BlockData &block);
  // How long a received block is with its padding.
  [[nodiscard]] std::int64_t carried_bytes(std::size_t entry) const { return form_.pads ? largest_ : lengths_[entry]; }
  bool send_on();
  bool send_unsent();
  bool receive_on(Looks &looks);
  bool learn_all_in_place(Looks &looks);
  void prepare_looks();
  bool learn(Arriving &arriving, Looks &looks);
  bool hear(Arriving &arriving, std::span<std::int64_t> lengths, Looks &looks);
  static bool take(Arriving &arriving, std::byte *to, std::int64_t bytes);
  void place(Arriving &arriving);
  void copy_own();
  void place_received();
  void deliver();

  int rank_;
  std::vector<Step> steps_;
  std::vector<Sent> sends_;
  std::vector<Arriving> receives_;
  std::vector<Origin> origins_;            // by send entry
  std::vector<std::size_t> final_;         // by source: the receive entry of the block that ends here
  bool in_place_;                          // every block goes straight from its source to where it stays
  std::vector<BlockData> pieces_;          // of each message: its lengths, and its blocks
  std::vector<std::int64_t> sent_heads_;   // of all messages that are sent
  std::vector<std::int64_t> heads_;        // of all that are received
  std::vector<std::int64_t> lengths_;      // by receive entry, unless all is received in place
  std::vector<const std::byte *> at_;      // likewise
  std::span<const BlockData> own_blocks_;  // of the start under way
  std::byte *own_copied_ = nullptr;        // where its block for this rank itself lies already, if it does
  std::size_t step_;
  std::size_t unsent_ = 0;   // messages of the step
  std::size_t unheard_ = 0;  // of the step: those whose lengths are not known
  bool all_known_ = false;   // in place: the lengths of all that comes
  VaryingMemory &memory_;
  const MessageForm form_;
  const std::size_t words_before_;  // the lengths, in a head
  const std::size_t pieces_each_;   // of a block
  std::int64_t largest_ = 0;        // block of all ranks that this one has heard of, where blocks are padded
  VaryingFigures figures_{};        // of all ranks that this one has heard of
  std::vector<std::int64_t> received_bytes_;
  std::vector<std::int64_t> received_offsets_;
  ReceivedBlocks received_{};
};

}  // namespace rondo::internal
