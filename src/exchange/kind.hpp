#pragma once

// The kinds of exchange, and all in which they differ.
//
// Every kind moves blocks (exchange/block.hpp) from their sources to the ranks that receive them. Kinds differ in what
// the second number of a block means and in who receives from whom; which blocks there are, whom each is for, how its
// size becomes known and what must hold at the end follow from these two, and are asked here. Nothing else asks which
// kind an exchange is of, but the call that it begins with and the table that lists the algorithms of each kind.
// docs/adding-a-kind.md adds one.

#include <cstdint>
#include <string_view>

#include "exchange/block.hpp"
#include "exchange/cut.hpp"
#include "exchange/topology.hpp"

namespace rondo::internal {

// What the second number of a block means.
enum class Numbered : std::uint8_t {
  // The rank that the block is for. A source has a block for each rank that receives from it, and the two ends of a
  // block know its size.
  by_destination,
  // A segment of its source's data. All segments are for all that receive from the source. At init all ranks learn the
  // sizes of all ranks' data, and an algorithm cuts it into segments by them (exchange/cut.hpp).
  by_segment,
};

struct Kind {
  std::string_view name;  // "all-to-all"
  Numbered blocks;
  // Whether a rank receives data of the source: what the source has for this rank, or what it has for all. For a rank
  // and itself: whether it has data for itself.
  bool (*receives)(const Topology &topology, int rank, int source);

  // Whether that data comes by a route. What a rank has for itself does not: the rank copies it.
  [[nodiscard]] bool receives_by_route(const Topology &topology, int rank, int source) const {
    return rank != source && receives(topology, rank, source);
  }
  // Whether every rank knows the sizes of all ranks' data, so that none has to be sent along a route.
  [[nodiscard]] bool all_sizes_known() const { return blocks == Numbered::by_segment; }
  // Where the data for a rank stands in Exchange::send: what is for all is one entry.
  [[nodiscard]] std::size_t send_entry(int destination) const {
    return blocks == Numbered::by_destination ? static_cast<std::size_t>(destination) : 0;
  }
};

extern const Kind all_to_all;
// Among the ranks of one group, or from each group of an intercommunicator to the other.
extern const Kind all_gather;

// The blocks that the routes of one exchange have to move, as the checker of routes demands them.
class Blocks {
 public:
  // The cut is that of a kind whose blocks are segments. All are kept by reference.
  Blocks(const Kind &kind, const Topology &topology, const Cut *cut) : kind_(kind), topology_(topology), cut_(cut) {}

  // Whether the routes have to move this block. They move none that a rank has for itself.
  [[nodiscard]] bool has(const Block &block) const;
  // Whether a rank is to have received it at the end.
  [[nodiscard]] bool is_for(int rank, const Block &block) const;
  [[nodiscard]] std::int64_t count_for(int rank) const;

 private:
  [[nodiscard]] std::int64_t parts_for_each_receiver(int source) const;

  const Kind &kind_;
  const Topology &topology_;
  const Cut *cut_;
};

}  // namespace rondo::internal
