#pragma once

// Read: the first phase of an init, and what it gives.

#include "api/hints.hpp"
#include "api/init.hpp"
#include "exchange/exchange.hpp"
#include "wire/channel.hpp"
#include "wire/shared_layout.hpp"

namespace rondo::internal {

// What one rank brings to an init: its arguments as an exchange, with packed images where the buffers cannot be used as
// they are, its hints, and what it sees of its node.
struct Inputs {
  Arguments arguments;
  Hints hints;
  Exchange exchange;
  bool images_send = false;
  bool images_receive = false;
  PlanBuffers plan_buffers;          // what the plan allocates, as far as ranks of the node may read it
  bool on_device = false;            // a buffer, or a part of it, is memory of a GPU
  bool shares_memory = false;        // with others of its node, if there are any
  bool sends_at_start_only = false;  // see Case
  int local_ranks = 1;               // of the node
  int ranks_on_cores = 1;            // see wire/node.hpp
  int cores = 1;                     // that the ranks of this node may run on
  Topology topology;                 // that routes see
  bool prices_decide = false;        // see api/prices.hpp
  bool for_trial = false;            // of a plan that is only made to be timed

  // Whether ranks of the node may read blocks with gaps in a buffer that the plan allocates.
  [[nodiscard]] bool sends_runs_of_plan() const { return images_send && plan_buffers.send.has_value(); }
};

// The node map that routes see: the real one, or smaller nodes when rondo_node_size pretends them.
Topology topology_of(const Channel &channel, const Hints &hints);

// Whether this rank exchanges through shared memory with others of its node, if there are any.
bool shares_memory(const Channel &channel, const Hints &hints);

// Local. Throws an Error that names the values; call.read may throw, too.
Inputs read(const Call &call, MPI_Info info, const Channel &channel);
// The same of arguments and hints that have been read.
Inputs read(Arguments arguments, Hints hints, const Channel &channel);

// The same where others read large messages from the buffers: with packed images in the place of those that they cannot
// read, such as a device's. Local.
Inputs readable_by_others(Inputs inputs);

}  // namespace rondo::internal
