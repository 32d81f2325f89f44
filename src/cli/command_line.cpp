#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "cli/commands.hpp"
#include "rondo/rondo.h"

namespace rondo::cli {

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
  try {
    app.parse(argc, argv);
    return action();
  } catch (const CLI::ParseError &error) {
    constexpr int bad_usage = 2;
    const int code = error.get_exit_code() == 0 || speaks_for_all() ? app.exit(error) : bad_usage;
    return code == 0 ? 0 : bad_usage;
  } catch (const std::exception &error) {
    if (speaks_for_all()) fmt::print(stderr, "rondo: {}\n", error.what());
    return 1;
  }
}

}  // namespace rondo::cli
