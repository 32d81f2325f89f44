#include "plans/parameters.hpp"

namespace rondo::internal {

std::string_view to_string(Pattern pattern) {
  switch (pattern) {
    case Pattern::coalesced: return "coalesced";
    case Pattern::staggered: return "staggered";
    case Pattern::none: break;
  }
  return {};
}

std::optional<Pattern> parse_pattern(std::string_view text) {
  for (const Pattern pattern : {Pattern::coalesced, Pattern::staggered}) {
    if (text == to_string(pattern)) return pattern;
  }
  return std::nullopt;
}

}  // namespace rondo::internal
