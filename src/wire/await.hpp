#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>

#include "wire/meanwhile.hpp"

namespace rondo::internal {

// Completes a request of the MPI library's. Where ranks outnumber cores this is much faster than the blocking call of a
// library that spins: it gives the core away.
void await(MPI_Request *request, Meanwhile meanwhile);

// Collective: so many bytes of each rank, by rank, to all. Waits in that way. Throws Error (mpi) where MPI fails.
void gather_bytes(MPI_Comm comm, const void *mine, void *all, std::size_t bytes, Meanwhile meanwhile);

template <class Item>
void gather(MPI_Comm comm, const Item &mine, std::span<Item> all, Meanwhile meanwhile = nullptr) {
  gather_bytes(comm, &mine, all.data(), sizeof(Item), meanwhile);
}

}  // namespace rondo::internal
