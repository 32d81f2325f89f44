#pragma once

#include "plans/algorithm.hpp"
#include "route/route.hpp"

namespace rondo::internal {

// The route of an exchange whose counts come with each start: that of fixed counts. Where the algorithm pads, messages
// without blocks go before it, by which all ranks learn how long the largest block is: in step k each rank sends to the
// one 2^k further, so that after ceil(log2 P) of them every rank has heard of every other. In Fan 2022, section 3.1,
// this is a reduction by the MPI library.
Route varying_route(const Algorithm &algorithm, int rank, const Topology &topology, const Parameters &parameters);

}  // namespace rondo::internal
