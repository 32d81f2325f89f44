#include "pmpi/packing.hpp"

#include <algorithm>

#include "wire/copy.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal::pmpi {

namespace {

// MPI_Pack counts bytes in an int: at most this many at once.
constexpr std::int64_t most_bytes = std::int64_t{1} << 30;

// Calls move(first element, number of elements, offset of the packed data, its bytes) until all are moved.
template <class Move>
void for_each_piece(const Message &message, void *buffer, Move &&move) {
  const std::int64_t piece = std::max<std::int64_t>(1, most_bytes / message.shape.size);
  for (std::int64_t done = 0; done < message.count; done += piece) {
    const std::int64_t elements = std::min(piece, message.count - done);
    move(message.elements(buffer) + done * message.shape.extent, static_cast<int>(elements), done * message.shape.size,
         static_cast<int>(elements * message.shape.size));
  }
}

}  // namespace

void pack(const Message &message, void *buffer, std::byte *packed) {
  if (message.shape.dense) return copy_bytes(packed, message.data(buffer), static_cast<std::size_t>(message.bytes));
  for_each_piece(message, buffer, [&](std::byte *elements, int count, std::int64_t at, int bytes) {
    int position = 0;
    check_mpi(PMPI_Pack(elements, count, message.type, packed + at, bytes, &position, MPI_COMM_SELF), "MPI_Pack");
  });
}

void unpack(const Message &message, void *buffer, const std::byte *packed) {
  if (message.shape.dense) return copy_bytes(message.data(buffer), packed, static_cast<std::size_t>(message.bytes));
  for_each_piece(message, buffer, [&](std::byte *elements, int count, std::int64_t at, int bytes) {
    int position = 0;
    check_mpi(PMPI_Unpack(packed + at, bytes, &position, elements, count, message.type, MPI_COMM_SELF), "MPI_Unpack");
  });
}

}  // namespace rondo::internal::pmpi
