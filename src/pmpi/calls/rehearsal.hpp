#pragma once

// A call before the program's first.
//
// The first call of a process takes many times as long as a later one: it is the first to touch the code, the tables
// and the memory of links that all calls use. Most programs measure, or wait for, few calls, so one is made in
// MPI_Init, where ranks meet anyway.

namespace rondo::internal::pmpi {

// Exchanges a number with each rank, on a communicator that is there for it alone. Collective over MPI_COMM_WORLD,
// whose ranks have links. If it fails, on whichever rank, there has been none: the program's calls do what they can.
void rehearse_a_call();

}  // namespace rondo::internal::pmpi
