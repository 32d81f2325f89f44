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
  bool may_be_left_out = false;  // the argument
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
bool is_ratio(double value) {
  return value >= 0x1p-30 && value <= 0x1p30;
}
bool is_size_of_fft(double value) {
  return value == 1 || value == 2;
}

constexpr std::array table = {
    Entry{Distribution::Kind::uniform, "uniform", ""},
    Entry{Distribution::Kind::window, "window", "R (percent, 0..100)", is_percent},
    Entry{Distribution::Kind::normal, "normal", ""},
    Entry{Distribution::Kind::normal_ranks, "normal_ranks", "MEAN:DEVIATION (ranks)", nullptr, true},
    Entry{Distribution::Kind::powerlaw, "powerlaw", "BASE (between 0 and 1)", is_base},
    Entry{Distribution::Kind::constant, "constant", ""},
    Entry{Distribution::Kind::sparse, "sparse", "K (peers)", is_count},
    Entry{Distribution::Kind::empty, "empty", ""},
    Entry{Distribution::Kind::one_heavy, "one_heavy", ""},
    Entry{Distribution::Kind::hot_receivers, "hot_receivers", "K (ranks)", is_count},
    Entry{Distribution::Kind::by_group, "by_group", "RATIO (above 0)", is_ratio},
    Entry{Distribution::Kind::arithmetic, "arithmetic", ""},
    Entry{Distribution::Kind::fft, "fft", "1 or 2", is_size_of_fft},
    Entry{Distribution::Kind::trace, "trace", "FILE", nullptr},
};

// Where the middle lies and how far the deviation goes, in ranks.
std::optional<Distribution> parse_normal_ranks(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const auto mean = parse_number<double>(text.substr(0, colon));
  const auto deviation = parse_number<double>(text.substr(colon + 1));
  const auto is_place = [](const std::optional<double> &value) { return value && *value > 0 && *value <= 1 << 30; };
  if (!is_place(mean) || !is_place(deviation)) return std::nullopt;
  return Distribution{.kind = Distribution::Kind::normal_ranks, .argument = *mean, .deviation = *deviation};
}

}  // namespace

std::string Distribution::obstacle(int ranks) const {
  if (sizes == nullptr || sizes->ranks == ranks) return {};
  return fmt::format("trace {} is of {} ranks, and there are {}", path, sizes->ranks, ranks);
}

std::optional<Distribution> parse_distribution(std::string_view text) {
  const auto colon = text.find(':');
  const std::string_view name = text.substr(0, colon);
  const auto entry = std::find_if(table.begin(), table.end(), [&](const Entry &e) { return e.name == name; });
  if (entry == table.end()) return std::nullopt;
  if (colon == std::string_view::npos) {
    if (!entry->argument.empty() && !entry->may_be_left_out) return std::nullopt;
    return Distribution{.kind = entry->kind};
  }
  const std::string_view rest = text.substr(colon + 1);
  if (entry->kind == Distribution::Kind::normal_ranks) return parse_normal_ranks(rest);
  if (entry->kind == Distribution::Kind::trace) {
    if (rest.empty()) return std::nullopt;
    return Distribution{.kind = entry->kind, .path = std::string(rest), .sizes = read_trace(std::string(rest))};
  }
  const auto argument = parse_number<double>(rest);
  if (entry->argument.empty() || !argument || !entry->allowed(*argument)) return std::nullopt;
  return Distribution{.kind = entry->kind, .argument = *argument};
}

std::string to_string(const Distribution &distribution) {
  const Entry &entry = table[static_cast<std::size_t>(distribution.kind)];
  if (distribution.kind == Distribution::Kind::trace) return fmt::format("{}:{}", entry.name, distribution.path);
  if (distribution.deviation > 0)
    return fmt::format("{}:{}:{}", entry.name, distribution.argument, distribution.deviation);
  if (entry.argument.empty() || entry.may_be_left_out) return std::string(entry.name);
  return fmt::format("{}:{}", entry.name, distribution.argument);
}

std::string known_distributions() {
  std::string text;
  for (const Entry &entry : table) {
    const std::string argument = entry.argument.empty() ? "" : fmt::format(":{}", entry.argument);
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", entry.name,
                        entry.may_be_left_out ? fmt::format("[{}]", argument) : argument);
  }
  return text;
}

}  // namespace rondo::internal::cli
