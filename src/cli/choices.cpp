// `rondo choices`: how far behind the best candidate the choice was, how many times as fast as the MPI library, or
// which contender was fastest, in files of `rondo bench --json`. A cell is one size in files of one name.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/bench_file.hpp"
#include "cli/commands.hpp"
#include "cli/heat_map.hpp"
#include "cli/output_file.hpp"
#include "cli/plot.hpp"
#include "exchange/error.hpp"

namespace rondo::internal::cli {

namespace {

struct ChoicesOptions {
  std::vector<std::string> files;
  std::string contender = "chosen";
  double within = 10;     // percent
  bool speedup = false;   // against the MPI library instead of the best candidate
  bool fastest = false;   // which contender it is, instead
  bool doubtful = false;  // only the names of cells that are not near the best, or behind the MPI library
  std::string plot;
};

struct Cell {
  std::string file;
  std::int64_t bytes = 0;
  double chosen = 0;  // microseconds, as the next
  double best = 0;    // of Rondo's algorithms
  double mpi = 0;     // of the MPI library's calls, `native` among them
  double native = 0;  // of that algorithm
  std::string chosen_name{};
  std::string best_name{};
  std::string mpi_name{};

  [[nodiscard]] double behind() const { return (chosen / best - 1) * 100; }
  [[nodiscard]] double behind_mpi() const { return (chosen / mpi - 1) * 100; }
  [[nodiscard]] double behind_native() const { return (chosen / native - 1) * 100; }
  [[nodiscard]] double speedup() const { return mpi / chosen; }
  [[nodiscard]] const std::string &fastest() const { return mpi < best ? mpi_name : best_name; }
};

// What a plan is, of those which took the same time but for noise; null where the MPI library made none of ours.
BenchFigures identity_of(const BenchFigures &contender) {
  if (!contender.contains("plan")) return nullptr;
  const BenchFigures &plan = contender.at("plan");
  BenchFigures identity;
  for (const char *key : {"algorithm", "radix", "block_count", "leaders", "pattern", "wire"}) {
    if (plan.contains(key)) identity[key] = plan.at(key);
  }
  return identity;
}

// The median of the contender, and of the plan of the same algorithm and parameters that stood beside it as a contender
// of its own: what was taken has then been timed twice in the run, and the mean of both counts.
double mean_of_same(const BenchFigures &size, const BenchFigures &chosen) {
  double sum = chosen.at("median_us");
  int times = 1;
  const BenchFigures identity = identity_of(chosen);
  for (const auto &one : size.at("contenders")) {
    const std::string name = one.at("name");
    if (!one.contains("median_us") || name.starts_with("chosen") || identity_of(one) != identity) continue;
    if (identity.is_null()) continue;
    sum += one.at("median_us").get<double>();
    ++times;
  }
  return sum / times;
}

// A call of the MPI library, by a plan of Rondo's or not.
bool is_of_library(const std::string &contender) {
  return contender.starts_with("MPI_") || contender == "native";
}

// Of a contender that was not measured the times are 0.
Cell cell_of(const std::string &file, const BenchFigures &size, const std::string &contender) {
  constexpr double never = std::numeric_limits<double>::infinity();
  Cell cell{.file = file, .bytes = size.at("bytes"), .best = never, .mpi = never, .native = never};
  for (const auto &one : size.at("contenders")) {
    if (!one.contains("median_us")) continue;
    const std::string name = one.at("name");
    const double median = one.at("median_us");
    if (name == contender) {
      cell.chosen = mean_of_same(size, one);
      cell.chosen_name = one.contains("plan") ? one.at("plan").at("algorithm").get<std::string>() : "";
    }
    if (name == "native") cell.native = median;
    if (is_of_library(name) && median < cell.mpi) {
      cell.mpi = median;
      cell.mpi_name = name;
    }
    if (name.starts_with("MPI_") || name.starts_with("chosen") || median >= cell.best) continue;
    cell.best = median;
    cell.best_name = name;
  }
  return cell;
}

// A contender's figures of one run.
struct Timed {
  std::size_t run;
  BenchFigures figures;

