#include "cli/bench_costs.hpp"

#include <fmt/format.h>

#include <span>
#include <string>
#include <vector>

#include "cli/bench_output.hpp"
#include "cli/bench_report.hpp"
#include "cli/init_cost.hpp"
#include "cli/interruption.hpp"
#include "cli/mpi_session.hpp"
#include "cli/phase_cost.hpp"
#include "cli/plot.hpp"
#include "cli/usage_error.hpp"
#include "cli/varying_cost.hpp"

namespace rondo::internal::cli {

namespace {

// By a plan of which more is said than its algorithm and its wire.
bool is_by_special_plan(const ContenderSpec &spec) {
  const PlanWishes &wishes = spec.wishes;
  return spec.whole || wishes.plan_buffers || wishes.progress_thread || wishes.measured || !wishes.profile.empty();
}

// What is done phase by phase are all-to-alls of bytes over messages of MPI's.
void check_phased(std::span<const ContenderSpec> specs) {
  for (const ContenderSpec &spec : specs) {
    const bool plain = spec.wire.empty() || spec.wire == "packed" || spec.wire == "datatype";
    if (!plain || is_by_special_plan(spec)) throw UsageError(fmt::format("--phases takes no {}", spec.label()));
  }
}

// Plans whose counts come with each start are held against MPI's blocking calls.
void check_varying(std::span<const ContenderSpec> specs) {
  for (const ContenderSpec &spec : specs) {
    const bool by_mpi = spec.kind == ContenderSpec::Kind::mpi_nonblocking;
    if (by_mpi || spec.each_call || is_by_special_plan(spec)) {
      throw UsageError(fmt::format("--varying takes no {}", spec.label()));
    }
  }
}

// Prints a table for each size.
template <class Cost>
auto one_by_one(std::string (*table)(const Cost &cost)) {
  return [table](std::span<const Cost> costs) {
    std::string text;
    for (const Cost &cost : costs) text += table(cost);
    return text;
  };
}

// Measures something else than exchanges of fixed counts: cost_of(problem, end) for each size, until the time is over;
// print() and to_json() say what was found, `figures` what the figures are.
template <class CostOf, class Print, class ToJson>
int bench_costs(const BenchOptions &options, const char *figures, CostOf &&cost_of, Print &&print, ToJson &&to_json) {
  const MpiSession session;
  const Interruption interruption;
  const bool speaks = session.rank() == 0;
  const Measured measured = measured_by(options, session.ranks()).front();
  const BenchReport report{this_machine(), mpi_library(), session.ranks(), measured.problem, {}};
  check_files(options, speaks);
  if (speaks) fmt::print("{}microseconds of the slowest rank, {}\n", heading(report), figures);
  const MeasuringOptions &measuring = options.measuring;
  const double begin = MPI_Wtime();
  std::vector<decltype(cost_of(report.problem, begin))> costs;
  const std::vector<std::int64_t> &sizes = measured.sizes;
  for (std::size_t i = 0; i < sizes.size() && !all_asked_to_stop(); ++i) {
    const double until = measuring.time_limit * static_cast<double>(i + 1) / static_cast<double>(sizes.size());
    Problem problem = report.problem;
    problem.largest = sizes[i];
    costs.push_back(cost_of(problem, begin + until));
  }
  const bool whole = !all_asked_to_stop();
  if (speaks) fmt::print("{}{}", print(costs), whole ? "" : "interrupted: this is what there was until then\n");
  if (speaks && !costs.empty()) write_json(options.json, to_json(report, costs));
  return whole ? 0 : Interruption::exit_status;
}

}  // namespace

int bench_inits(const BenchOptions &options) {
  return bench_costs(
      options, "medians",
      [&](const Problem &problem, double end) {
        return measure_inits(problem.largest, options.measuring.repetitions, end);
      },
      init_table, init_json);
}

int bench_varying(const BenchOptions &options) {
  return bench_costs(
      options, "medians",
      [&](const Problem &problem, double end) {
        const std::vector<ContenderSpec> specs = contenders_of(options, problem);
        check_varying(specs);
        return measure_varying(problem, specs, options.measuring.repetitions, end);
      },
      one_by_one(varying_table), varying_json);
}

int bench_phases(const BenchOptions &options) {
  std::string drawing;
  const int status = bench_costs(
      options, "means of the middle half of the calls",
      [&](const Problem &problem, double end) {
        const std::vector<ContenderSpec> specs = contenders_of(options, problem);
        check_phased(specs);
        return measure_phases(problem, specs, options.measuring.repetitions, end);
      },
      one_by_one(phase_table),
      [&](const BenchReport &report, std::span<const PhaseCost> costs) {
        if (!options.plot.empty()) drawing = phase_script(report, costs, options.plot);
        return phase_json(report, costs);
      });
  if (drawing.empty()) return status;
  run_gnuplot(drawing, options.plot);
  fmt::print("chart in {}\n", options.plot);
  return status;
}

}  // namespace rondo::internal::cli
