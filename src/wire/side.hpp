#pragma once

// One side of a call as the caller gave it, and what becomes of it in bytes.

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "exchange/exchange.hpp"
#include "wire/datatype.hpp"
#include "wire/held_type.hpp"
#include "wire/type_runs.hpp"

namespace rondo::internal {

// A run of elements for one peer: one entry of the caller's arrays.
struct Part {
  int peer;                   // rank of the communicator
  std::int64_t count;         // elements
  std::int64_t displacement;  // of the first element, in Side::unit
  std::int32_t type = 0;      // index in Side::types
  std::int32_t entry = 0;     // index in the caller's arrays
};

struct SideType {
  MPI_Datatype type;
  DatatypeShape shape{};
  TypeRuns runs{};  // of an element of a type that is not dense, if they can be had
};

// A buffer and its parts. The arrays are copies: the caller's may be gone. All parts of a peer are one block, in the
// order in which they stand here: a neighbour may be named more than once.
struct Side {
  enum class Unit { extents, bytes };  // of displacements

  void *buffer = nullptr;  // never written on the send side; null where the plan is to allocate it
  bool plan_allocates = false;
  int ranks = 0;              // of the communicator
  bool for_all = false;       // what is for all that receive from this rank: one part, for peer 0 of one rank
  int entries = 0;            // of each of the caller's arrays
  std::vector<Part> parts{};  // by peer, ascending; a neighbour that does not exist has none
  std::vector<SideType> types{};
  Unit unit = Unit::extents;

  [[nodiscard]] const DatatypeShape &shape(const Part &part) const { return types[part.type].shape; }
  [[nodiscard]] std::int64_t bytes(const Part &part) const { return part.count * shape(part).size; }  // of data
  // Of the first element, from the buffer.
  [[nodiscard]] std::int64_t offset(const Part &part) const {
    if (unit == Unit::bytes) return part.displacement;
    return checked_multiply(part.displacement, shape(part).extent, "a displacement");
  }
  // Of the first byte of data, from the buffer.
  [[nodiscard]] std::int64_t first_byte(const Part &part) const {
    return checked_add(offset(part), shape(part).true_lower_bound, "an offset");
  }
  // Where MPI expects the first element.
  [[nodiscard]] std::byte *address(const Part &part) const { return static_cast<std::byte *>(buffer) + offset(part); }
};

// Calls with(part, offset) for all parts with data, where the offset is that in the packed data: parts are by peer, as
// packed blocks are.
template <class With>
void for_each_packed_part(const Side &side, With &&with) {
  std::int64_t offset = 0;
  for (const Part &part : side.parts) {
    if (side.bytes(part) == 0) continue;
    with(part, offset);
    offset += side.bytes(part);
  }
}

// The types, by their index, for as long as somebody needs them.
std::vector<HeldType> hold_types(const Side &side);

// Fills in the shapes and runs. Throws Error for a negative count, a null buffer with data, a bad type, an overflow;
// `name` is "send" or "receive", `packing` as in shape_of.
void check_side(Side &side, const char *name, MPI_Comm packing);
// The same with what the type cache has (wire/type_cache.hpp): for calls that read their arguments each time.
void check_side_by_cache(Side &side, const char *name);
// For a side that has been checked before and now has another buffer: throws Error (buffer) where that buffer is null
// although the side has data.
void check_buffers(const Side &side, const char *name);

// Whether any block lies in memory of a GPU (wire/device_memory.hpp).
bool is_on_device(const Side &side);

// Whether every block is one run of bytes in the buffer.
bool blocks_are_runs(const Side &side);

// Whether other processes that may read this one's memory can read the data where it lies. For a side of which
// blocks_are_runs is true.
bool others_can_read(const Side &side);

// Whether all data lie at the same places of two buffers, in the same order. For sides whose runs are known.
bool lie_alike(const Side &a, const Side &b);

// The extents of the blocks in the buffer. For a side of which blocks_are_runs is true.
std::vector<Extent> extents_in_buffer(const Side &side);

// The extents of the blocks packed one after the other, in rank order.
std::vector<Extent> extents_packed(const Side &side);

// The bytes of the buffer between the first and the last of any element.
Extent reach(const Side &side);
// The bytes that two sides in the same buffer reach together.
Extent reach(const Side &a, const Side &b);

// Throws Error (overlap) when two blocks of a receive side share bytes. Types with gaps are looked at run by run
// as long as their runs are known, and no more than a million.
void check_receive_overlap(const Side &side);
// Throws Error (overlap) when the two sides of a call that is not in place share bytes with each other, found in the
// same way. Bytes that `rank` sends to itself may stay where they are: there are programs that rely on that.
void check_apart(const Side &send, const Side &receive, int rank);
// Throws Error (mismatch) where `rank` sends more or less to itself than it receives from itself.
void check_own_block(const Side &send, const Side &receive, int rank);

}  // namespace rondo::internal
