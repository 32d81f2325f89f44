// A relational program from its command line to its output.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RELATIONS_SESSION_HPP
#define RELATIONS_SESSION_HPP

#include <mpi.h>

#include <CLI/App.hpp>
#include <functional>
#include <string>

#include "relations/options.hpp"
#include "relations/report.hpp"
#include "shared/progress.hpp"

namespace relations {

// What the parts of a program share.
struct Session {
  const Options &options;
  MPI_Comm comm;
  example::Progress &progress;
};

struct Program {
  std::string name;
  std::string description;
  std::function<void(CLI::App &)> describe;  // adds the program's own options
  std::function<void(Session &)> run;        // collective
};

// What main() does, MPI_Init and MPI_Finalize included. Returns the exit status: 1 when something is wrong, which one
// rank says. A fault of one rank alone ends all.
[[nodiscard]] int run_program(int argc, char **argv, const Program &program);

// Prints the report and writes the files that the options name, on rank 0. A chart that cannot be drawn is said and no
// fault. Throws example::CollectiveError for any other file. Collective.
void deliver(const Session &session, const Report &report);

}  // namespace relations

#endif
