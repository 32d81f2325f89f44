// SPDX-License-Identifier: BSD-3-Clause
#include <fstream>

#include "relations/report.hpp"
#include "shared/file_error.hpp"

namespace relations {
namespace {

using Json = nlohmann::ordered_json;

Json in_json(const Evaluation &evaluation) {
  Json rounds = Json::array();
  for (const Round &round : evaluation.rounds)
    rounds.push_back({{"tuples", round.tuples},
                      {"bytes", round.bytes},
                      {"exchange_seconds", round.exchange_seconds},
                      {"least_exchange_seconds", round.least_seconds}});
  const Round sum = total(evaluation.rounds);
  return {{"exchange", name_of(evaluation.kind)},
          {"seconds", evaluation.seconds},
          {"exchange_seconds", sum.exchange_seconds},
          {"least_exchange_seconds", sum.least_seconds},
          {"bytes", sum.bytes},
          {"tuples", evaluation.answer.tuples},
          {"checksum", evaluation.answer.checksum},
          {"rounds", rounds}};
}

Json all_in_json(const std::vector<Evaluation> &evaluations) {
  Json list = Json::array();
  for (const Evaluation &evaluation : evaluations) list.push_back(in_json(evaluation));
  return list;
}

}  // namespace

void write_json(const std::string &path, const Report &report) {
  const Json all = {{"program", report.program},
                    {"input", report.input},
                    {"figures", report.figures},
                    {"medians", all_in_json(medians(report))},
                    {"evaluations", all_in_json(report.evaluations)}};
  std::ofstream file(path);
  // A file name need not be UTF-8.
  file << all.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
  if (!file.flush()) throw example::FileError(path, 0, "cannot be written");
}

}  // namespace relations
