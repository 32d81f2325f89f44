#pragma once

// What Rondo needs to know of an MPI datatype, found out at init.

#include <mpi.h>

#include <cstdint>

#include "exchange/exchange.hpp"

namespace rondo::internal {

struct DatatypeShape {
  std::int64_t size = 0;    // bytes of data in one element
  std::int64_t extent = 0;  // bytes from one element to the next
  std::int64_t true_lower_bound = 0;
  std::int64_t true_extent = 0;
  bool dense = false;  // `size` bytes in a row from the true lower bound, in order, and elements follow each other

  // Between the first and the last byte of so many elements, at least one, from the first one's address. An extent may
  // be negative: then the first element lies last.
  [[nodiscard]] Extent span(std::int64_t count) const {
    const std::int64_t last = (count - 1) * extent;
    const std::int64_t lowest = last < 0 ? last : 0;
    const std::int64_t highest = last < 0 ? 0 : last;
    return {lowest + true_lower_bound, highest - lowest + true_extent};
  }

  bool operator==(const DatatypeShape &) const = default;
};

// What MPI tells of a type; `dense` is left false. Throws Error (mpi).
DatatypeShape measure(MPI_Datatype type);

// Throws Error (type) for a null, freed or uncommitted datatype; `side` ("send", "receive") goes into the message.
// `packing` is any communicator whose errors are returned: MPI packs on one.
DatatypeShape shape_of(MPI_Datatype type, const char *side, MPI_Comm packing);

}  // namespace rondo::internal
