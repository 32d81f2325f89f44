// `rondo algorithms`: the table.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "plans/parameter_words.hpp"

namespace rondo::internal::cli {

namespace {

std::vector<std::string> parameter_names(const Algorithm &algorithm) {
  std::vector<std::string> names;
  for (const ParameterWord &word : parameter_words()) {
    if (word.taken_by(algorithm)) names.emplace_back(word.name);
  }
  return names;
}

void print_json() {
  auto list = nlohmann::ordered_json::array();
  for (const Kind *kind : kinds()) {
    for (const Algorithm *algorithm : algorithms(*kind)) {
      list.push_back({{"operation", kind->name},
                      {"name", algorithm->name},
                      {"parameters", parameter_names(*algorithm)},
                      {"summary", algorithm->summary},
                      {"source", algorithm->source}});
    }
  }
  fmt::print("{}\n", list.dump(2));
}

void print_table() {
  for (const Kind *kind : kinds()) {
    if (kind != kinds().front()) fmt::print("\n");
    fmt::print("{:<20} {:<28} {}\n", kind->name, "parameters", "what it does (where it comes from)");
    for (const Algorithm *algorithm : algorithms(*kind)) {
      fmt::print("{:<20} {:<28} {} ({})\n", algorithm->name,
                 fmt::format("{}", fmt::join(parameter_names(*algorithm), ", ")), algorithm->summary,
                 algorithm->source);
    }
  }
}

}  // namespace

void add_algorithms_command(CLI::App &app, Action &action) {
  CLI::App *command = app.add_subcommand("algorithms", "List the algorithms, their parameters and their sources");
  auto json = std::make_shared<bool>(false);
  command->add_flag("--json", *json, "One JSON array instead of a table");
  command->footer("Example: rondo algorithms --json");
  command->callback([=, &action] {
    action = [json] {
      *json ? print_json() : print_table();
      return 0;
    };
  });
}

}  // namespace rondo::internal::cli
