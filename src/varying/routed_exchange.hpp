#pragma once

// The executor (varying/varying_exchange.hpp) for any route. Blocks that rest on their way lie in an arena until the
// start is complete.

#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "route/route.hpp"
#include "schedule/forwarding_table.hpp"
#include "varying/figures.hpp"
#include "varying/link.hpp"
#include "varying/metadata.hpp"
#include "varying/outgoing.hpp"
#include "varying/varying_exchange.hpp"

namespace rondo::internal {

class RoutedExchange final : public VaryingExchange {
 public:
  // As make_varying_exchange().
  RoutedExchange(const Route &route, std::span<Link *const> links, VaryingMemory &memory, const MessageForm &form);

  void start(std::span<const BlockData> blocks, const VaryingFigures &figures) override;
  bool advance(Looks &looks) override;
  [[nodiscard]] std::uint64_t moved() const override;
  void name_missing(std::set<int> &ranks) const override;

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
    std::byte *to = nullptr;  // once its lengths are known
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

  [[nodiscard]] const Step &this_step() const { return steps_[step()]; }
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
  bool read_head(const Arriving &arriving, Looks &looks);
  void find_largest();
  void pad(std::span<BlockData> pieces, const BlockData &block);
  // How long a received block is with its padding.
  [[nodiscard]] std::int64_t carried_bytes(std::size_t entry) const { return form_.pads ? largest_ : lengths_[entry]; }
  bool send_on();
  bool receive_on(Looks &looks);
  bool learn(Arriving &arriving, Looks &looks);
  static bool take(Arriving &arriving);
  void place(Arriving &arriving);
  void deliver();

  std::vector<Step> steps_;
  std::vector<Sent> sends_;
  std::vector<Arriving> receives_;
  std::vector<Origin> origins_;            // by send entry
  std::vector<std::size_t> final_;         // by source: the receive entry of the block that ends here
  std::vector<BlockData> pieces_;          // of each message: its lengths, and its blocks
  std::vector<std::int64_t> sent_heads_;   // of all messages that are sent
  std::vector<std::int64_t> heads_;        // of all that are received
  std::vector<std::int64_t> lengths_;      // by receive entry
  std::vector<const std::byte *> at_;      // likewise
  std::span<const BlockData> own_blocks_;  // of the start under way
  std::size_t unsent_ = 0;                 // messages of the step
  std::size_t unheard_ = 0;                // of the step: those whose lengths are not known
  const MessageForm form_;
  const std::size_t words_before_;  // the lengths, in a head
  const std::size_t pieces_each_;   // of a block
  std::int64_t largest_ = 0;        // block of all ranks that this one has heard of, where blocks are padded
};

}  // namespace rondo::internal
