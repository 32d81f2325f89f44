#pragma once

// All ranks in one process: planning and running without MPI, for tests and for `rondo verify`.

#include <cstddef>
#include <span>
#include <vector>

#include "plans/algorithm.hpp"
#include "schedule/halve.hpp"
#include "schedule/schedule.hpp"
#include "schedule/sizes.hpp"
#include "schedule/type_receives.hpp"

namespace rondo::internal {

// The three spaces of one rank. send and receive are where offset 0 lies; extents may have negative offsets.
struct Spaces {
  const std::byte *send = nullptr;
  std::byte *receive = nullptr;
  std::byte *scratch = nullptr;
};

// Every rank's sizes, learned by passing the announcements along the routes, unless the kind has all ranks know them.
std::vector<Sizes> learn_all_sizes(std::span<const Route> routes, std::span<const ForwardingTable> forwarding,
                                   std::span<const Exchange> exchanges);

// Every rank's route. The cut is that of a kind whose blocks are segments.
std::vector<Route> route_all(const Algorithm &algorithm, const Parameters &parameters, const Topology &topology,
                             const Cut *cut = nullptr);

// By rank, whether it is another rank of the same node: what LayoutInput::shares_memory is where nodes share memory.
std::vector<char> others_of_node(const Topology &topology, int rank);

// The whole way for every rank: routes, forwarding, sizes, schedules. exchanges[r] is rank r's, with the algorithm's
// cut where blocks are segments. The layouts are those for the wire; with Wire::shared, the messages between ranks of
// one node go through shared memory.
struct Planned {
  std::vector<Route> routes;
  std::vector<Schedule> schedules;
};
Planned plan_all(const Algorithm &algorithm, const Parameters &parameters, const Topology &topology,
                 std::span<const Exchange> exchanges, Wire wire = Wire::packed, const Halving &halving = {},
                 const TypedReceives &typed = {});

// The same from the routes on.
std::vector<Schedule> lower_all(Layout layout, std::span<const Route> routes, const Topology &topology,
                                std::span<const Exchange> exchanges, Wire wire = Wire::packed,
                                const Halving &halving = {}, const TypedReceives &typed = {});

// Runs all schedules on the given spaces, step by step.
void run_all(std::span<const Schedule> schedules, std::span<const Spaces> spaces);

}  // namespace rondo::internal
