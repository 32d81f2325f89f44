#include "wire/image.hpp"

#include <algorithm>

#include "wire/mpi_call.hpp"

namespace rondo {

namespace {

// MPI_Pack counts bytes in an int: at most this many at once.
constexpr std::int64_t most_bytes = std::int64_t{1} << 30;

// Calls move(address of elements, number of elements, index of their type, offset in the image, bytes) for all
// elements of a side.
template <class Move>
void for_each_piece(const Side &side, Move &&move) {
  std::int64_t offset = 0;  // parts are by peer, as blocks are in the image
  for (const Part &part : side.parts) {
    const DatatypeShape &shape = side.shape(part);
    if (side.bytes(part) == 0) continue;
    const std::int64_t piece = std::max<std::int64_t>(1, most_bytes / shape.size);
    for (std::int64_t done = 0; done < part.count; done += piece) {
      const std::int64_t elements = std::min(piece, part.count - done);
      move(side.address(part) + done * shape.extent, static_cast<int>(elements), static_cast<std::size_t>(part.type),
           offset + done * shape.size, static_cast<int>(elements * shape.size));
    }
    offset += side.bytes(part);
  }
}

}  // namespace

Image::Image(Side side)
    : side_(std::move(side)), extents_(extents_packed(side_)), storage_(extents_.empty() ? 0 : extents_.back().end()) {
  types_.reserve(side_.types.size());
  for (const SideType &used : side_.types) types_.emplace_back(used.type);
}

void Image::pack() {
  for_each_piece(side_, [this](std::byte *elements, int count, std::size_t type, std::int64_t offset, int bytes) {
    int position = 0;
    check_mpi(MPI_Pack(elements, count, types_[type].type(), data() + offset, bytes, &position, MPI_COMM_SELF),
              "MPI_Pack");
  });
}

void Image::unpack() const {
  for_each_piece(side_, [this](std::byte *elements, int count, std::size_t type, std::int64_t offset, int bytes) {
    int position = 0;
    check_mpi(MPI_Unpack(data() + offset, bytes, &position, elements, count, types_[type].type(), MPI_COMM_SELF),
              "MPI_Unpack");
  });
}

}  // namespace rondo
