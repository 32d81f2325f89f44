#pragma once

// The shapes that block sizes can have, as a problem names them; block_sizes.hpp draws sizes from them.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rondo::internal::cli {

struct Distribution {
  enum class Kind : std::uint8_t {
    uniform,
    window,
    normal,
    normal_ranks,
    powerlaw,
    constant,
    sparse,
    empty,
    one_heavy
  };

  Kind kind = Kind::uniform;
  double argument = 0;  // window: R in percent; powerlaw: the base; sparse: peers; else 0

  // True where all blocks have the same size, whatever the largest size is.
  [[nodiscard]] bool uniform_sizes() const { return kind == Kind::constant || kind == Kind::empty; }
  friend bool operator==(const Distribution &, const Distribution &) = default;
};

// Reads `constant`, `window:50` and so on; nothing when the text is none of them.
std::optional<Distribution> parse_distribution(std::string_view text);

std::string to_string(const Distribution &distribution);

// What parse_distribution takes, for people.
std::string known_distributions();

}  // namespace rondo::internal::cli
