#pragma once

// All ranks of an exchange whose counts come with each start, in one process: for tests and for `rondo verify`.

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "plans/algorithm.hpp"
#include "varying/slot_link.hpp"
#include "varying/varying_exchange.hpp"

namespace rondo::internal {

// What a rank is to send in a start, by destination, which stays until its next start; what is wrong with what the
// start has brought it, all in one piece, empty where nothing is; and which blocks the ranks build in their SendMemory.
struct VaryingTrial {
  std::function<std::vector<BlockData>(int rank, int start)> sent;
  std::function<std::string(int rank, int start, const ReceivedBlocks &received)> fault;
  std::function<bool(int rank, int destination, int start)> builds_in_send_memory = [](int, int, int) { return false; };
};

// The ranks, joined by links of `link_bytes` each way in memory of the process. `metadata` is joined or separate. Data
// of `least_read` bytes is read from where it lies.
class VaryingRanks {
 public:
  VaryingRanks(const Algorithm &algorithm, const Parameters &parameters, const Topology &topology,
               std::int64_t link_bytes, Metadata metadata = Metadata::joined, bool tells_figures = false,
               std::int64_t least_read = std::numeric_limits<std::int64_t>::max());

  // Runs so many starts on each rank, which are not in step with each other: which one does something next is drawn.
  // Gives the first fault; empty where there is none.
  std::string first_fault(int starts, const VaryingTrial &trial, unsigned seed);
  // What a rank has taken for blocks that rest and for what it has received.
  [[nodiscard]] std::int64_t memory(int rank) const { return all_[rank].memory.bytes(); }

 private:
  // Where a block lies that has been received, and what it was then.
  struct KeptBlock {
    const std::byte *where;
    std::vector<std::byte> bytes;
  };
  struct Rank {
    std::vector<std::unique_ptr<SlotLink>> links{};
    std::unique_ptr<SendMemory> send_memory{};
    VaryingMemory memory{};
    std::vector<BlockData> blocks{};  // of the start under way
    std::unique_ptr<VaryingExchange> exchange{};
    int started = 0;
    std::vector<KeptBlock> kept{};  // that the last start has brought
  };

  std::byte *between(int from, int to) {
    return memory_[static_cast<std::size_t>(from) * static_cast<std::size_t>(ranks_) + static_cast<std::size_t>(to)]
        .data();
  }
  void begin(int rank, const VaryingTrial &trial);
  std::string fault_of(int rank, const VaryingTrial &trial);

  int ranks_;
  bool tells_figures_;
  SlotPlaces places_;
  std::vector<RawMemory> memory_;
  Bell bell_;
  std::vector<Rank> all_;
};

}  // namespace rondo::internal
