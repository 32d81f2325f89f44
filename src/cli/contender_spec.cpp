#include <fmt/format.h>

#include "cli/contender.hpp"
#include "cli/selection.hpp"
#include "cli/usage_error.hpp"
#include "exchange/nearest_name.hpp"
#include "plans/parameter_words.hpp"
#include "schedule/wire.hpp"

namespace rondo::internal::cli {

namespace {

constexpr std::string_view chosen = "chosen";
constexpr std::string_view buffers_of_plan = "buffers=plan";
constexpr std::string_view types_of_each_call = "types=each";
constexpr std::string_view progress_by_thread = "progress=thread";
constexpr std::string_view by_measurement = "tune=measure";
constexpr std::string_view over_wire = "wire=";
constexpr std::string_view by_profile = "profile=";

// Cuts the text before the separator off its front.
std::string_view take_until(std::string_view &text, char separator) {
  const std::size_t end = std::min(text.find(separator), text.size());
  const std::string_view front = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return front;
}

[[noreturn]] void reject(std::string_view item, const std::string &why) {
  throw UsageError(fmt::format("--algorithms: '{}': {}", item, why));
}

std::vector<std::string_view> known_names() {
  std::vector<std::string_view> names{"all", chosen};
  const std::vector<std::string_view> algorithms = algorithm_names();
  names.insert(names.end(), algorithms.begin(), algorithms.end());
  return names;
}

void read_parameter(std::string_view item, std::string_view word, const Algorithm *algorithm, Parameters &to) {
  if (algorithm == nullptr) reject(item, fmt::format("{} takes no '{}'", chosen, word));
  std::string_view value = word;
  const std::string_view name = take_until(value, '=');
  const ParameterWord *known = find_parameter_word(name);
  if (known == nullptr || !known->taken_by(*algorithm))
    reject(item, fmt::format("{} takes no '{}'", algorithm->name, name));
  if (!known->read(value, to)) reject(item, fmt::format("{}={}: expected {}", name, value, known->expected));
}

std::string read_wire(std::string_view item, std::string_view value) {
  if (value == "auto" || find_wire(value)) return std::string(value);
  reject(item, fmt::format("wire={}: expected auto, {}", value, list_wires()));
}

// What makes its datatypes in each call has one wire, the caller's buffers, and no thread.
void check_each_call(std::string_view item, const ContenderSpec &spec) {
  if (!spec.each_call) return;
  if (!spec.wire.empty()) reject(item, fmt::format("{} takes no '{}{}'", types_of_each_call, over_wire, spec.wire));
  if (spec.wishes.plan_buffers) reject(item, fmt::format("{} takes no '{}'", types_of_each_call, buffers_of_plan));
  if (spec.wishes.progress_thread)
    reject(item, fmt::format("{} takes no '{}'", types_of_each_call, progress_by_thread));
}

ContenderSpec parse_contender(std::string_view item) {
  std::string_view rest = item;
  const std::string_view name = take_until(rest, ':');
  const Algorithm *algorithm = find_algorithm(name);
  if (algorithm == nullptr && name != chosen) {
    const std::vector<std::string_view> names = known_names();
    reject(item, fmt::format("expected one of {}{}", fmt::join(names, ", "), did_you_mean(name, names)));
  }
  ContenderSpec spec;
  if (algorithm != nullptr) spec.algorithm = name;
  while (!rest.empty()) {
    const std::string_view word = take_until(rest, ':');
    if (word == buffers_of_plan) {
      spec.wishes.plan_buffers = true;
    } else if (word == types_of_each_call && algorithm != nullptr) {
      spec.each_call = true;
    } else if (word == progress_by_thread) {
      spec.wishes.progress_thread = true;
    } else if (word == by_measurement && algorithm == nullptr) {
      spec.wishes.measured = true;
    } else if (word.starts_with(by_profile) && algorithm == nullptr) {
      spec.wishes.profile = word.substr(by_profile.size());
      if (spec.wishes.profile.empty()) reject(item, fmt::format("{}: expected the name of a file", by_profile));
    } else if (word.starts_with(over_wire)) {
      spec.wire = read_wire(item, word.substr(over_wire.size()));
    } else {
      read_parameter(item, word, algorithm, spec.parameters);
    }
  }
  check_each_call(item, spec);
  return spec;
}

}  // namespace

std::string ContenderSpec::label() const {
  if (kind == Kind::mpi_blocking) return "MPI_Alltoallv";
  if (kind == Kind::mpi_persistent) return "MPI_Alltoallv_init";
  std::string text = cli::label(algorithm.empty() ? chosen : algorithm, parameters);
  if (!wire.empty()) text += fmt::format(":{}{}", over_wire, wire);
  if (wishes.progress_thread) text += fmt::format(":{}", progress_by_thread);
  if (wishes.measured) text += fmt::format(":{}", by_measurement);
  if (!wishes.profile.empty()) text += fmt::format(":{}{}", by_profile, wishes.profile);
  if (each_call) text += fmt::format(":{}", types_of_each_call);
  if (wishes.plan_buffers) text += fmt::format(":{}", buffers_of_plan);
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

}  // namespace rondo::internal::cli
