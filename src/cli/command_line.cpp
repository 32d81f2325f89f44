#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <vector>

#include "cli/commands.hpp"
#include "cli/usage_error.hpp"
#include "exchange/nearest_name.hpp"
#include "rondo/rondo.h"

namespace rondo::internal::cli {

namespace {

// False on all ranks of an MPI job but the first. Asked before MPI is initialised, as most of the command
// never does so: a mistake on the command line should be told once.
bool speaks_for_all() {
  for (const char *name : {"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK"}) {
    const char *rank = std::getenv(name);
    if (rank != nullptr && std::string_view(rank) != "0") return false;
  }
  return true;
}

// CLI11 says of `rondo shwo` only that a subcommand is required.
void check_command(const CLI::App &app, std::string_view word) {
  std::vector<std::string_view> names;
  for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; })) {
    names.push_back(command->get_name());
  }
  if (word.starts_with('-') || std::find(names.begin(), names.end(), word) != names.end()) return;
  throw UsageError(
      fmt::format("there is no command '{}'{}; there are {}", word, did_you_mean(word, names), fmt::join(names, ", ")));
}

// What was meant by the first of the words that is no option of the command.
std::string meant(const CLI::App &app, const std::vector<std::string> &words) {
  std::vector<std::string> options;
  for (const CLI::App *command : app.get_subcommands()) {
    for (const CLI::Option *option : command->get_options()) options.push_back(option->get_name());
  }
  const std::vector<std::string_view> names(options.begin(), options.end());
  const auto misspelt =
      std::find_if(words.begin(), words.end(), [](const auto &word) { return word.starts_with('-'); });
  if (misspelt == words.end()) return {};
  const std::string_view word(*misspelt);
  return did_you_mean(word.substr(0, word.find('=')), names);
}

int parse_and_run(CLI::App &app, Action &action, int argc, const char *const *argv) {
  constexpr int bad_usage = 2;
  try {
    if (argc > 1) check_command(app, argv[1]);
    app.parse(argc, argv);
    return action();
  } catch (const CLI::ExtrasError &) {
    const std::vector<std::string> words = app.remaining(true);
    if (speaks_for_all()) fmt::print(stderr, "rondo: not understood: {}{}\n", fmt::join(words, " "), meant(app, words));
    return bad_usage;
  } catch (const CLI::ParseError &error) {
    const int code = error.get_exit_code() == 0 || speaks_for_all() ? app.exit(error) : bad_usage;
    return code == 0 ? 0 : bad_usage;
  } catch (const UsageError &error) {
    if (speaks_for_all()) fmt::print(stderr, "rondo: {}\n", error.what());
    return bad_usage;
  }
}

// What has been written may still be on its way, and find the disk full.
void flush_output() {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  throw std::system_error(errno, std::generic_category(), "cannot write to standard output");
}

}  // namespace

int run_command(int argc, const char *const *argv) {
  CLI::App app("Rondo: persistent, non-uniform all-to-all exchanges on MPI.", "rondo");
  app.require_subcommand(1);
  app.set_version_flag("--version", fmt::format("rondo {}\n", RONDO_Version()));
  app.footer(
      "A PROBLEM is one string, such as\n"
      "  \"alltoallv p=6 algorithm=tuna radix=3 dist=powerlaw:0.99 max=64 seed=7\"\n"
      "docs/problems.md describes its words. `rondo COMMAND --help` gives an example of each command.");
  Action action;
  add_algorithms_command(app, action);
  add_show_command(app, action);
  add_verify_command(app, action);
  add_bench_command(app, action);
  add_overlap_command(app, action);
  add_calibrate_command(app, action);
  add_tune_command(app, action);
  add_profile_command(app, action);
  add_choices_command(app, action);
  add_crossings_command(app, action);
  add_compare_command(app, action);
  add_run_command(app, action);
  try {
    const int status = parse_and_run(app, action, argc, argv);
    flush_output();
    return status;
  } catch (const std::exception &error) {
    if (speaks_for_all()) fmt::print(stderr, "rondo: {}\n", error.what());
    return 1;
  }
}

}  // namespace rondo::internal::cli
