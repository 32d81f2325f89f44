#pragma once

// The arguments of an all-to-all call, of whatever kind and width.

#include <mpi.h>

#include <cstddef>
#include <cstdint>

#include "pmpi/settings.hpp"

namespace rondo::internal::pmpi {

struct SideArguments {
  void *buffer;        // never written on the send side
  const void *counts;  // one for each entry; of alltoall: the one for all, whose blocks follow each other
  const void *displs;  // null for alltoall
  const MPI_Datatype *types;
  std::size_t width;  // of a count, and of a displacement: those of int, or those of MPI_Count
  bool on_device;     // the buffer is memory of a GPU

  [[nodiscard]] std::int64_t count(int entry) const { return read(counts, displs == nullptr ? 0 : entry); }
  [[nodiscard]] std::int64_t displacement(int entry) const {
    return displs == nullptr ? entry * count(entry) : read(displs, entry);
  }

 private:
  [[nodiscard]] std::int64_t read(const void *array, int entry) const {
    return width == sizeof(int) ? static_cast<const int *>(array)[entry]
                                : static_cast<const std::int64_t *>(array)[entry];
  }
};

static_assert(sizeof(MPI_Count) == sizeof(std::int64_t) && sizeof(MPI_Aint) == sizeof(std::int64_t));

struct CallArguments {
  Call call;
  SideArguments send;
  SideArguments receive;
  bool each_type = false;  // a type for each entry, and displacements in bytes

  [[nodiscard]] bool in_place() const { return send.buffer == MPI_IN_PLACE; }
};

}  // namespace rondo::internal::pmpi
