#include "wire/image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>

#include "exchange/error.hpp"
#include "wire/copy.hpp"
#include "wire/mpi_call.hpp"

namespace rondo::internal {

namespace {

// MPI_Pack counts bytes in an int: at most this many at once.
constexpr std::int64_t most_bytes = std::int64_t{1} << 30;

// Calls move(address of elements, number of elements, offset in the image, bytes) for all elements of a part, as many
// at once as MPI can count.
template <class Move>
void for_each_piece(const Side &side, const Part &part, std::int64_t offset, Move &&move) {
  const DatatypeShape &shape = side.shape(part);
  const std::int64_t piece = std::max<std::int64_t>(1, most_bytes / shape.size);
  for (std::int64_t done = 0; done < part.count; done += piece) {
    const std::int64_t elements = std::min(piece, part.count - done);
    move(side.address(part) + done * shape.extent, static_cast<int>(elements), offset + done * shape.size,
         static_cast<int>(elements * shape.size));
  }
}

// Calls copy(address of a run, address in the image, bytes) for every run of every element, in order.
template <class Copy>
void for_each_run(const Side &side, const Part &part, std::span<const Extent> runs, std::byte *image, Copy &&copy) {
  std::byte *element = side.address(part);
  for (std::int64_t i = 0; i < part.count; ++i, element += side.shape(part).extent) {
    for (const Extent &run : runs) {
      copy(element + run.offset, image, run.length);
      image += run.length;
    }
  }
}

void copy_run(std::byte *to, const std::byte *from, std::int64_t bytes) {
  copy_bytes(to, from, static_cast<std::size_t>(bytes));
}

template <std::size_t length>
void copy_short(std::byte *to, const std::byte *from, std::int64_t) {
  std::memcpy(to, from, length);
}

// Short runs of one length are most of what types with gaps are made of: their copies take no call.
template <class Work>
void with_length(std::span<const Extent> runs, Work &&work) {
  const std::int64_t length = runs.front().length;
  const bool alike = std::all_of(runs.begin(), runs.end(), [&](const Extent &run) { return run.length == length; });
  if (alike && length == 4) return work([](auto... given) { copy_short<4>(given...); });
  if (alike && length == 8) return work([](auto... given) { copy_short<8>(given...); });
  if (alike && length == 16) return work([](auto... given) { copy_short<16>(given...); });
  work([](auto... given) { copy_run(given...); });
}

// Throws Error (type) for an element that nothing here can pack.
Side packable(Side side) {
  constexpr std::int64_t most_packed = std::numeric_limits<int>::max();
  for (const SideType &used : side.types) {
    if (used.shape.dense || used.runs || used.shape.size <= most_packed) continue;
    throw Error(Fault::type, fmt::format("an element of {} bytes with gaps cannot be packed: MPI_Pack takes at most {}",
                                         used.shape.size, most_packed))
        .with_values(used.shape.size, most_packed);
  }
  return side;
}

}  // namespace

Image::Image(Side side, Channel channel)
    : side_(packable(std::move(side))),
      channel_(std::move(channel)),
      types_(hold_types(side_)),
      extents_(extents_packed(side_)),
      storage_(extents_.empty() ? 0 : extents_.back().end()) {}

bool Image::calls_mpi() const {
  return std::any_of(side_.types.begin(), side_.types.end(),
                     [](const SideType &used) { return !used.shape.dense && !used.runs; });
}

void Image::pack() const {
  move<Direction::pack>();
}

void Image::unpack() const {
  move<Direction::unpack>();
}

template <Image::Direction direction>
void Image::move() const {
  constexpr bool packs = direction == Direction::pack;
  for_each_packed_part(side_, [this](const Part &part, std::int64_t offset) {
    const auto with = [](auto copy) {
      return [copy](std::byte *mine, std::byte *image, std::int64_t bytes) {
        packs ? copy(image, mine, bytes) : copy(mine, image, bytes);
      };
    };
    if (side_.shape(part).dense) {
      std::byte *const data_of_part = side_.address(part) + side_.shape(part).true_lower_bound;
      return with(copy_run)(data_of_part, data() + offset, side_.bytes(part));
    }
    if (const auto &runs = side_.types[static_cast<std::size_t>(part.type)].runs) {
      return with_length(*runs, [&](auto copy) { for_each_run(side_, part, *runs, data() + offset, with(copy)); });
    }
    for_each_piece(side_, part, offset, [&](std::byte *elements, int count, std::int64_t at, int bytes) {
      int position = 0;
      if (packs) {
        check_mpi(MPI_Pack(elements, count, type_of(part), data() + at, bytes, &position, channel_.comm()), "MPI_Pack");
      } else {
        check_mpi(MPI_Unpack(data() + at, bytes, &position, elements, count, type_of(part), channel_.comm()),
                  "MPI_Unpack");
      }
    });
  });
}

}  // namespace rondo::internal
