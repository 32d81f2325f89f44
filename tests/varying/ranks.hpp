#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "varying/run.hpp"

namespace rondo::internal {

// Bytes of the block of a source for a destination in the n-th start.
using LengthOf = std::function<std::int64_t(int source, int destination, int start)>;

inline std::byte byte_of(int source, int destination, int start, std::int64_t at) {
  return static_cast<std::byte>(source * 7 + destination * 31 + start * 101 + at * 3 + (at >> 8));
}

// Blocks of these lengths, checked byte for byte.
class TriedBlocks {
 public:
  TriedBlocks(int ranks, const LengthOf &length_of) : ranks_(ranks), length_of_(length_of), data_(ranks) {}

  // Refers to this object.
  VaryingTrial trial() {
    return {[this](int rank, int start) { return sent(rank, start); },
            [this](int rank, int start, const ReceivedBlocks &received) { return fault(rank, start, received); }};
  }

 private:
  std::vector<BlockData> sent(int rank, int start) {
    std::vector<std::byte> &data = data_[rank];
    data.clear();
    for (int to = 0; to < ranks_; ++to) {
      const std::int64_t bytes = length_of_(rank, to, start);
      for (std::int64_t i = 0; i < bytes; ++i) data.push_back(byte_of(rank, to, start, i));
    }
    std::vector<BlockData> blocks;
    const std::byte *at = data.data();
    for (int to = 0; to < ranks_; ++to) {
      blocks.push_back({at, length_of_(rank, to, start)});
      at += blocks.back().bytes;
    }
    return blocks;
  }

  [[nodiscard]] std::string fault(int rank, int start, const ReceivedBlocks &received) const {
    std::int64_t offset = 0;
    for (int from = 0; from < ranks_; ++from) {
      const std::int64_t bytes = length_of_(from, rank, start);
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
  const LengthOf &length_of_;
  std::vector<std::vector<std::byte>> data_;  // that each rank sends
};

inline std::string first_fault(VaryingRanks &all, int ranks, int starts, const LengthOf &length_of, unsigned seed) {
  TriedBlocks blocks(ranks, length_of);
  return all.first_fault(starts, blocks.trial(), seed);
}
// The same, of which two blocks of three are built in SendMemory.
inline std::string first_fault_in_place(VaryingRanks &all, int ranks, int starts, const LengthOf &length_of,
                                        unsigned seed) {
  TriedBlocks blocks(ranks, length_of);
  VaryingTrial trial = blocks.trial();
  trial.builds_in_send_memory = [](int source, int to, int start) { return (source + to + start) % 3 > 0; };
  return all.first_fault(starts, trial, seed);
}

}  // namespace rondo::internal
