// SPDX-License-Identifier: BSD-3-Clause
#include "report.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iomanip>
#include <nlohmann/json.hpp>

#include "shared/file_error.hpp"
#include "shared/readable.hpp"

namespace fft {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char *kSame = "the serial program has the same answer";

std::string planes(const Slabs &slabs) {
  const auto [least, most] = std::minmax_element(slabs.sizes.begin(), slabs.sizes.end());
  const auto last = std::to_string(*most);
  return *least == *most ? last : std::to_string(*least) + " to " + last;
}

std::string percent(double share) {
  return std::to_string(std::lround(share * 100)) + "%";
}

std::string ratio(double value) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(2) << value;
  return text.str();
}

void print_line(std::ostream &out, const Times &times, const Times &first) {
  const auto exchange = times.exchange_seconds;
  out << std::setw(12) << example::readable(times.seconds) << std::setw(12)
      << (exchange ? example::readable(*exchange) : "-") << std::setw(8)
      << (exchange ? percent(*exchange / times.seconds) : "-") << std::setw(18)
      << (times.least_exchange_seconds ? example::readable(*times.least_exchange_seconds) : "-") << std::setw(10)
      << ratio(times.seconds / first.seconds) << "\n";
}

Json in_json(const Line &line, const Times &first) {
  const auto exchange = line.times.exchange_seconds;
  const auto least = line.times.least_exchange_seconds;
  return {{"name", line.name},
          {"seconds", line.times.seconds},
          {"exchange_seconds", exchange ? Json(*exchange) : Json(nullptr)},
          {"least_exchange_seconds", least ? Json(*least) : Json(nullptr)},
          {"exchange_share", exchange ? Json(*exchange / line.times.seconds) : Json(nullptr)},
          {"ratio_to_first", line.times.seconds / first.seconds}};
}

Json figures(const Report &report) {
  const Grid &grid = report.problem.grid;
  Json figures = {{"size", {grid.x, grid.y, grid.z}},
                  {"elements", elements(grid)},
                  {"ranks", report.ranks},
                  {"planes of x", report.problem.x.sizes},
                  {"planes of y", report.problem.y.sizes},
                  {"repetitions", report.repetitions}};
  if (!report.algorithm.empty()) figures["algorithm"] = report.algorithm;
  if (report.checked) {
    figures["check"] = kSame;
    figures["largest error"] = report.largest_error;
  }
  return figures;
}

}  // namespace

void print(std::ostream &out, const Report &report) {
  const auto &[grid, x_block, y_block, x, y] = report.problem;
  out << "grid        " << grid.x << " x " << grid.y << " x " << grid.z << ", " << elements(grid) << " elements\n"
      << "ranks       " << report.ranks << ", of " << planes(x) << " planes of x, then " << planes(y)
      << " planes of y\n";
  if (!report.algorithm.empty()) out << "algorithm   " << report.algorithm << "\n";
  if (report.checked) out << "check       " << kSame << ", but for " << report.largest_error << "\n";
  out << "\nA transform and one back, " << report.repetitions << " times, the median of the slowest rank:\n  "
      << std::left << std::setw(16) << "" << std::right << std::setw(12) << "whole" << std::setw(12) << "exchange"
      << std::setw(8) << "share" << std::setw(18) << "without waiting" << std::setw(10) << "ratio" << "\n";
  for (const Line &line : report.lines) {
    out << "  " << std::left << std::setw(16) << line.name << std::right;
    print_line(out, line.times, report.lines.front().times);
  }
}

void write_json(const std::string &path, const Report &report) {
  Json lines = Json::array();
  for (const Line &line : report.lines) lines.push_back(in_json(line, report.lines.front().times));
  const Json all = {{"program", "fft"}, {"figures", figures(report)}, {"medians", lines}};
  std::ofstream file(path);
  // A file name need not be UTF-8.
  file << all.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
  if (!file.flush()) throw example::FileError(path, 0, "cannot be written");
}

}  // namespace fft
