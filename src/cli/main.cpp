#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "cli/commands.hpp"
#include "rondo/rondo.h"

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

int main(int argc, char **argv) {
  CLI::App app("Rondo: persistent, non-uniform all-to-all exchanges on MPI.", "rondo");
  app.require_subcommand(1);
  app.set_version_flag("--version", RONDO_Version());
  app.footer(
      "A PROBLEM is one string, such as\n"
      "  \"alltoallv p=6 algorithm=tuna radix=3 dist=powerlaw:0.99 max=64 seed=7\"\n"
      "docs/problems.md describes its words. `rondo COMMAND --help` gives an example of each command.");
  rondo::cli::Action action;
  rondo::cli::add_algorithms_command(app, action);
  rondo::cli::add_show_command(app, action);
  rondo::cli::add_verify_command(app, action);
  rondo::cli::add_bench_command(app, action);
  try {
    app.parse(argc, argv);
    return action();
  } catch (const CLI::ParseError &error) {
    if (!speaks_for_all()) return error.get_exit_code();
    return app.exit(error);
  } catch (const std::exception &error) {
    if (speaks_for_all()) fmt::print(stderr, "rondo: {}\n", error.what());
    return 1;
  }
}
