#include "cli/problem_keys.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "cli/number.hpp"
#include "plans/parameter_words.hpp"
#include "schedule/wire.hpp"

namespace rondo::internal::cli {

namespace {

constexpr int most_ranks = 1 << 20;

template <class Number>
bool read_into(std::string_view value, Number low, Number high, Number &to) {
  const auto number = parse_number<Number>(value, low, high);
  if (number) to = *number;
  return number.has_value();
}

template <class Number>
std::string unless_zero(Number number) {
  return number == 0 ? std::string() : std::to_string(number);
}

std::string expected_algorithm(const Problem &problem) {
  return fmt::format("one of {}", fmt::join(algorithm_names(problem.kind()), ", "));
}

bool read_algorithm(std::string_view value, Problem &to) {
  to.algorithm = value;
  return find_algorithm(value, to.kind()) != nullptr;
}

bool read_distribution(std::string_view value, Problem &to) {
  const auto distribution = parse_distribution(value);
  if (distribution) to.distribution = *distribution;
  return distribution.has_value();
}

bool read_place(std::string_view value, Problem &to) {
  to.shuffled = value == "shuffled";
  return to.shuffled || value == "ordered";
}

bool read_wire(std::string_view value, Problem &to) {
  to.wire = value;
  return find_wire(value).has_value();
}

std::string expected_ranks(const Problem &) {
  return fmt::format("a number of ranks, 1..{}", most_ranks);
}
std::string expected_bytes(const Problem &) {
  return fmt::format("a number of bytes, 0..{}", most_bytes);
}

// The key of the index-th of parameter_words().
template <std::size_t index>
constexpr ProblemKey parameter_key(std::string_view name) {
  return {name, [](const Problem &) { return std::string(parameter_words()[index].expected); },
          [](std::string_view v, Problem &to) { return parameter_words()[index].read(v, to.parameters); },
          [](const Problem &from) { return parameter_words()[index].write(from.parameters); }};
}

constexpr std::array table = {
    ProblemKey{"p", expected_ranks,
               [](std::string_view v, Problem &to) { return read_into(v, 1, most_ranks, to.ranks); },
               [](const Problem &from) { return unless_zero(from.ranks); }},
    ProblemKey{"node", [](const Problem &) { return fmt::format("ranks per node, 0..{} (0: one node)", most_ranks); },
               [](std::string_view v, Problem &to) { return read_into(v, 0, most_ranks, to.node); },
               [](const Problem &from) { return unless_zero(from.node); }},
    ProblemKey{
        "group",
        [](const Problem &) { return fmt::format("ranks of the first group, 0..{} (0: one group)", most_ranks); },
        [](std::string_view v, Problem &to) { return read_into(v, 0, most_ranks, to.first_group); },
        [](const Problem &from) { return unless_zero(from.first_group); }},
    ProblemKey{"algorithm", expected_algorithm, read_algorithm, [](const Problem &from) { return from.algorithm; }},
    parameter_key<0>("radix"),
    parameter_key<1>("block_count"),
    parameter_key<2>("leaders"),
    parameter_key<3>("pattern"),
    ProblemKey{"dist", [](const Problem &) { return "one of " + known_distributions(); }, read_distribution,
               [](const Problem &from) { return to_string(from.distribution); }},
    ProblemKey{"max", expected_bytes,
               [](std::string_view v, Problem &to) { return read_into(v, std::int64_t{0}, most_bytes, to.largest); },
               [](const Problem &from) { return std::to_string(from.largest); }},
    ProblemKey{"seed", [](const Problem &) { return std::string("a whole number, 0..2^64-1"); },
               [](std::string_view v, Problem &to) {
                 return read_into(v, std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max(), to.seed);
               },
               [](const Problem &from) { return std::to_string(from.seed); }},
    ProblemKey{"gap", expected_bytes,
               [](std::string_view v, Problem &to) { return read_into(v, std::int64_t{0}, most_bytes, to.gap); },
               [](const Problem &from) { return unless_zero(from.gap); }},
    ProblemKey{"place", [](const Problem &) { return std::string("ordered or shuffled"); }, read_place,
               [](const Problem &from) { return std::string(from.shuffled ? "shuffled" : ""); }},
    ProblemKey{"wire", [](const Problem &) { return list_wires(); }, read_wire,
               [](const Problem &from) { return from.wire; }},
};

}  // namespace

std::span<const ProblemKey> problem_keys() {
  return table;
}

}  // namespace rondo::internal::cli
