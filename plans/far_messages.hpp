#pragma once

#include <cstdint>

#include "plans/algorithm.hpp"
#include "plans/leaders.hpp"

namespace rondo::internal {

// The messages between nodes of the hierarchical TuNA (section IV-B, algorithms 2 and 3): every rank of a node
// holds all that the node has for some destinations on other nodes, and sends it straight there. Coalesced, that is
// one message for each destination; staggered, one for each block. Destinations are taken by the distance of their
// nodes, and `block_count` messages make a step.
//
// So every rank receives one coalesced message from each other node, whatever the sizes of the nodes: P (N - 1)
// messages in all. Staggered, each block that leaves its node is a message.
void send_to_far_destinations(Route &route, const Leaders &leaders, const Parameters &parameters);

// Adds those that a rank sends, whose steps come after so many others.
void add_far_sendings(std::vector<Sending> &all, int rank, int steps_before, const Leaders &leaders,
                      const Parameters &parameters);

// The messages that a rank sends which has all blocks of its node of `size` ranks for so many destinations.
std::int64_t far_messages(std::int64_t destinations, int size, Pattern pattern);

// The messages of the rank that sends most, and the steps that they take.
std::int64_t most_far_messages(const Leaders &leaders, Pattern pattern);
std::int64_t far_steps(const Leaders &leaders, const Parameters &parameters);

}  // namespace rondo::internal
