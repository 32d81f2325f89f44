// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include <CLI/CLI.hpp>

#include "shared/command_line.hpp"

namespace fft {
namespace {

void describe(CLI::App &app, Options &options) {
  app.add_option("--size", options.size, "Elements, NX,NY,NZ; or N1 or N2, the settings of TuNA for so many ranks")
      ->type_name("SIZE")
      ->capture_default_str();
  app.add_option(
         "--decomposition", options.decomposition,
         "Planes of x, and of y, that a rank has: even; blocks, of as many as needed, the last smaller; or blocks "
         "of BX,BY. Without it even, for N2 blocks of 1,32")
      ->type_name("HOW");
  app.add_option("--exchange", options.exchange,
                 "mpi (MPI_Alltoallv of packed data, MPI_Alltoallw), rondo, or both, in turn")
      ->check(CLI::IsMember({"mpi", "rondo", "both"}).description(""))
      ->type_name("WHICH")
      ->capture_default_str();
  app.add_option("--repetitions", options.repetitions, "Transform so often, forward and backward; the median counts")
      ->check(CLI::Range(1, 1'000'000))
      ->type_name("INT")
      ->capture_default_str();
  app.add_option("--algorithm", options.algorithm, "Rondo's algorithm (hint rondo_algorithm) instead of its own choice")
      ->type_name("NAME");
  app.add_flag("--check", options.check,
               "Compare with FFTW's transform of the whole on rank 0, and the grid with what comes back");
  app.add_option("--json", options.json, "Write all figures to this file")->type_name("FILE");
}

}  // namespace

std::optional<Options> parse_options(int argc, char **argv, bool speaking_rank, int &status) {
  Options options;
  CLI::App app("Transforms a grid of complex numbers on all ranks, forward and backward, and times its exchanges.",
               "fft");
  describe(app, options);
  if (const auto ended = example::parse(app, argc, argv, speaking_rank)) {
    status = *ended;
    return std::nullopt;
  }
  return options;
}

}  // namespace fft
