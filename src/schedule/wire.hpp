#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rondo::internal {

// What carries a message: MPI, as bytes in a row (staged, where they are not); MPI, as a derived datatype over its
// slices; or memory that both ranks share. (The MPI library's own call, `native`, carries no message of a schedule.)
enum class Wire : std::uint8_t { packed, datatype, shared };

// What a wire is called in hints, problems and reports.
struct WireWord {
  Wire wire;
  std::string_view word;
};

inline constexpr std::array wire_words = {
    WireWord{Wire::shared, "shared"},
    WireWord{Wire::packed, "packed"},
    WireWord{Wire::datatype, "datatype"},
};

// Nothing where there is no such wire.
constexpr std::optional<Wire> find_wire(std::string_view word) {
  const auto *found =
      std::find_if(wire_words.begin(), wire_words.end(), [&](const WireWord &w) { return w.word == word; });
  return found == wire_words.end() ? std::nullopt : std::optional(found->wire);
}

// The words, to say what is expected: "shared, packed or datatype".
std::string list_wires();

}  // namespace rondo::internal
