#include <fmt/format.h>

#include "cli/contender.hpp"
#include "cli/number.hpp"
#include "exchange/error.hpp"

namespace rondo::cli {

namespace {

constexpr std::string_view chosen = "chosen";

// Cuts the text before the separator off its front.
std::string_view take_until(std::string_view &text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view front = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return front;
}

[[noreturn]] void reject(std::string_view item, const std::string &why) {
  throw Error(Fault::argument, fmt::format("--algorithms: '{}': {}", item, why));
}

std::string known_names() {
  std::string names = "all, chosen";
  for (const Algorithm *algorithm : algorithms()) names += fmt::format(", {}", algorithm->name);
  return names;
}

void read_parameter(std::string_view item, std::string_view word, const Algorithm &algorithm, Parameters &to) {
  std::string_view value = word;
  const std::string_view name = take_until(value, '=');
  const bool is_radix = name == "radix" && algorithm.takes_radix;
  const bool is_block_count = name == "block_count" && algorithm.takes_block_count;
  if (!is_radix && !is_block_count) reject(item, fmt::format("{} takes no '{}'", algorithm.name, name));
  const auto number = parse_number<int>(value, is_radix ? 2 : 1, 1 << 30);
  if (!number) reject(item, fmt::format("expected {}=N, N at least {}", name, is_radix ? 2 : 1));
  (is_radix ? to.radix : to.block_count) = *number;
}

ContenderSpec parse_contender(std::string_view item) {
  std::string_view rest = item;
  const std::string_view name = take_until(rest, ':');
  if (name == chosen && rest.empty()) return {};
  const Algorithm *algorithm = find_algorithm(name);
  if (algorithm == nullptr) reject(item, fmt::format("expected one of {}", known_names()));
  ContenderSpec spec{.algorithm = std::string(name)};
  while (!rest.empty()) read_parameter(item, take_until(rest, ':'), *algorithm, spec.parameters);
  return spec;
}

}  // namespace

std::string ContenderSpec::label() const {
  if (kind == Kind::mpi_blocking) return "MPI_Alltoallv";
  if (kind == Kind::mpi_persistent) return "MPI_Alltoallv_init";
  std::string text = algorithm.empty() ? std::string(chosen) : algorithm;
  if (parameters.radix != 0) text += fmt::format(":radix={}", parameters.radix);
  if (parameters.block_count != 0) text += fmt::format(":block_count={}", parameters.block_count);
  return text;
}

std::vector<ContenderSpec> parse_contenders(std::string_view text) {
  std::vector<ContenderSpec> specs{{.kind = ContenderSpec::Kind::mpi_blocking},
                                   {.kind = ContenderSpec::Kind::mpi_persistent}};
  while (!text.empty()) {
    const std::string_view item = take_until(text, ',');
    if (item != "all") {
      specs.push_back(parse_contender(item));
      continue;
    }
    specs.push_back({});
    for (const Algorithm *algorithm : algorithms()) specs.push_back({.algorithm = std::string(algorithm->name)});
  }
  return specs;
}

}  // namespace rondo::cli
