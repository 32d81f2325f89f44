#include "cli/distribution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "cli/number.hpp"

namespace rondo::internal::cli {

namespace {

struct Entry {
  Distribution::Kind kind;
  std::string_view name;
  std::string_view argument;  // how it is called; empty where there is none
  bool (*allowed)(double) = nullptr;
};

bool is_percent(double value) {
  return value >= 0 && value <= 100 && std::floor(value) == value;
}
bool is_base(double value) {
  return value > 0 && value < 1;
}
bool is_count(double value) {
  return value >= 0 && value <= 1 << 30 && std::floor(value) == value;
}

constexpr std::array table = {
    Entry{Distribution::Kind::uniform, "uniform", ""},
    Entry{Distribution::Kind::window, "window", "R (percent, 0..100)", is_percent},
    Entry{Distribution::Kind::normal, "normal", ""},
    Entry{Distribution::Kind::normal_ranks, "normal_ranks", ""},
    Entry{Distribution::Kind::powerlaw, "powerlaw", "BASE (between 0 and 1)", is_base},
    Entry{Distribution::Kind::constant, "constant", ""},
    Entry{Distribution::Kind::sparse, "sparse", "K (peers)", is_count},
    Entry{Distribution::Kind::empty, "empty", ""},
    Entry{Distribution::Kind::one_heavy, "one_heavy", ""},
};

}  // namespace

std::optional<Distribution> parse_distribution(std::string_view text) {
  const auto colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const auto entry = std::find_if(table.begin(), table.end(), [&](const Entry &e) { return e.name == name; });
  if (entry == table.end() || (colon == std::string_view::npos) != entry->argument.empty()) return std::nullopt;
  if (entry->argument.empty()) return Distribution{entry->kind, 0};
  const auto argument = parse_number<double>(text.substr(colon + 1));
  if (!argument || !entry->allowed(*argument)) return std::nullopt;
  return Distribution{entry->kind, *argument};
}

std::string to_string(const Distribution &distribution) {
  const Entry &entry = table[static_cast<std::size_t>(distribution.kind)];
  if (entry.argument.empty()) return std::string(entry.name);
  return fmt::format("{}:{}", entry.name, distribution.argument);
}

std::string known_distributions() {
  std::string text;
  for (const Entry &entry : table) {
    text += fmt::format("{}{}{}{}", text.empty() ? "" : ", ", entry.name, entry.argument.empty() ? "" : ":",
                        entry.argument);
  }
  return text;
}

}  // namespace rondo::internal::cli
