#include "call/kept_arguments.hpp"

#include <algorithm>
#include <cstring>

#include "wire/type_cache.hpp"

namespace rondo::internal::call {

namespace {

template <class Word>
bool same_ends(const std::byte *one, const std::byte *other, std::size_t bytes) {
  const auto word_at = [](const std::byte *at) {
    Word word;
    std::memcpy(&word, at, sizeof(word));
    return word;
  };
  const std::size_t last = bytes - sizeof(Word);
  return word_at(one) == word_at(other) && word_at(one + last) == word_at(other + last);
}

// Up to four counts by two words: a call of memcmp would take longer than that.
bool same(const std::byte *kept, const void *given, std::size_t bytes) {
  const auto *const other = static_cast<const std::byte *>(given);
  if (bytes == 0) return true;
  if (bytes > 2 * sizeof(std::uint64_t)) return std::memcmp(kept, other, bytes) == 0;
  return bytes < sizeof(std::uint64_t) ? same_ends<std::uint32_t>(kept, other, bytes)
                                       : same_ends<std::uint64_t>(kept, other, bytes);
}

// Of so many entries the first count and the last, and the last displacement.
std::uint64_t fingerprint_of(const SideArguments &side, int entries) {
  constexpr std::uint64_t spread = 0x9E3779B97F4A7C15U;
  if (side.counts == nullptr || entries == 0) return 0;
  const auto count_at = [&](int entry) {
    return static_cast<std::uint64_t>(number_at(side.counts, side.width, entry));
  };
  if (side.displs == nullptr) return count_at(0);
  const int last = entries - 1;
  const auto displ = static_cast<std::uint64_t>(number_at(side.displs, side.displ_width, last));
  return (count_at(0) * spread + count_at(last)) * spread + displ;
}

}  // namespace

void KeptArguments::Side::keep(const SideArguments &given, int entries, bool each_type) {
  const auto each = static_cast<std::size_t>(entries);
  count_bytes = given.counts == nullptr ? 0 : given.width * (given.displs == nullptr ? 1 : each);
  displ_bytes = given.displs == nullptr ? 0 : given.displ_width * each;
  const std::size_t type_bytes = sizeof(MPI_Datatype) * (each_type ? each : 1);
  width = given.width;
  displ_width = given.displ_width;
  null_buffer = given.buffer == nullptr;
  on_device = given.on_device;
  arrays.resize(count_bytes + displ_bytes + type_bytes);
  const auto copy = [](std::byte *to, const void *from, std::size_t bytes) {
    return std::copy_n(static_cast<const std::byte *>(from), bytes, to);
  };
  std::byte *const displs = copy(arrays.data(), given.counts, count_bytes);
  copy(copy(displs, given.displs, displ_bytes), given.types, type_bytes);
}

bool KeptArguments::Side::equals(const SideArguments &given) const {
  const std::byte *const displs = arrays.data() + count_bytes;
  const std::byte *const types = displs + displ_bytes;
  return width == given.width && displ_width == given.displ_width && null_buffer == (given.buffer == nullptr) &&
         on_device == given.on_device && same(arrays.data(), given.counts, count_bytes) &&
         same(displs, given.displs, displ_bytes) && same(types, given.types, arrays.size() - count_bytes - displ_bytes);
}

bool KeptArguments::Side::has(MPI_Datatype type) const {
  for (std::size_t at = count_bytes + displ_bytes; at < arrays.size(); at += sizeof(type)) {
    if (std::memcmp(arrays.data() + at, &type, sizeof(type)) == 0) return true;
  }
  return false;
}

void KeptArguments::keep(const CallArguments &arguments, const Peers &peers, std::uint64_t types_freed) {
  in_place_ = arguments.in_place();
  types_freed_ = types_freed;
  receive_.keep(arguments.receive, peers.sources(), arguments.each_type);
  // What is sent in place is what is received: the arguments of the send side mean nothing.
  if (!in_place_) send_.keep(arguments.send, peers.destinations(), arguments.each_type);
}

// Compiled in one piece: it is part of every call.
[[gnu::flatten]] bool KeptArguments::equal(const CallArguments &arguments) const {
  return types_freed_ == types_freed() && in_place_ == arguments.in_place() && receive_.equals(arguments.receive) &&
         (in_place_ || send_.equals(arguments.send));
}

bool KeptArguments::have(MPI_Datatype type) const {
  return receive_.has(type) || (!in_place_ && send_.has(type));
}

std::uint64_t fingerprint_of(const CallArguments &arguments, const Peers &peers) {
  const std::uint64_t receive = fingerprint_of(arguments.receive, peers.sources());
  return arguments.in_place() ? receive
                              : receive * 0xC2B2AE3D27D4EB4FU + fingerprint_of(arguments.send, peers.destinations());
}

}  // namespace rondo::internal::call
