#pragma once

// Which block goes to whom in which step, for one rank.
//
// A route is a list of steps. A step holds the messages that this rank sends and those that it receives; all of
// them may be in flight together. A message has a peer and the ordered blocks that it carries. A route knows no
// sizes, no addresses and no MPI: it is a pure function of (rank, topology, parameters), and where blocks are segments
// of who carries which.
//
// The rules, which check_routes (route/check.hpp) proves for all ranks at once:
//
//  1. Every rank's route of one exchange has the same number of steps. A rank may be idle in a step.
//  2. The k-th message that rank a sends to b in a step meets the k-th that b receives from a in that step, and
//     they carry the same blocks in the same order. No rank sends to itself.
//  3. A rank sends only blocks that it holds: its own, or received in an earlier step.
//  4. A rank receives a block at most once, and never one of its own. At the end every rank has received each block
//     that is for it. What a rank has for itself is on no route.
//
// A rank ends a step when its messages of that step, both directions, are complete; there is no global barrier.
// By rules 1 and 2 this cannot deadlock, whatever the transport buffers: all ranks reach step 0, and if all
// ranks reach step k then every message of step k has both its ends, so all ranks reach step k + 1.

#include <cstdint>
#include <span>
#include <vector>

#include "exchange/block.hpp"

namespace rondo::internal {

struct Message {
  int peer = 0;
  std::uint32_t count = 0;  // blocks carried
  std::size_t first = 0;    // index of the first in Traffic::blocks()
};

// The messages of one direction, step by step. A block's index in blocks() is its entry: later passes keep what
// they know of a block move (size, place) in arrays indexed by entry.
class Traffic {
 public:
  void begin_step() { steps_.push_back(messages_.size()); }
  void begin_message(int peer) { messages_.push_back({peer, 0, blocks_.size()}); }
  void carry(Block block) {
    blocks_.push_back(block);
    ++messages_.back().count;
  }
  void reserve(std::size_t messages, std::size_t blocks) {
    messages_.reserve(messages);
    blocks_.reserve(blocks);
  }

  [[nodiscard]] int steps() const { return static_cast<int>(steps_.size()); }
  [[nodiscard]] std::span<const Message> messages() const { return messages_; }
  [[nodiscard]] std::span<const Message> messages(int step) const {
    const auto index = static_cast<std::size_t>(step);
    const std::size_t last = index + 1 < steps_.size() ? steps_[index + 1] : messages_.size();
    return std::span(messages_).subspan(steps_[index], last - steps_[index]);
  }
  [[nodiscard]] std::span<const Block> blocks() const { return blocks_; }
  [[nodiscard]] std::span<const Block> blocks(const Message &message) const {
    return std::span(blocks_).subspan(message.first, message.count);
  }

 private:
  std::vector<std::size_t> steps_;  // index of each step's first message
  std::vector<Message> messages_;
  std::vector<Block> blocks_;
};

struct Route {
  Route(int own_rank, int all_ranks) : rank(own_rank), ranks(all_ranks) {}

  void begin_step() {
    sends.begin_step();
    receives.begin_step();
  }
  [[nodiscard]] int steps() const { return sends.steps(); }

  int rank;
  int ranks;
  Traffic sends;
  Traffic receives;
};

}  // namespace rondo::internal
