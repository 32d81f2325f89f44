// The tuples that one rank has for the others, in one round.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RELATIONS_OUTBOX_HPP
#define RELATIONS_OUTBOX_HPP

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace relations {

// In blocks by rank, whose memory is somebody else's.
template <class Tuple>
class Outbox {
 public:
  class Memory {
   public:
    virtual ~Memory() = default;
    // Room for so many tuples for a rank, the first of which are those that it has already.
    virtual std::span<Tuple> room(int rank, std::size_t tuples) = 0;
  };

  // `memory` lives as long.
  Outbox(int ranks, Memory &memory) : memory_(memory), blocks_(ranks) {}

  void push(int rank, const Tuple &tuple) {
    Block &block = blocks_[rank];
    if (block.size == block.room.size()) block.room = memory_.room(rank, block.size + block.size / 2 + kLeast);
    block.room[block.size++] = tuple;
  }
  [[nodiscard]] std::span<const Tuple> block(int rank) const { return blocks_[rank].room.first(blocks_[rank].size); }
  [[nodiscard]] int ranks() const { return static_cast<int>(blocks_.size()); }
  // How many there are for other ranks than this one.
  [[nodiscard]] std::size_t tuples_beside(int rank) const {
    std::size_t sum = 0;
    for (const Block &block : blocks_) sum += block.size;
    return sum - blocks_[rank].size;
  }

 private:
  static constexpr std::size_t kLeast = std::max<std::size_t>(1, 1024 / sizeof(Tuple));

  struct Block {
    std::span<Tuple> room{};
    std::size_t size = 0;
  };

  Memory &memory_;
  std::vector<Block> blocks_;
};

}  // namespace relations

#endif
