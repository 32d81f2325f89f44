#pragma once

// The arguments of an all-to-all call, or of an all-gather, of whatever kind and width, where the caller has them.

#include <mpi.h>

#include <cstddef>
#include <cstdint>

namespace rondo::internal::call {

struct SideArguments {
  void *buffer;  // never written on the send side
  // One for each entry. Calls with one count for all blocks, which follow each other, and the send side of an
  // all-gather have that one and no displacements.
  const void *counts;
  const void *displs;
  const MPI_Datatype *types;
  std::size_t width;        // of a count: that of int, or that of MPI_Count
  std::size_t displ_width;  // of a displacement: that of int, or that of MPI_Aint
  bool on_device;           // the buffer is memory of a GPU
};

static_assert(sizeof(MPI_Count) == sizeof(MPI_Aint));

// An element of an array of counts or of displacements, of whichever width.
inline std::int64_t number_at(const void *numbers, std::size_t width, int entry) {
  return width == sizeof(int) ? static_cast<const int *>(numbers)[entry]
                              : static_cast<const MPI_Count *>(numbers)[entry];
}

struct CallArguments {
  SideArguments send;
  SideArguments receive;
  bool each_type = false;         // a type for each entry, and displacements in bytes
  bool gathers = false;           // each rank sends one block, which is the same for all
  bool may_be_on_device = false;  // not so where both buffers are known to be ordinary memory

  [[nodiscard]] bool in_place() const { return send.buffer == MPI_IN_PLACE; }
};

}  // namespace rondo::internal::call