  [[nodiscard]] double median() const { return figures.at("median_us").get<double>(); }
};

using TimesByRun = std::map<std::string, std::vector<Timed>>;

// By contender, its figures of the runs in which it has been timed.
TimesByRun times_by_run(const std::vector<BenchFigures> &runs) {
  TimesByRun contenders;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (const auto &one : runs[run].at("contenders")) {
      if (one.contains("median_us")) contenders[one.at("name")].push_back({run, one});
    }
  }
  return contenders;
}

// A machine may be slower as a whole in one run than in another: the times of those contenders that have been timed in
// all runs have the same geometric mean afterwards in each. The others' are scaled with them.
void bring_to_one_scale(TimesByRun &contenders, std::size_t runs) {
  // What took no time that a clock could tell says nothing of a scale.
  const auto counts = [&](const std::vector<Timed> &times) {
    return times.size() == runs && std::ranges::all_of(times, [](const Timed &one) { return one.median() > 0; });
  };
  std::vector<double> logarithms(runs, 0);
  int counted = 0;
  for (const auto &[name, times] : contenders) {
    if (!counts(times)) continue;
    for (const Timed &one : times) logarithms[one.run] += std::log(one.median());
    ++counted;
  }
  if (counted == 0) return;
  std::vector<double> sorted = logarithms;
  std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(runs / 2), sorted.end());
  for (auto &[name, times] : contenders) {
    for (Timed &one : times) {
      one.figures["median_us"] = one.median() * std::exp((sorted[runs / 2] - logarithms[one.run]) / counted);
    }
  }
}

// One size that has been measured in several runs: each contender with the run in which it took its median time.
BenchFigures median_of(const std::vector<BenchFigures> &runs) {
  TimesByRun contenders = times_by_run(runs);
  bring_to_one_scale(contenders, runs.size());
  BenchFigures result{{"bytes", runs.front().at("bytes")}, {"contenders", BenchFigures::array()}};
  for (auto &[name, times] : contenders) {
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 2);
    std::ranges::nth_element(times, middle, {}, &Timed::median);
    result.at("contenders").push_back(middle->figures);
  }
  return result;
}

// Where several files have the same name, from other folders, they are runs of the same.
std::vector<Cell> read_cells(const ChoicesOptions &options) {
  using Place = std::pair<std::string, std::int64_t>;
  std::vector<Place> places;  // as they come
  std::map<Place, std::vector<BenchFigures>> runs;
  for (const std::string &path : options.files) {
    read_bench_file(path, [&](const BenchRun &run) {
      for (const auto &size : run.figures.at("sizes")) {
        const Place place{run.name, size.at("bytes")};
        auto &all = runs[place];
        if (all.empty()) places.push_back(place);
        all.push_back(size);
      }
    });
  }
  std::vector<Cell> cells;
  for (const Place &place : places) {
    Cell cell = cell_of(place.first, median_of(runs.at(place)), options.contender);
    const bool measured = std::isfinite(cell.best) && (cell.chosen > 0 || options.fastest);
    if (measured) cells.push_back(std::move(cell));
  }
  if (cells.empty()) {
    const std::string who = options.fastest ? "an algorithm" : options.contender;
    throw Error(Fault::argument, fmt::format("no file has times of {} beside others", who));
  }
  return cells;
}

// The name of an algorithm in that of a contender, tuna:radix=4, or of a call of the MPI library.
std::string algorithm_of(const std::string &contender) {
  return contender.substr(0, contender.find(':'));
}

HeatMap map_of_behind(const std::vector<Cell> &cells, const std::string &contender) {
  HeatMap map{.title = contender + ": how far behind the best candidate of the same run, %",
              .colours =
                  "set palette defined (0 '#ffffff', 10 '#ffe08a', 25 '#e8743b', 60 '#8c1c13')\n"
                  "set cbrange [0:60]\nset cblabel '% behind the best'\n"};
  for (const Cell &cell : cells) {
    map.add(cell.file, cell.bytes, {std::max(0.0, cell.behind()), fmt::format("{:+.0f}", cell.behind())});
  }
  return map;
}

// From twice as slow to eight times as fast, as many colours for each factor; what is as fast is white.
HeatMap map_of_speedups(const std::vector<Cell> &cells, const std::string &contender) {
  HeatMap map{.title = contender + ": times as fast as the fastest call of the MPI library in the same run",
              .colours =
                  "set palette defined (-1 '#8c1c13', 0 '#ffffff', 1.5 '#8fc1a9', 3 '#14532d')\n"
                  "set logscale cb 2\nset cbrange [0.5:8]\nset cblabel 'times as fast'\n"};
  for (const Cell &cell : cells) {
    map.add(cell.file, cell.bytes, {cell.speedup(), fmt::format("{:.2f}", cell.speedup())});
  }
  return map;
}

// A colour for each algorithm; the MPI library's own calls are grey.
HeatMap map_of_fastest(const std::vector<Cell> &cells) {
  constexpr std::array hues = {"#8fb4e8", "#f0b08f", "#94d1a8", "#cfa3e0", "#e3cf7a", "#7fd0d6", "#eda3c6", "#b5d67f"};
  HeatMap map{.title = "the fastest of each run"};
  std::set<std::string> algorithms;
  for (const Cell &cell : cells) algorithms.insert(algorithm_of(cell.fastest()));
  std::string palette;
  std::size_t own = 0;
  for (const std::string &algorithm : algorithms) {
    const auto index = std::distance(algorithms.begin(), algorithms.find(algorithm));
    const char *colour = is_of_library(algorithm) ? "#c4c4c4" : hues[own++ % hues.size()];
    palette += fmt::format("{}{} '{}'", palette.empty() ? "" : ", ", index, colour);
  }
  if (algorithms.size() == 1) palette += ", 1 '#ffffff'";  // a palette has two colours at least
  map.colours = fmt::format("set palette defined ({})\nset cbrange [0:{}]\nunset colorbox\n", palette,
                            std::max<std::size_t>(1, algorithms.size() - 1));
  for (const Cell &cell : cells) {
    const auto index = std::distance(algorithms.begin(), algorithms.find(algorithm_of(cell.fastest())));
    map.add(cell.file, cell.bytes, {static_cast<double>(index), cell.fastest()});
  }
  return map;
}

