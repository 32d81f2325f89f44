#include "cli/payload.hpp"

#include <algorithm>
#include <cstring>

#include "cli/hash.hpp"

namespace rondo::internal::cli {

void fill_payload(std::span<std::byte> bytes, Block block, int round) {
  const auto key = hash(hash(static_cast<std::uint64_t>(round), static_cast<std::uint64_t>(block.source)),
                        static_cast<std::uint64_t>(block.part));
  for (std::size_t offset = 0; offset < bytes.size(); offset += sizeof(std::uint64_t)) {
    const std::uint64_t word = hash(key, offset);
    std::memcpy(bytes.data() + offset, &word, std::min(sizeof word, bytes.size() - offset));
  }
}

}  // namespace rondo::internal::cli
