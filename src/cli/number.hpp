#pragma once

#include <fmt/format.h>

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rondo::internal::cli {

// The largest block that can be asked for: sizes are drawn by way of double, which is exact to 2^53.
constexpr std::int64_t most_bytes = std::int64_t{1} << 50;

// The number that the whole text is; nothing when any of it is not part of one, or when it does not fit.
template <class Number>
std::optional<Number> parse_number(std::string_view text) {
  Number number{};
  const char *const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return std::nullopt;
  return number;
}

// The same, and nothing when it is outside low..high.
template <class Number>
std::optional<Number> parse_number(std::string_view text, Number low, Number high) {
  const auto number = parse_number<Number>(text);
  return number && *number >= low && *number <= high ? number : std::nullopt;
}

// A check of a command-line option. CLI11's own takes -5 for a large number where none may be negative.
template <class Number>
auto whole_number(Number low, Number high) {
  return [low, high](const std::string &text) {
    if (parse_number<Number>(text, low, high)) return std::string();
    return fmt::format("'{}' is not a whole number from {} to {}", text, low, high);
  };
}

}  // namespace rondo::internal::cli
