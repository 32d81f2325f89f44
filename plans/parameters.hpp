#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rondo::internal {

// What goes into one message between nodes (TuNA, section IV-B): all that the sender has for one destination, or
// one block. `none` where nothing is said, or the algorithm takes none.
enum class Pattern : std::uint8_t { none, coalesced, staggered };

// "coalesced" or "staggered"; empty for none. And back: nothing for any other text.
std::string_view to_string(Pattern pattern);
std::optional<Pattern> parse_pattern(std::string_view text);

struct Parameters {
  int radix = 0;        // of the digits by which blocks travel; 0 where the algorithm takes none
  int block_count = 0;  // sends in flight at most; 0 where the algorithm takes none
  int leaders = 0;      // ranks of each node that relay blocks to other nodes; 0 where the algorithm takes none
  Pattern pattern = Pattern::none;

  friend bool operator==(const Parameters &, const Parameters &) = default;
};

}  // namespace rondo::internal
