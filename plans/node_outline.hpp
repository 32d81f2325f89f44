#pragma once

// Messages and block moves of the busiest rank of node_aggregated, without making any rank's route: the most
// messages of any rank, and the most block moves of any. The steps are left at 0.

#include "plans/algorithm.hpp"
#include "plans/leaders.hpp"

namespace rondo::internal {

// Where blocks go directly from node to node. In O(ranks), once for each number of leaders that nodes have.
Outline direct_node_outline(const Leaders &leaders);

// Where they go by digits. In O(ranks) where nodes have one size; else O(nodes) or, beside nodes with
// another number of leaders, O(ranks log ranks) for each node.
Outline digit_node_outline(const Leaders &leaders, int radix);

}  // namespace rondo::internal
