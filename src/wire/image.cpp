#include "wire/image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <span>

#include "exchange/error.hpp"

namespace rondo::internal {

namespace {

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

TypedElements Image::elements(const Part &part) const {
  const auto place = static_cast<std::size_t>(part.type);
  return {.first = side_.address(part),
          .count = part.count,
          .type = types_[place].type(),
          .shape = side_.shape(part),
          .runs = runs_in(side_.types[place].runs)};
}

void Image::pack() const {
  for_each_packed_part(side_, [this](const Part &part, std::int64_t offset) {
    internal::pack(elements(part), data() + offset, channel_.packing());
  });
}

void Image::unpack() const {
  for_each_packed_part(side_, [this](const Part &part, std::int64_t offset) {
    internal::unpack(elements(part), data() + offset, channel_.packing());
  });
}

}  // namespace rondo::internal
