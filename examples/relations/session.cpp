// SPDX-License-Identifier: BSD-3-Clause
#include "relations/session.hpp"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <optional>

#include "relations/tuple_type.hpp"
#include "shared/command_line.hpp"
#include "shared/gnuplot.hpp"
#include "shared/on_root.hpp"

namespace relations {
namespace {

// The exit status, where there is nothing more to do.
std::optional<int> parse(int argc, char **argv, const Program &program, Options &options, bool speaks) {
  CLI::App app(program.description, program.name);
  program.describe(app);
  describe(app, options);
  return example::parse(app, argc, argv, speaks);
}

int run(int argc, char **argv, const Program &program, MPI_Comm comm) {
  const bool speaks = example::rank_in(comm) == 0;
  Options options;
  if (const auto status = parse(argc, argv, program, options, speaks)) return *status;
  return example::status_of(program.name.c_str(), comm, [&] {
    example::Progress progress(options.progress, speaks);
    Session session{options, comm, progress};
    program.run(session);
  });
}

void draw(const Report &report, const std::string &path) {
  try {
    example::draw(gnuplot_script(report, path), path);
    std::cout << "\nchart       " << std::filesystem::absolute(path).string() << "\n";
  } catch (const example::ChartError &fault) {
    std::cout << "\nchart       not written: " << fault.what() << "\n";
  }
}

}  // namespace

int run_program(int argc, char **argv, const Program &program) {
  MPI_Init(&argc, &argv);
  const int status = run(argc, argv, program, MPI_COMM_WORLD);
  free_tuple_types();
  MPI_Finalize();
  return status;
}

void deliver(const Session &session, const Report &report) {
  session.progress.clear();
  example::on_root(session.comm, [&] {
    print(std::cout, report);
    if (!session.options.json.empty()) write_json(session.options.json, report);
    if (!session.options.svg.empty()) draw(report, session.options.svg);
    std::cout.flush();
  });
}

}  // namespace relations
