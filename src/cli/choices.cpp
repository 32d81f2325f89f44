// `rondo choices`: how far behind the best candidate the choice was, or how many times as fast as the MPI library, in
// files of `rondo bench --json`.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/bench_file.hpp"
#include "cli/commands.hpp"
#include "cli/output_file.hpp"
#include "cli/plot.hpp"
#include "exchange/error.hpp"

namespace rondo::internal::cli {

namespace {

struct ChoicesOptions {
  std::vector<std::string> files;
  std::string contender = "chosen";
  double within = 10;    // percent
  bool speedup = false;  // against the MPI library instead of the best candidate
  std::string plot;
};

// One size of one file.
struct Cell {
  std::string file;
  std::int64_t bytes = 0;
  double chosen = 0;  // microseconds, as the next
  double best = 0;    // of Rondo's algorithms
  double mpi = 0;     // of the MPI library's calls, `native` among them
  std::string chosen_name{};
  std::string best_name{};

  [[nodiscard]] double behind() const { return (chosen / best - 1) * 100; }
  [[nodiscard]] double behind_mpi() const { return (chosen / mpi - 1) * 100; }
  [[nodiscard]] double speedup() const { return mpi / chosen; }
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

// Nothing where the contender was not measured.
std::optional<Cell> cell_of(const std::string &file, const BenchFigures &size, const std::string &contender) {
  constexpr double never = std::numeric_limits<double>::infinity();
  Cell cell{.file = file, .bytes = size.at("bytes"), .best = never, .mpi = never};
  for (const auto &one : size.at("contenders")) {
    if (!one.contains("median_us")) continue;
    const std::string name = one.at("name");
    const double median = one.at("median_us");
    if (name == contender) {
      cell.chosen = mean_of_same(size, one);
      cell.chosen_name = one.contains("plan") ? one.at("plan").at("algorithm").get<std::string>() : "";
    }
    if (name.starts_with("MPI_") || name == "native") cell.mpi = std::min(cell.mpi, median);
    if (name.starts_with("MPI_") || name.starts_with("chosen") || median >= cell.best) continue;
    cell.best = median;
    cell.best_name = name;
  }
  return cell.chosen > 0 && cell.best < never ? std::optional(cell) : std::nullopt;
}

std::vector<Cell> read_cells(const ChoicesOptions &options) {
  std::vector<Cell> cells;
  for (const std::string &path : options.files) {
    read_bench_file(path, [&](const BenchRun &run) {
      for (const auto &size : run.figures.at("sizes")) {
        if (auto cell = cell_of(run.name, size, options.contender)) cells.push_back(*std::move(cell));
      }
    });
  }
  if (cells.empty())
    throw Error(Fault::argument, fmt::format("no file has times of {} beside others", options.contender));
  return cells;
}

struct Grid {
  std::vector<std::string> rows;
  std::set<std::int64_t> columns;
  std::map<std::pair<std::string, std::int64_t>, double> values;
  bool of_speedups;

  Grid(const std::vector<Cell> &cells, bool speedups) : of_speedups(speedups) {
    for (const Cell &cell : cells) {
      if (std::find(rows.begin(), rows.end(), cell.file) == rows.end()) rows.push_back(cell.file);
      columns.insert(cell.bytes);
      values[{cell.file, cell.bytes}] = of_speedups ? cell.speedup() : cell.behind();
    }
  }

