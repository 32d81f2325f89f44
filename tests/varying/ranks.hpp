#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "plans/algorithm.hpp"
#include "varying/slot_link.hpp"
#include "varying/varying_exchange.hpp"

namespace rondo::internal {

// Bytes of the block of a source for a destination in the n-th start.
using LengthOf = std::function<std::int64_t(int source, int destination, int start)>;

inline std::byte byte_of(int source, int destination, int start, std::int64_t at) {
  return static_cast<std::byte>(source * 7 + destination * 31 + start * 101 + at * 3 + (at >> 8));
}

// The ranks of an exchange in one process, joined by slots in its own memory.
class VaryingRanks {
 public:
  VaryingRanks(const Algorithm &algorithm, const Parameters &parameters, const Topology &topology,
               std::int64_t slot_bytes, Metadata metadata = Metadata::joined, bool tells_figures = false)
      : ranks_(topology.ranks), tells_figures_(tells_figures), places_{slot_bytes}, all_(topology.ranks) {
    memory_.resize(static_cast<std::size_t>(ranks_) * static_cast<std::size_t>(ranks_));
    for (auto &one : memory_) {
      one = RawMemory(places_.bytes());
      SlotEnd::clear(one.data(), places_);
    }
    for (int rank = 0; rank < ranks_; ++rank) {
      Rank &own = all_[rank];
      std::vector<Link *> links(ranks_, nullptr);
      for (int peer = 0; peer < ranks_; ++peer) {
        if (peer == rank) continue;
        links[peer] = own.links
                          .emplace_back(std::make_unique<SlotLink>(between(rank, peer), between(peer, rank), places_,
                                                                   bell_, metadata))
                          .get();
      }
      own.exchange = std::make_unique<VaryingExchange>(algorithm.route(rank, topology, parameters),
                                                       std::span<Link *const>(links), own.memory, tells_figures);
    }
  }

  // Runs so many starts on each rank, which are not in step with each other, and gives the first fault; empty where
  // there is none.
  std::string first_fault(int starts, const LengthOf &length_of, unsigned seed) {
    std::mt19937 random(seed);
    for (Rank &rank : all_) rank.started = 0;
    int idle = 0;
    for (int unfinished = ranks_; unfinished > 0;) {
      const int rank = static_cast<int>(random() % static_cast<unsigned>(ranks_));
      Rank &own = all_[rank];
      if (own.started == starts && own.exchange->complete()) continue;
      const auto before = own.exchange->moved() + own.exchange->step();
      if (own.exchange->complete()) {
        begin(rank, length_of);
        idle = 0;
      }
      if (own.exchange->advance()) {
        if (std::string fault = fault_of(rank, length_of); !fault.empty()) return fault;
        if (own.started == starts) --unfinished;
        idle = 0;
      }
      if (own.exchange->moved() + own.exchange->step() != before) idle = 0;
      if (++idle > 1000 * ranks_) return "nothing moves any more";
    }
    return {};
  }
  [[nodiscard]] std::int64_t memory(int rank) const { return all_[rank].memory.bytes(); }

 private:
  struct Rank {
    std::vector<std::unique_ptr<SlotLink>> links{};
    VaryingMemory memory{};
    std::unique_ptr<VaryingExchange> exchange{};
    std::vector<std::byte> data{};
    int started = 0;
  };

  std::byte *between(int from, int to) { return memory_[static_cast<std::size_t>(from * ranks_ + to)].data(); }

  void begin(int rank, const LengthOf &length_of) {
    Rank &own = all_[rank];
    std::vector<BlockData> blocks;
    own.data.clear();
    std::int64_t all = 0;
    for (int to = 0; to < ranks_; ++to) all += length_of(rank, to, own.started);
    own.data.resize(static_cast<std::size_t>(all));
    std::byte *at = own.data.data();
    for (int to = 0; to < ranks_; ++to) {
      const std::int64_t bytes = length_of(rank, to, own.started);
      for (std::int64_t i = 0; i < bytes; ++i) at[i] = byte_of(rank, to, own.started, i);
      blocks.push_back({at, bytes});
      at += bytes;
    }
    ++own.started;
    own.exchange->start(blocks, {static_cast<std::uint32_t>(100 + rank), static_cast<std::uint32_t>(900 - rank)});
  }

  [[nodiscard]] std::string fault_of(int rank, const LengthOf &length_of) const {
    const ReceivedBlocks &received = all_[rank].exchange->received();
    const int start = all_[rank].started - 1;
    if (tells_figures_ && all_[rank].exchange->figures() != VaryingFigures{99U + static_cast<unsigned>(ranks_), 900}) {
      return "rank " + std::to_string(rank) + " has not learned the figures of all";
    }
    std::int64_t offset = 0;
    for (int from = 0; from < ranks_; ++from) {
      const std::int64_t bytes = length_of(from, rank, start);
      const std::string block =
          "block " + std::to_string(from) + " -> " + std::to_string(rank) + " of start " + std::to_string(start);
      if (received.bytes[from] != bytes) return block + " has another length";
      if (received.offsets[from] != offset) return block + " lies elsewhere";
      for (std::int64_t i = 0; i < bytes; ++i) {
        if (received.data[offset + i] != byte_of(from, rank, start, i)) return block + " has other data";
      }
      offset += bytes;
    }
    return {};
  }

  int ranks_;
  bool tells_figures_;
  SlotPlaces places_;
  std::vector<RawMemory> memory_;
  Bell bell_;
  std::vector<Rank> all_;
};

}  // namespace rondo::internal
