// A three-dimensional Fourier transform on all ranks, with a Rondo plan for each of its two transposes.
//
// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

#include <algorithm>
#include <iostream>

#include "check.hpp"
#include "contender.hpp"
#include "measurement.hpp"
#include "options.hpp"
#include "report.hpp"
#include "shared/on_root.hpp"
#include "transpose.hpp"

namespace {

using Contenders = std::vector<std::unique_ptr<fft::Contender>>;

fft::Problem problem_of(const fft::Options &options, MPI_Comm comm) {
  try {
    return fft::make_problem(options.size, options.decomposition, example::ranks_of(comm));
  } catch (const std::invalid_argument &fault) {
    // All ranks have the same options.
    throw example::CollectiveError(fault.what());
  }
}

rondo::Hints hints_of(const fft::Options &options) {
  rondo::Hints hints;
  if (!options.algorithm.empty()) hints.set("rondo_algorithm", options.algorithm);
  return hints;
}

void check_all(const Contenders &contenders, fft::Report &report, MPI_Comm comm) {
  const fft::SerialSpectrum serial(report.problem.grid, comm);
  for (const auto &contender : contenders)
    report.largest_error = std::max(report.largest_error, fft::check(*contender, serial, report.problem.grid, comm));
  report.checked = true;
}

void measure_all(const Contenders &contenders, fft::Report &report, MPI_Comm comm) {
  const auto times = fft::measure(contenders, report.problem.grid, report.repetitions, comm);
  for (std::size_t i = 0; i < contenders.size(); ++i) report.lines.push_back({contenders[i]->name(), times[i]});
}

bool runs_mpi(const fft::Options &options) {
  return options.exchange != "rondo";
}

// What the contenders exchange, on this rank, and the arrays of MPI's.
struct Local {
  fft::Side x;
  fft::Side y;
  fft::Elements x_array;
  fft::Elements y_array;

  Local(const fft::Problem &problem, int rank, bool has_mpi)
      : x(fft::Side::of_x(problem, rank)),
        y(fft::Side::of_y(problem, rank)),
        x_array(has_mpi ? fft::allocate(fft::slab_of_x(problem, rank)) : nullptr),
        y_array(has_mpi ? fft::allocate(fft::slab_of_y(problem, rank)) : nullptr) {}
};

Contenders make_contenders(const fft::Options &options, const Local &local, fft::Report &report, MPI_Comm comm) {
  const fft::Problem &problem = report.problem;
  const int rank = example::rank_in(comm);
  const fft::Arrays arrays = {local.x_array.get(), local.y_array.get()};
  Contenders contenders;
  const auto add = [&](const char *name, std::unique_ptr<fft::Transpose> transpose) {
    contenders.push_back(fft::make_contender(name, problem, rank, std::move(transpose)));
  };
  if (runs_mpi(options)) {
    add("MPI_Alltoallv", fft::packed_transpose(problem, rank, arrays, comm));
    add("MPI_Alltoallw", fft::mpi_transpose(local.x, local.y, arrays, comm));
  }
  if (options.exchange != "mpi") {
    auto transpose = fft::rondo_transpose(problem, rank, local.x, local.y, comm, hints_of(options));
    report.algorithm = transpose->algorithm();
    add("Rondo", std::move(transpose));
  }
  if (runs_mpi(options)) {
    if (auto fftw = fft::make_fftw_mpi(problem, comm)) contenders.push_back(std::move(fftw));
  }
  return contenders;
}

void run_stages(const fft::Options &options, MPI_Comm comm) {
  fft::Report report;
  report.problem = problem_of(options, comm);
  report.ranks = example::ranks_of(comm);
  report.repetitions = options.repetitions;
  const Local local(report.problem, example::rank_in(comm), runs_mpi(options));
  const auto contenders = make_contenders(options, local, report, comm);
  if (options.check) check_all(contenders, report, comm);
  measure_all(contenders, report, comm);
  example::on_root(comm, [&] {
    fft::print(std::cout, report);
    if (!options.json.empty()) fft::write_json(options.json, report);
  });
}

int run(int argc, char **argv, MPI_Comm comm) {
  const bool speaks = example::rank_in(comm) == 0;
  int status = 0;
  const auto options = fft::parse_options(argc, argv, speaks, status);
  if (!options) return status;
  return example::status_of("fft", comm, [&] { run_stages(*options, comm); });
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int status = run(argc, argv, MPI_COMM_WORLD);
  MPI_Finalize();
  return status;
}
