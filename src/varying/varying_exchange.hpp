#pragma once

// The executor for counts that come with the data: one rank's part of an exchange of which it knows, before it starts,
// only what it sends.
//
// The route is the one that fixed counts have. Each message of it begins with the lengths of its blocks, so a rank
// learns what it forwards when it arrives, and one message does what takes two where lengths are exchanged first.
//
// There are two of them: varying/direct_exchange.hpp, where every block goes straight to where it stays, and
// varying/routed_exchange.hpp for all other routes.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "route/route.hpp"
#include "varying/arena.hpp"
#include "varying/figures.hpp"
#include "varying/link.hpp"
#include "varying/metadata.hpp"
#include "varying/outgoing.hpp"
#include "varying/received_bank.hpp"
#include "varying/reception.hpp"
#include "varying/send_memory.hpp"

namespace rondo::internal {

// Where blocks rest, and where they lie when they have been received. One of a plan: its exchanges do not run at once.
struct VaryingMemory {
  Arena arena{};
  ReceivedBanks received{};
  std::vector<std::byte> padding{};
  SendMemory *sent = nullptr;  // in which blocks to be sent may lie, from the first that is built there on

  // Whether the block of the start under way for this rank itself stays as it is until the next start but one.
  [[nodiscard]] bool lasts(int self, const BlockData &block) const {
    return sent != nullptr && sent->lasts(self, block);
  }
  [[nodiscard]] std::int64_t bytes() const {
    return arena.bytes() + received.bytes() + static_cast<std::int64_t>(padding.size());
  }
};

class VaryingExchange {
 public:
  VaryingExchange(const Route &route, VaryingMemory &memory)
      : rank_(route.rank), memory_(memory), reception_(route.rank, route.ranks, memory.received) {}
  virtual ~VaryingExchange() = default;
  VaryingExchange(const VaryingExchange &) = delete;
  VaryingExchange &operator=(const VaryingExchange &) = delete;

  // There will be a start soon, whose arguments are still to be read: fetches meanwhile what its blocks are written to,
  // if that saves time.
  virtual void prepare_start() const {}
  // Starts an exchange of blocks by destination; their list and their data stay as they are until it is complete. May
  // take memory, as advance() may.
  virtual void start(std::span<const BlockData> blocks, const VaryingFigures &figures) = 0;
  // Does what can be done without waiting; true once the exchange is complete. May look again for a message that alone
  // is missing.
  virtual bool advance(Looks &looks) = 0;

  [[nodiscard]] bool complete() const { return step_ == steps_; }
  [[nodiscard]] std::size_t step() const { return step_; }
  [[nodiscard]] std::size_t steps() const { return steps_; }
  [[nodiscard]] virtual std::uint64_t moved() const = 0;
  virtual void name_missing(std::set<int> &ranks) const = 0;
  // Of the last exchange that is complete; valid until the next start but one.
  [[nodiscard]] const ReceivedBlocks &received() const { return reception_.blocks(); }
  // The same, and makes sure that all is in one piece.
  const ReceivedBlocks &received_in_one_piece() {
    if (!reception_.blocks().in_one_piece) [[unlikely]]
      reception_.gather();
    return reception_.blocks();
  }
  // Of all ranks, once the exchange is complete.
  [[nodiscard]] const VaryingFigures &figures() const { return figures_; }

 protected:
  // It has so many steps, and is complete.
  void set_steps(std::size_t steps) { step_ = steps_ = steps; }
  void begin_steps(const VaryingFigures &own) {
    figures_ = own;
    step_ = 0;
  }
  void end_step() { ++step_; }

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] VaryingMemory &memory() const { return memory_; }
  [[nodiscard]] Reception &reception() { return reception_; }
  // Those that this rank has heard of.
  [[nodiscard]] VaryingFigures &figures_so_far() { return figures_; }

 private:
  int rank_;
  VaryingMemory &memory_;
  std::size_t steps_ = 0;
  std::size_t step_ = 0;
  Reception reception_;
  VaryingFigures figures_{};
};

// The links by rank and the memory live as long; this rank's own link is null, and those that the route does not use
// may be. They have the metadata of the form. The route is as varying_route() has it.
std::unique_ptr<VaryingExchange> make_varying_exchange(const Route &route, std::span<Link *const> links,
                                                       VaryingMemory &memory, const MessageForm &form);

}  // namespace rondo::internal