  [[nodiscard]] std::string title(const std::string &contender) const {
    return of_speedups ? contender + ": times as fast as the fastest call of the MPI library in the same run"
                       : contender + ": how far behind the best candidate of the same run, %";
  }
};

void print_grid(const Grid &grid) {
  std::size_t width = 0;
  for (const std::string &row : grid.rows) width = std::max(width, row.size());
  fmt::print("{:<{}}", "", width);
  for (const std::int64_t bytes : grid.columns) fmt::print(" {:>8}", bytes);
  fmt::print("\n");
  for (const std::string &row : grid.rows) {
    fmt::print("{:<{}}", row, width);
    for (const std::int64_t bytes : grid.columns) {
      const auto found = grid.values.find({row, bytes});
      const bool missing = found == grid.values.end();
      fmt::print(" {:>8}", missing            ? ""
                           : grid.of_speedups ? fmt::format("{:.2f}", found->second)
                                              : fmt::format("{:+.0f}", found->second));
    }
    fmt::print("\n");
  }
}

void print_summary(std::vector<Cell> cells, const ChoicesOptions &options) {
  const auto count = [&](auto &&holds) { return std::count_if(cells.begin(), cells.end(), holds); };
  const auto near = count([&](const Cell &cell) { return cell.behind() <= options.within; });
  const auto slower = count([&](const Cell &cell) { return cell.behind_mpi() > options.within; });
  std::sort(cells.begin(), cells.end(), [](const Cell &a, const Cell &b) { return a.behind() > b.behind(); });
  fmt::print(
      "\n{} is within {} % of the best algorithm in {} of {} cells ({:.0f} %), {:.0f} % behind in the middle one\n",
      options.contender, options.within, near, cells.size(),
      100.0 * static_cast<double>(near) / static_cast<double>(cells.size()), cells[cells.size() / 2].behind());
  fmt::print("more than {} % behind the MPI library's fastest call: {} cells\n", options.within, slower);
  constexpr std::size_t shown = 10;
  for (std::size_t i = 0; i < std::min(shown, cells.size()) && cells[i].behind() > options.within; ++i) {
    const Cell &cell = cells[i];
    fmt::print("  {:+.0f} %  {}, {} B: {} {:.2f} us, {} {:.2f} us\n", cell.behind(), cell.file, cell.bytes,
               cell.chosen_name, cell.chosen, cell.best_name, cell.best);
  }
}

std::string heat_map_script(const Grid &grid, const ChoicesOptions &options) {
  std::string data = "$behind << END\n-";
  for (const std::int64_t bytes : grid.columns) data += fmt::format(" {}", bytes);
  for (const std::string &row : grid.rows) {
    data += fmt::format("\n\"{}\"", row);
    for (const std::int64_t bytes : grid.columns) {
      const auto found = grid.values.find({row, bytes});
      const bool missing = found == grid.values.end();
      data += missing            ? std::string(" NaN")
              : grid.of_speedups ? fmt::format(" {:.2f}", found->second)
                                 : fmt::format(" {:.1f}", std::max(0.0, found->second));
    }
  }
  // From twice as slow to eight times as fast, as many colours for each factor; what is as fast is white.
  const char *const colours = grid.of_speedups
                                  ? "set palette defined (-1 '#8c1c13', 0 '#ffffff', 1.5 '#8fc1a9', 3 '#14532d')\n"
                                    "set logscale cb 2\nset cbrange [0.5:8]\nset cblabel 'times as fast'\n"
                                  : "set palette defined (0 '#ffffff', 10 '#ffe08a', 25 '#e8743b', 60 '#8c1c13')\n"
                                    "set cbrange [0:60]\nset cblabel '% behind the best'\n";
  return data + fmt::format(
                    "\nEND\n"
                    "set terminal svg size {},{} font 'DejaVu Sans,12' background rgb 'white'\n"
                    "set output {}\n"
                    "set title {} noenhanced\n"
                    "set xlabel 'largest block (bytes)'\n"
                    "{}"
                    "set ytics noenhanced\nset yrange [*:*] reverse\nset tics scale 0\n"
                    "plot $behind matrix rowheaders columnheaders with image pixels notitle, "
                    "$behind matrix rowheaders columnheaders using 1:2:(sprintf('{}', $3)) with labels notitle\n",
                    420 + 70 * grid.columns.size(), 160 + 20 * grid.rows.size(), quoted(options.plot),
                    quoted(grid.title(options.contender)), colours, grid.of_speedups ? "%.1f" : "%.0f");
}

int choices(const ChoicesOptions &options) {
  if (!options.plot.empty()) {
    check_gnuplot();
    check_writable(options.plot);
  }
  const std::vector<Cell> cells = read_cells(options);
  const Grid grid(cells, options.speedup);
  fmt::print("{}; columns: bytes of the largest block\n\n", grid.title(options.contender));
  print_grid(grid);
  if (!options.speedup) print_summary(cells, options);
  if (!options.plot.empty()) run_gnuplot(heat_map_script(grid, options), options.plot);
  return 0;
}

}  // namespace

void add_choices_command(CLI::App &app, Action &action) {
  CLI::App *command =
      app.add_subcommand("choices", "Judge the choice by the best candidate, in files of rondo bench --json");
  auto options = std::make_shared<ChoicesOptions>();
  command->add_option("files", options->files, "Files of rondo bench --json")->type_name("FILE")->required();
  command->add_option("--contender", options->contender, "Which contender is judged")
      ->type_name("NAME")
      ->capture_default_str();
  command->add_option("--within", options->within, "What counts as near the best")
      ->type_name("PERCENT")
      ->check(CLI::Range(0.0, 1e6).description(""))
      ->capture_default_str();
  command->add_flag("--speedup", options->speedup,
                    "Show how many times as fast it was as the fastest call of the MPI library instead");
  command->add_option("--plot", options->plot, "Have gnuplot draw a heat map (SVG) to this file")->type_name("FILE");
  command->footer(
      "Example: mpiexec -n 4 rondo bench --algorithms all,chosen:tune=measure --json four.json\n"
      "         rondo choices four.json --contender chosen:tune=measure");
  command->callback([=, &action] { action = [options] { return choices(*options); }; });
}

}  // namespace rondo::internal::cli
