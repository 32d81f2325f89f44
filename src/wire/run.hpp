#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace rondo::internal {

// Which space a run of bytes lies in; memory of the plan that is none of them, and other ranks' memory.
enum class Home : std::uint8_t { plan, send, receive, scratch };

// A run of bytes in this process.
struct Run {
  std::byte *address;
  std::int64_t length;
  Home home;
};

// By how many bytes the send and the receive space have moved.
struct Moved {
  std::ptrdiff_t send;
  std::ptrdiff_t receive;

  template <class Byte>
  void follow(Byte *&address, Home home) const {
    if (home == Home::send) address += send;
    if (home == Home::receive) address += receive;
  }
};

// Walks two lists of runs of the same total side by side, and calls copy(to, done, from, used, bytes) for each common
// stretch: so many bytes, from `used` on of a run of `from`, to `done` on of a run of `to`.
template <class To, class From, class Copy>
void for_each_stretch(std::span<const To> to, std::span<const From> from, Copy &&copy) {
  std::size_t j = 0;
  std::int64_t used = 0;  // of from[j]
  for (const To &target : to) {
    for (std::int64_t done = 0; done < target.length;) {
      const std::int64_t bytes = std::min(target.length - done, from[j].length - used);
      copy(target, done, from[j], used, bytes);
      done += bytes;
      used += bytes;
      if (used == from[j].length) {
        ++j;
        used = 0;
      }
    }
  }
}

}  // namespace rondo::internal
