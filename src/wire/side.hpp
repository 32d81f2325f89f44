#pragma once

// One side of a call as the caller gave it, and what becomes of it in bytes.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "exchange/exchange.hpp"
#include "wire/datatype.hpp"

namespace rondo {

// A buffer, and for each peer how many elements there are and where the first lies, in extents of the type.
// The arrays are copies: the caller's may be gone.
struct Side {
  void *buffer = nullptr;  // never written on the send side
  std::vector<std::int64_t> counts{};
  std::vector<std::int64_t> displacements{};
  MPI_Datatype type = MPI_DATATYPE_NULL;
  DatatypeShape shape{};

  [[nodiscard]] std::int64_t bytes(int peer) const;          // of data
  [[nodiscard]] std::int64_t first_byte(int peer) const;     // offset of the first byte of data, from the buffer
  [[nodiscard]] std::byte *element_address(int peer) const;  // where MPI expects the first element
};

// Fills in the shape. Throws Error for a negative count, a null buffer with data, a bad type, an overflow; `name`
// is "send" or "receive".
void check_side(Side &side, const char *name);

// The extents of the blocks in the user's buffer; the type must be dense.
std::vector<Extent> extents_in_buffer(const Side &side);

// The extents of the blocks packed one after the other, in rank order.
std::vector<Extent> extents_packed(const Side &side);

// Throws Error (overlap) when two blocks of a receive side share bytes. A type with gaps is looked at run by run
// as long as that is no more than a million runs.
void check_receive_overlap(const Side &side);

}  // namespace rondo
