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
  // be negative: then the first element lies last. Throws Error (count) where that needs more than 64 bits.
  [[nodiscard]] Extent span(std::int64_t count) const {
    const char *const what = "what elements reach over";
    const std::int64_t last = checked_multiply(count - 1, extent, what);
    const std::int64_t distance = checked_multiply(last < 0 ? -1 : 1, last, what);
    return {checked_add(last < 0 ? last : 0, true_lower_bound, what), checked_add(distance, true_extent, what)};
  }

  bool operator==(const DatatypeShape &) const = default;
};

// What MPI tells of a type; `dense` is left false. Throws Error (mpi).
DatatypeShape measure(MPI_Datatype type);

// Throws Error (type) for a null, freed or uncommitted datatype; `side` ("send", "receive") goes into the message.
// `packing` is any communicator whose errors are returned: MPI packs on one.
DatatypeShape shape_of(MPI_Datatype type, const char *side, MPI_Comm packing);

}  // namespace rondo::internal
