#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "varying/metadata.hpp"
#include "varying/slot_link.hpp"
#include "wire/bell.hpp"
#include "wire/channel.hpp"
#include "wire/segment.hpp"

namespace rondo::internal {

// The links of this rank to others of its node, in memory that they share.
struct NodeLinks {
  Lease memory{};                               // empty where the node has none for them; then there are no links
  Bell *bell = nullptr;                         // of this rank, in that memory
  std::vector<std::unique_ptr<SlotLink>> to{};  // by rank of the communicator; null to ranks that have none
  std::int64_t ring_bytes = 0;                  // of each
  bool reads_others = false;                    // long data is read from where it lies
};

// Whether the links have memory that others of the communicator have had, which takes less time, or memory of their
// own. Of either the pages of the rings, unless they are few, are made by who sends, once they are needed: it takes no
// time for what no block ever needs, but a rank may find no memory when it sends.
enum class LinkMemory : std::uint8_t { lent, own };

// How data goes that a ring has no room for at once: through the ring, part by part, or read by the receiver from where
// it lies, if ranks can read each other's memory.
enum class BeyondRing : std::uint8_t { parts, read };

// What links are for.
struct LinkUse {
  Metadata metadata;
  BeyondRing beyond_ring;
  LinkMemory memory;
  // What is sent has the mark that is there then, as long as there are links; null: it has none.
  const std::uint64_t *mark = nullptr;
  // In which this rank may have what it sends, as long as there are links; null: in none.
  SendMemory *send_memory = nullptr;
};

// Links to the ranks of the same node by `node_of`, which may pretend nodes that are smaller than the real ones.
// Collective over the real node. Throws Error, on one rank alone too.
NodeLinks open_node_links(const Channel &channel, std::span<const int> node_of, const LinkUse &use);

}  // namespace rondo::internal
