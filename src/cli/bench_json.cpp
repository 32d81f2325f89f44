#include "cli/bench_report.hpp"
#include "rondo/rondo.h"

namespace rondo::internal::cli {

namespace {

using Json = nlohmann::ordered_json;

Json times_json(const Measurement &measurement) {
  const Quantiles times = measurement.times();
  const Interval interval = median_interval(without_outliers(measurement.samples));
  const Json init = measurement.init ? Json(*measurement.init) : Json(nullptr);
  return {{"median_us", times.median},
          {"lower_quartile_us", times.lower},
          {"upper_quartile_us", times.upper},
          {"median_interval_us", {interval.low, interval.high}},
          {"least_us", times.least},
          {"most_us", times.most},
          {"init_us", init},
          {"batch", measurement.batch},
          {"samples_us", measurement.samples}};
}

Json measurement_json(const Measurement &measurement, const SizeResult &result) {
  Json json{{"name", measurement.spec.label()}};
  if (measurement.samples.empty()) {
    json["left_out"] = measurement.refused;
    return json;
  }
  json.update(times_json(measurement));
  json["ratio"] = measurement.times().median / bar_of(result).times().median;
  const auto after = break_even(measurement, result.measurements.front().times().median);
  json["break_even"] = after ? Json(*after) : Json(nullptr);
  if (measurement.spec.kind != ContenderSpec::Kind::rondo) return json;
  const RONDO_Report &plan = measurement.report;
  json["plan"] = {{"algorithm", plan.algorithm},
                  {"radix", plan.radix},
                  {"block_count", plan.block_count},
                  {"leaders", plan.leaders},
                  {"pattern", plan.pattern},
                  {"wire", plan.wire},
                  {"steps", plan.steps},
                  {"messages", plan.messages},
                  {"block_moves", plan.block_moves},
                  {"bytes", plan.bytes},
                  {"scratch_bytes", plan.scratch_bytes},
                  {"staging_bytes", plan.staging_bytes},
                  {"predicted_us", plan.predicted_seconds * 1e6}};
  return json;
}

Json size_json(const SizeResult &result) {
  Json json{{"bytes", result.bytes}, {"bar", bar_of(result).spec.label()}};
  json["contenders"] = Json::array();
  for (const Measurement &measurement : result.measurements) {
    json["contenders"].push_back(measurement_json(measurement, result));
  }
  return json;
}

Json report_json(const BenchReport &report) {
  Json json = origin_json(report);
  json["problem"] = to_string(report.problem);
  json["distribution"] = to_string(report.problem.distribution);
  json["seed"] = report.problem.seed;
  json["first_init_us"] = report.first_init;
  json["sizes"] = Json::array();
  for (const SizeResult &result : report.sizes) json["sizes"].push_back(size_json(result));
  return json;
}

}  // namespace

nlohmann::ordered_json origin_json(const BenchReport &report) {
  return {{"rondo", RONDO_Version()},
          {"mpi", report.mpi},
          {"processor", report.machine.processor},
          {"cores", report.machine.cores},
          {"ranks", report.ranks}};
}

nlohmann::ordered_json to_json(std::span<const BenchReport> reports) {
  if (reports.size() == 1) return report_json(reports.front());
  Json json{{"runs", Json::array()}};
  for (const BenchReport &report : reports) json["runs"].push_back(report_json(report));
  return json;
}

}  // namespace rondo::internal::cli
