#pragma once

#include <cstddef>
#include <vector>

#include "route/route.hpp"

namespace rondo::internal {

// Where the blocks that this rank sends came from. arrival[e] is, for the block of send entry e, the receive
// entry with which it came here; own for the rank's own blocks. departure[e] is, for receive entry e, the last
// step in which the block is sent on; final for blocks that stay.
struct ForwardingTable {
  static constexpr std::size_t own = static_cast<std::size_t>(-1);
  static constexpr int final = -1;

  std::vector<std::size_t> arrival;  // by send entry
  std::vector<int> departure;        // by receive entry
};

// Stands before sizes and layout, which both need to follow a block from hop to hop. The route must keep the
// rules of route.hpp; a block that is sent but not held throws Error (internal).
ForwardingTable forwarding_table_of(const Route &route);

}  // namespace rondo::internal
