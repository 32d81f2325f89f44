// Conjugate gradients on a matrix from a file, with one Rondo plan for the halo exchange.
//
// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

#include <iostream>

#include "conjugate_gradient.hpp"
#include "shared/on_root.hpp"
#include "stages.hpp"

namespace {

rondo::Hints hints_of(const cg::Options &options) {
  rondo::Hints hints;
  if (!options.algorithm.empty()) hints.set("rondo_algorithm", options.algorithm);
  return hints;
}

// Prints on rank 0, past the progress line.
void say(cg::Run &run, void (*print)(std::ostream &, const cg::Results &)) {
  run.progress.clear();
  if (example::rank_in(run.comm) == 0) print(std::cout, run.results);
  std::cout.flush();
}

void run_stages(const cg::Options &options, MPI_Comm comm) {
  example::Progress progress(options.progress, example::rank_in(comm) == 0);
  cg::Run run{options, comm, progress, {}};
  const auto block = cg::read_matrix(run);
  cg::Halo halo(block, comm, hints_of(options));
  cg::solve_for_ones(run, block, halo);
  say(run, cg::print_solve);
  cg::measure_exchange(run, block, halo);
  say(run, cg::print_costs);
  cg::write_files(run);
  if (!run.results.converged)
    throw example::CollectiveError("not converged after " + std::to_string(run.results.iterations) + " iterations");
}

int run(int argc, char **argv, MPI_Comm comm) {
  const bool speaks = example::rank_in(comm) == 0;
  int status = 0;
  const auto options = cg::parse_options(argc, argv, speaks, status);
  if (!options) return status;
  return example::status_of("conjugate_gradient", comm, [&] { run_stages(*options, comm); });
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int status = run(argc, argv, MPI_COMM_WORLD);
  MPI_Finalize();
  return status;
}