HeatMap map_of(const std::vector<Cell> &cells, const ChoicesOptions &options) {
  if (options.fastest) return map_of_fastest(cells);
  return options.speedup ? map_of_speedups(cells, options.contender) : map_of_behind(cells, options.contender);
}

void print_summary(std::vector<Cell> cells, const ChoicesOptions &options) {
  const auto count = [&](auto &&holds) { return std::count_if(cells.begin(), cells.end(), holds); };
  const auto near = count([&](const Cell &cell) { return cell.behind() <= options.within; });
  const auto slower = count([&](const Cell &cell) { return cell.behind_mpi() > options.within; });
  const auto behind_native = count([&](const Cell &cell) { return cell.behind_native() > options.within; });
  std::sort(cells.begin(), cells.end(), [](const Cell &a, const Cell &b) { return a.behind() > b.behind(); });
  fmt::print(
      "\n{} is within {} % of the best algorithm in {} of {} cells ({:.0f} %), {:.0f} % behind in the middle one\n",
      options.contender, options.within, near, cells.size(),
      100.0 * static_cast<double>(near) / static_cast<double>(cells.size()), cells[cells.size() / 2].behind());
  fmt::print("more than {} % behind the MPI library's fastest call: {} cells; behind native: {}\n", options.within,
             slower, behind_native);
  constexpr std::size_t shown = 10;
  for (std::size_t i = 0; i < std::min(shown, cells.size()) && cells[i].behind() > options.within; ++i) {
    const Cell &cell = cells[i];
    fmt::print("  {:+.0f} %  {}, {} B: {} {:.2f} us, {} {:.2f} us\n", cell.behind(), cell.file, cell.bytes,
               cell.chosen_name, cell.chosen, cell.best_name, cell.best);
  }
}

// For whoever measures these again.
void print_doubtful(const std::vector<Cell> &cells, double within) {
  for (const Cell &cell : cells) {
    if (cell.behind() > within || cell.behind_mpi() > within) fmt::print("{} {}\n", cell.file, cell.bytes);
  }
}

int choices(const ChoicesOptions &options) {
  if (!options.plot.empty()) {
    check_gnuplot();
    check_writable(options.plot);
  }
  const std::vector<Cell> cells = read_cells(options);
  if (options.doubtful) {
    print_doubtful(cells, options.within);
    return 0;
  }
  const HeatMap map = map_of(cells, options);
  print(map);
  if (!options.speedup && !options.fastest) print_summary(cells, options);
  if (!options.plot.empty()) run_gnuplot(heat_map_script(map, options.plot), options.plot);
  return 0;
}

}  // namespace

void add_choices_command(CLI::App &app, Action &action) {
  CLI::App *command =
      app.add_subcommand("choices", "Judge the choice by the best candidate, in files of rondo bench --json");
  auto options = std::make_shared<ChoicesOptions>();
  command
      ->add_option("files", options->files,
                   "Files of rondo bench --json; of those that have the same name, each contender's median counts")
      ->type_name("FILE")
      ->required();
  command->add_option("--contender", options->contender, "Which contender is judged")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--within", options->within, "What counts as near the best")
      ->type_name("PERCENT")
      ->check(CLI::Range(0.0, 1e6).description(""))
      ->capture_default_str();
  command->add_flag("--speedup", options->speedup,
                    "Show how many times as fast it was as the fastest call of the MPI library instead");
  command
      ->add_flag("--fastest", options->fastest, "Show which contender was fastest in each case instead, MPI's included")
      ->excludes("--speedup");
  command
      ->add_flag("--doubtful", options->doubtful,
                 "Print only the files and sizes that are not near the best, or as far behind the MPI library")
      ->excludes("--speedup")
      ->excludes("--fastest");
  command->add_option("--plot", options->plot, "Have gnuplot draw a heat map (SVG) to this file")->type_name("FILE");
  command->footer(
      "Example: mpiexec -n 4 rondo bench --algorithms all,chosen:tune=measure --json four.json\n"
      "         rondo choices four.json --contender chosen:tune=measure");
  command->callback([=, &action] { action = [options] { return choices(*options); }; });
}

}  // namespace rondo::internal::cli
