#pragma once

// What one rank brings to an init: its arguments as an exchange, and what it tells the others of itself.

#include <functional>

#include "api/hints.hpp"
#include "api/init.hpp"
#include "exchange/exchange.hpp"
#include "model/cost.hpp"
#include "wire/channel.hpp"
#include "wire/shared.hpp"

namespace rondo::internal {

// The arguments as an exchange, with images where the buffers cannot be used.
struct Local {
  Arguments arguments;
  Hints hints;
  Exchange exchange;
  bool images_send = false;
  bool images_receive = false;
  OwnBuffers own;                    // what the plan allocates of the spaces that the schedule reads and writes
  bool on_device = false;            // a buffer, or a part of it
  bool shares_memory = false;        // with others of its node, if there are any
  bool sends_at_start_only = false;  // see Case
  int local_ranks = 1;               // of the node
  int ranks_on_cores = 1;            // see wire/node.hpp
  int cores = 1;                     // that the ranks of this node may run on
  Topology topology;                 // that routes see
};

// What all ranks know of all.
struct Agreed {
  Features features;
  std::int64_t most_received = 0;  // bytes that one rank receives from others
  bool send_mapped = false;        // on all ranks the plan allocates the send space
  bool receive_mapped = false;
  bool on_device = false;  // a buffer of any rank
};

// Local, and before anything is agreed. read_arguments may throw, as may this: an Error that names the values.
void read_local(const std::function<Arguments()> &read_arguments, MPI_Info info, const Channel &channel, Local &local);

// The one reduction: all ranks learn the features, or throw the first fault of any. Throws Error (hint) when the hints
// are not the same everywhere. Collective; takes no memory, as nobody could be told any more. The topology moves from
// `local` to the features.
Agreed agree_features(const Channel &channel, std::optional<Error> fault, Local &local);

}  // namespace rondo::internal
