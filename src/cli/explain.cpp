#include "cli/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "cli/bars.hpp"
#include "cli/plot.hpp"
#include "cli/selection.hpp"
#include "exchange/error.hpp"

namespace rondo::internal::cli {

namespace {

constexpr double micro = 1e6;
constexpr double far_behind = 20;  // bars longer than that say nothing of the others

// Where the time of an estimate goes.
struct Part {
  double Estimate::*seconds;
  char sign;
  const char *colour;
  const char *what;
};
constexpr std::array parts{Part{&Estimate::synchronising, '#', "#1f5fbf", "steps, messages and turns on the cores"},
                           Part{&Estimate::moving, '=', "#8fb4e8", "bytes between ranks"},
                           Part{&Estimate::copying, '-', "#f0b08f", "bytes copied inside a rank"}};

double slowest_shown(const std::vector<Choice> &all) {
  return std::min(all.back().estimate.seconds, far_behind * all.front().estimate.seconds);
}

// A bar in which the slowest is so long.
std::string bar(const Estimate &estimate, double slowest) {
  constexpr double length = 40;
  std::string text;
  double until = 0;
  for (const Part &part : parts) {
    until += estimate.*part.seconds;
    const auto end = static_cast<std::size_t>(std::lround(until / slowest * length));
    if (end > text.size()) text.append(end - text.size(), part.sign);
  }
  return text;
}

std::string name_of(const Choice &choice) {
  return label(choice.algorithm->name, choice.parameters);
}

void print_json(const std::vector<Choice> &all) {
  auto list = nlohmann::ordered_json::array();
  for (const Choice &choice : all) {
    const Estimate &one = choice.estimate;
    list.push_back({{"choice", name_of(choice)},
                    {"seconds", one.seconds},
                    {"synchronising", one.synchronising},
                    {"moving", one.moving},
                    {"copying", one.copying},
                    {"steps", one.steps},
                    {"messages", one.messages},
                    {"bytes", one.bytes},
                    {"copied_bytes", one.copied_bytes}});
  }
  fmt::print("{}\n", list.dump(2));
}

void print_text(const Problem &problem, const std::vector<Choice> &all) {
  const double slowest = slowest_shown(all);
  fmt::print("{}\nestimates for the busiest rank, microseconds\n\n{:<58} {:>10} {:>7} {:>9} {:>12} {:>12}\n",
             to_string(problem), "", "us", "steps", "messages", "bytes", "copied");
  for (const Choice &choice : all) {
    const Estimate &one = choice.estimate;
    fmt::print("{:<58} {:>10.2f} {:>7.0f} {:>9.0f} {:>12.0f} {:>12.0f}  {}\n", name_of(choice), one.seconds * micro,
               one.steps, one.messages, one.bytes, one.copied_bytes,
               one.seconds <= slowest ? bar(one, slowest) : std::string("..."));
  }
  std::string legend;
  for (const Part &part : parts) legend += fmt::format("{}{} {}", legend.empty() ? "" : "; ", part.sign, part.what);
  fmt::print("\n{}\n", legend);
}

// A bar for each candidate, the cheapest at the top.
std::string picture(const Problem &problem, const std::vector<Choice> &all, const std::string &path) {
  const double slowest = slowest_shown(all);
  std::vector<Bar> bars;
  for (const Choice &choice : all) {
    if (choice.estimate.seconds > slowest) continue;
    Bar &bar = bars.emplace_back(Bar{name_of(choice), {}});
    for (const Part &part : parts) bar.parts.push_back(choice.estimate.*part.seconds * micro);
  }
  std::vector<BarPart> legend;
  for (const Part &part : parts) legend.push_back({part.colour, part.what});
  return bars_script(to_string(problem), "estimate for the busiest rank (microseconds)", legend, bars, path);
}

}  // namespace

void explain(const Problem &problem, const Case &situation, int turns, bool as_json, const std::string &svg) {
  if (!svg.empty()) check_gnuplot();
  const std::vector<Choice> all = estimates_of(problem, situation, turns);
  if (all.empty()) throw Error(Fault::algorithm, fmt::format("{} does not serve this problem", problem.algorithm));
  if (as_json) {
    print_json(all);
  } else {
    print_text(problem, all);
  }
  if (!svg.empty()) run_gnuplot(picture(problem, all, svg), svg);
}

}  // namespace rondo::internal::cli
