#pragma once

#include <cstdint>
#include <string_view>

namespace rondo::internal {

// A number for a text that is the same on every rank where the text is, which std::hash need not be: FNV-1a, as a
// positive number, so that its negative can travel beside it. Of a text in parts `before` is that of the earlier parts.
constexpr std::int64_t fingerprint_of(std::string_view text, std::uint64_t before = 0xcbf29ce484222325U) {
  std::uint64_t hash = before;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
  return static_cast<std::int64_t>(hash >> 2);
}

}  // namespace rondo::internal
