#include <fmt/format.h>

#include <algorithm>

#include "cli/bench_report.hpp"
#include "cli/figure.hpp"
#include "cli/selection.hpp"

namespace rondo::internal::cli {

namespace {

std::string paid_off(const Measurement &measurement, double blocking) {
  if (!measurement.init) return "-";
  const auto after = break_even(measurement, blocking);
  return after ? fmt::format("{:.0f}", *after) : "never";
}

std::string name_of(const Measurement &measurement) {
  std::string label = measurement.spec.label();
  if (measurement.spec.kind != ContenderSpec::Kind::rondo || !measurement.spec.algorithm.empty()) return label;
  return fmt::format("{} ({})", label, cli::label(measurement.report.algorithm, parameters_of(measurement.report)));
}

// Of the column of names.
std::size_t width_of_names(const SizeResult &result) {
  std::size_t width = 30;
  for (const Measurement &measurement : result.measurements) width = std::max(width, name_of(measurement).size());
  return width;
}

std::string row(const Measurement &measurement, std::size_t width, double bar, double blocking) {
  if (measurement.samples.empty())
    return fmt::format("  {:<{}} left out: {}\n", name_of(measurement), width, measurement.refused);
  const Quantiles times = measurement.times();
  return fmt::format("  {:<{}} {:>10} {:>21} {:>9.3g} {:>8} {:>10} {:>10}\n", name_of(measurement), width,
                     figure(times.median), fmt::format("{}..{}", figure(times.lower), figure(times.upper)),
                     times.median / bar, measurement.batch, measurement.init ? figure(*measurement.init) : "-",
                     paid_off(measurement, blocking));
}

}  // namespace

std::string heading(const BenchReport &report) {
  const std::string ranks = fmt::format("{} rank{}", report.ranks, report.ranks == 1 ? "" : "s");
  std::string text =
      fmt::format("{} on {}, {} cores, {}\n", ranks, report.machine.processor, report.machine.cores, report.mpi);
  if (report.ranks == 1) text += "one rank, which has nobody to exchange with: start it with mpiexec -n N\n";
  if (static_cast<unsigned>(report.ranks) > report.machine.cores) {
    text += "more ranks than cores: these are figures about taking turns on a core\n";
  }
  return text;
}

std::string set_up_line(const BenchReport &report) {
  return fmt::format(
      "the first plan on the communicator took {} microseconds to init, as it sets up what the others "
      "share; their init is below\n",
      figure(report.first_init));
}

const Measurement &bar_of(const SizeResult &result) {
  const Measurement &persistent = result.measurements.at(1);
  return persistent.samples.empty() ? result.measurements.front() : persistent;
}

std::string table(const SizeResult &result) {
  const Measurement &bar = bar_of(result);
  const double blocking = result.measurements.front().times().median;
  const std::size_t width = width_of_names(result);
  std::string text = fmt::format(
      "blocks of at most {} bytes: {} samples, slowest rank, microseconds per exchange\n"
      "  {:<{}} {:>10} {:>21} {:>9} {:>8} {:>10} {:>10}\n",
      result.bytes, bar.samples.size(), "", width, "median", "25%..75%", "ratio", "batch", "init", "paid after");
  for (const Measurement &measurement : result.measurements) {
    text += row(measurement, width, bar.times().median, blocking);
  }
  return text + fmt::format(
                    "  ratio: to {}; batch: exchanges in a sample; paid after: exchanges until init has paid for "
                    "itself against {}\n",
                    bar.spec.label(), result.measurements.front().spec.label());
}

}  // namespace rondo::internal::cli
