// SPDX-License-Identifier: BSD-3-Clause
#include <fstream>
#include <nlohmann/json.hpp>

#include "results.hpp"
#include "shared/file_error.hpp"

namespace cg {
namespace {

using Json = nlohmann::ordered_json;

Json costs_in_json(const std::vector<Cost> &costs) {
  Json list = Json::array();
  for (const Cost &cost : costs)
    list.push_back({{"name", cost.name},
                    {"init_seconds", cost.init_seconds},
                    {"later_init_seconds", cost.later_init_seconds},
                    {"exchange_seconds", cost.exchange_seconds},
                    {"ratio_to_alltoallv", cost.exchange_seconds / costs.front().exchange_seconds}});
  return list;
}

// By the name of what Rondo is held against; null where its init is never paid for.
Json break_even_in_json(const std::vector<Cost> &costs) {
  Json exchanges = Json::object();
  for (std::size_t i = 0; i + 1 < costs.size(); ++i) {
    const auto count = break_even(costs.back(), costs[i]);
    exchanges[costs[i].name] = count ? Json(*count) : Json(nullptr);
  }
  return exchanges;
}

Json plan_in_json(const PlanTotals &plan) {
  return {{"algorithm", plan.algorithm}, {"radix", plan.radix},       {"block_count", plan.block_count},
          {"steps", plan.steps},         {"messages", plan.messages}, {"bytes", plan.bytes}};
}

Json in_json(const Results &results) {
  return {{"file", results.file},
          {"matrix", results.matrix},
          {"ranks", results.ranks},
          {"rows", results.rows},
          {"nonzeros", results.nonzeros},
          {"halo_elements", results.halo_elements},
          {"tolerance", results.tolerance},
          {"iterations", results.iterations},
          {"converged", results.converged},
          {"relative_residual", results.relative_residual},
          {"error", results.error},
          {"exchanges", exchanges_of_solve(results)},
          {"repetitions", results.repetitions},
          {"costs", costs_in_json(results.costs)},
          {"break_even_exchanges", break_even_in_json(results.costs)},
          {"plan", plan_in_json(results.plan)}};
}

}  // namespace

void write_json(const std::string &path, const Results &results) {
  std::ofstream file(path);
  // A file name need not be UTF-8.
  file << in_json(results).dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
  if (!file.flush()) throw example::FileError(path, 0, "cannot be written");
}

}  // namespace cg
