#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "cli/contender.hpp"
#include "cli/number.hpp"
#include "cli/operation.hpp"
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
constexpr std::pair<std::string_view, Entries::Form> forms_of_each_call[] = {
    {types_of_each_call, Entries::Form::fewest},
    {"types=each-indexed", Entries::Form::runs},
    {"types=each-block-indexed", Entries::Form::blocks},
};
constexpr std::string_view progress_by_thread = "progress=thread";
constexpr std::string_view by_measurement = "tune=measure";
constexpr std::string_view over_wire = "wire=";
constexpr std::string_view by_profile = "profile=";
constexpr std::string_view made_for_each = "whole";
constexpr std::string_view nonblocking = "nonblocking";

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

std::vector<std::string_view> known_names(const Kind &kind) {
  std::vector<std::string_view> names{"all", chosen, nonblocking};
  const std::vector<std::string_view> algorithms = algorithm_names(kind);
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

std::optional<Entries::Form> form_of_each_call(std::string_view word) {
  for (const auto &[name, form] : forms_of_each_call) {
    if (word == name) return form;
  }
  return std::nullopt;
}

// What makes its datatypes in each call has one wire, the caller's buffers, and no thread.
void check_each_call(std::string_view item, const ContenderSpec &spec) {
  if (!spec.each_call) return;
  if (!spec.wire.empty()) reject(item, fmt::format("{} takes no '{}{}'", types_of_each_call, over_wire, spec.wire));
  if (spec.wishes.plan_buffers) reject(item, fmt::format("{} takes no '{}'", types_of_each_call, buffers_of_plan));
  if (spec.wishes.progress_thread)
    reject(item, fmt::format("{} takes no '{}'", types_of_each_call, progress_by_thread));
  if (spec.whole) reject(item, fmt::format("{} takes no '{}'", types_of_each_call, made_for_each));
}

// Datatypes of each call and the plan's buffers are known for exchanges of bytes between all; buffers that are a plan's
// end with it.
void check_call(std::string_view item, const ContenderSpec &spec) {
  const bool plain = spec.call == Problem::Call::alltoall || spec.call == Problem::Call::alltoallv;
  if (spec.each_call && !plain)
    reject(item, fmt::format("MPI_{} takes no '{}'", operation_name(spec.call), types_of_each_call));
  if (spec.wishes.plan_buffers && !plain)
    reject(item, fmt::format("MPI_{} takes no '{}'", operation_name(spec.call), buffers_of_plan));
  if (spec.wishes.plan_buffers && spec.whole)
    reject(item, fmt::format("{} takes no '{}'", made_for_each, buffers_of_plan));
}

ContenderSpec parse_contender(std::string_view item, Problem::Call call) {
  if (item == nonblocking) return {.kind = ContenderSpec::Kind::mpi_nonblocking, .call = call};
  const Kind &kind = Problem{.call = call}.kind();
  std::string_view rest = item;
  const std::string_view name = take_until(rest, ':');
  const Algorithm *algorithm = find_algorithm(name, kind);
  if (algorithm == nullptr && name != chosen) {
    const std::vector<std::string_view> names = known_names(kind);
    reject(item, fmt::format("expected one of {}{}", fmt::join(names, ", "), did_you_mean(name, names)));
  }
  ContenderSpec spec{.call = call};
  if (algorithm != nullptr) spec.algorithm = name;
  while (!rest.empty()) {
    const std::string_view word = take_until(rest, ':');
    if (word == buffers_of_plan) {
      spec.wishes.plan_buffers = true;
    } else if (const auto form = form_of_each_call(word); form && algorithm != nullptr) {
      spec.each_call = form;
    } else if (word == made_for_each) {
      spec.whole = true;
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
  check_call(item, spec);
  return spec;
}

// The item, or where it has a range, such as tuna:radix=2..4, one for each value.
std::vector<std::string> with_each_value(std::string_view item) {
  constexpr std::string_view to = "..";
  constexpr std::string_view digits = "0123456789";
  const std::size_t dots = std::min(item.find(to), item.size());
  const std::size_t begin = item.substr(0, dots).find_last_not_of(digits) + 1;
  const std::size_t end =
      std::min(item.find_first_not_of(digits, std::min(dots + to.size(), item.size())), item.size());
  const auto first = parse_number<int>(item.substr(begin, dots - begin));
  const auto last = dots == item.size() ? std::nullopt : parse_number<int>(item.substr(dots + 2, end - dots - 2));
  if (!first || !last) return {std::string(item)};
  constexpr int most = 256;
  if (*last < *first || *last - *first >= most)
    reject(item, fmt::format("{}..{}: expected 1 to {} values", *first, *last, most));
  std::vector<std::string> items;
  for (int value = *first; value <= *last; ++value) {
    items.push_back(fmt::format("{}{}{}", item.substr(0, begin), value, item.substr(end)));
  }
  return items;
}

}  // namespace

std::string ContenderSpec::label() const {
  const std::string_view name = operation_name(call);
  switch (kind) {
    case Kind::mpi_blocking: return fmt::format("MPI_{}", name);
    case Kind::mpi_persistent: return fmt::format("MPI_{}_init", name);
    case Kind::mpi_nonblocking: return fmt::format("MPI_I{}{}", char(std::tolower(name.front())), name.substr(1));
    case Kind::rondo: break;
  }
  std::string text = cli::label(algorithm.empty() ? chosen : algorithm, parameters);
  if (!wire.empty()) text += fmt::format(":{}{}", over_wire, wire);
  if (wishes.progress_thread) text += fmt::format(":{}", progress_by_thread);
  if (wishes.measured) text += fmt::format(":{}", by_measurement);
  if (!wishes.profile.empty()) text += fmt::format(":{}{}", by_profile, wishes.profile);
  for (const auto &[word, form] : forms_of_each_call) {
    if (each_call == form) text += fmt::format(":{}", word);
  }
  if (wishes.plan_buffers) text += fmt::format(":{}", buffers_of_plan);
  if (whole) text += fmt::format(":{}", made_for_each);
  return text;
}

std::vector<ContenderSpec> parse_contenders(std::string_view text, Problem::Call call) {
  std::vector<ContenderSpec> specs{{.kind = ContenderSpec::Kind::mpi_blocking, .call = call},
                                   {.kind = ContenderSpec::Kind::mpi_persistent, .call = call}};
  while (!text.empty()) {
    const std::string_view item = take_until(text, ',');
    if (item != "all") {
      for (const std::string &one : with_each_value(item)) specs.push_back(parse_contender(one, call));
      continue;
    }
    specs.push_back({.call = call});
    for (const Algorithm *algorithm : algorithms(Problem{.call = call}.kind())) {
      specs.push_back({.call = call, .algorithm = std::string(algorithm->name)});
    }
  }
  return specs;
}

}  // namespace rondo::internal::cli
