#include "wire/image.hpp"

#include <algorithm>

#include "wire/mpi_call.hpp"

namespace rondo {

namespace {

// MPI_Pack counts bytes in an int: at most this many at once.
constexpr std::int64_t most_bytes = std::int64_t{1} << 30;

// Calls move(address of elements, number of elements, offset in the image, bytes) for all elements of a side.
template <class Move>
void for_each_piece(const Side &side, const std::vector<Extent> &extents, Move &&move) {
  const std::int64_t piece = std::max<std::int64_t>(1, most_bytes / std::max<std::int64_t>(1, side.shape.size));
  for (int peer = 0; peer < static_cast<int>(extents.size()); ++peer) {
    const Extent &extent = extents[static_cast<std::size_t>(peer)];
    if (extent.length == 0) continue;
    const std::int64_t count = side.counts[static_cast<std::size_t>(peer)];
    for (std::int64_t done = 0; done < count; done += piece) {
      const std::int64_t elements = std::min(piece, count - done);
      move(side.element_address(peer) + done * side.shape.extent, static_cast<int>(elements),
           extent.offset + done * side.shape.size, static_cast<int>(elements * side.shape.size));
    }
  }
}

}  // namespace

Image::Image(Side side)
    : side_(std::move(side)),
      type_(side_.type),
      extents_(extents_packed(side_)),
      storage_(extents_.empty() ? 0 : extents_.back().end()) {}

void Image::pack() {
  for_each_piece(side_, extents_, [this](std::byte *elements, int count, std::int64_t offset, int bytes) {
    int position = 0;
    check_mpi(MPI_Pack(elements, count, type_.type(), data() + offset, bytes, &position, MPI_COMM_SELF), "MPI_Pack");
  });
}

void Image::unpack() const {
  for_each_piece(side_, extents_, [this](std::byte *elements, int count, std::int64_t offset, int bytes) {
    int position = 0;
    check_mpi(MPI_Unpack(data() + offset, bytes, &position, elements, count, type_.type(), MPI_COMM_SELF),
              "MPI_Unpack");
  });
}

}  // namespace rondo
