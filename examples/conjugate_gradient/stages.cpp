// SPDX-License-Identifier: BSD-3-Clause
#include "stages.hpp"

#include <cstdio>
#include <filesystem>
#include <iostream>

#include "chart.hpp"
#include "conjugate_gradient.hpp"
#include "contenders.hpp"
#include "distribution.hpp"
#include "measurement.hpp"
#include "shared/gnuplot.hpp"
#include "shared/matrix_market.hpp"
#include "shared/on_root.hpp"
#include "suitability.hpp"

namespace cg {
namespace {

constexpr double kSecondsPerContender = 2;

CompressedRows read_on_root(Run &run) {
  CompressedRows whole;
  example::on_root(run.comm, [&] {
    run.progress.stage("reading " + run.options.matrix);
    const auto matrix = example::read_matrix_market(run.options.matrix);
    run.progress.stage("checking that the matrix is symmetric");
    require_suitable(matrix);
    whole = compress(matrix);
  });
  return whole;
}

long long sum_over_ranks(long long value, MPI_Comm comm) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_LONG_LONG, MPI_SUM, comm);
  return value;
}

IterationWatcher iterations_on_screen(example::Progress &progress) {
  return [&progress](int iteration, double residual) {
    if (!progress.shown()) return;
    char text[80];
    std::snprintf(text, sizeof text, "solving: iteration %d, relative residual %.1e", iteration, residual);
    progress.update(text);
  };
}

MeasurementWatcher repetitions_on_screen(example::Progress &progress, int all) {
  return [&progress, all](int done) {
    if (progress.shown())
      progress.update("measuring: repetition " + std::to_string(done) + " of " + std::to_string(all));
  };
}

Chart chart_of(const Results &results) {
  return {"One halo exchange of " + results.matrix + " on " + std::to_string(results.ranks) +
              (results.ranks == 1 ? " rank" : " ranks"),
          std::to_string(results.rows) + " rows, " + std::to_string(results.nonzeros) + " nonzeros, " +
              std::to_string(results.halo_elements) +
              " elements exchanged; Rondo's algorithm: " + results.plan.algorithm,
          results.costs, exchanges_of_solve(results)};
}

void draw(const Results &results, const std::string &path) {
  try {
    write_chart(chart_of(results), path);
    std::cout << "\nchart       " << std::filesystem::absolute(path).string() << "\n";
  } catch (const example::ChartError &fault) {
    std::cout << "\nchart       not written: " << fault.what() << "\n";
  }
}

}  // namespace

LocalBlock read_matrix(Run &run) {
  const auto whole = read_on_root(run);
  auto block = distribute(whole, run.comm);
  auto &results = run.results;
  results.file = run.options.matrix;
  results.matrix = std::filesystem::path(run.options.matrix).stem().string();
  results.ranks = example::ranks_of(run.comm);
  results.rows = whole.rows();
  results.nonzeros = whole.nonzeros();
  results.halo_elements = sum_over_ranks(static_cast<long long>(block.halo.size()), run.comm);
  return block;
}

void solve_for_ones(Run &run, const LocalBlock &block, Halo &halo) {
  run.progress.stage("solving");
  const auto b = multiply_ones(block, halo);
  const StoppingRule rule{run.options.tolerance, run.options.most_iterations};
  const auto solution = solve(block, halo, b, rule, run.comm, iterations_on_screen(run.progress));
  auto &results = run.results;
  results.tolerance = rule.tolerance;
  results.iterations = solution.iterations;
  results.converged = solution.converged;
  results.relative_residual = solution.relative_residual;
  results.error = distance_from_ones(solution.x, run.comm);
}

void measure_exchange(Run &run, const LocalBlock &block, Halo &halo) {
  run.progress.stage("measuring");
  const auto contenders = make_contenders(halo, run.comm);
  require_right_results(contenders, block, halo, run.comm);
  const int repetitions = run.options.repetitions;
  const double budget = kSecondsPerContender * static_cast<double>(contenders.size());
  // As in the solver, what is sent has just been written.
  const auto measured = measure(
      contenders, [&halo] { halo.gather(); }, repetitions, budget, run.comm,
      repetitions_on_screen(run.progress, repetitions));
  run.results.repetitions = measured.repetitions;
  for (std::size_t i = 0; i < contenders.size(); ++i)
    run.results.costs.push_back(
        {contenders[i].name, contenders[i].init_seconds, contenders[i].later_init_seconds, measured.seconds[i]});
  run.results.plan = plan_totals(halo.plan(), run.comm);
}

void write_files(const Run &run) {
  example::on_root(run.comm, [&] {
    if (!run.options.json.empty()) write_json(run.options.json, run.results);
    if (!run.options.svg.empty()) draw(run.results, run.options.svg);
  });
}

}  // namespace cg
