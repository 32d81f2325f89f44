// `rondo crossings`: the block sizes at which one contender becomes faster or slower than another, in files of
// `rondo bench --json`.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/bench_file.hpp"
#include "cli/commands.hpp"
#include "cli/output_file.hpp"
#include "cli/plot.hpp"
#include "exchange/error.hpp"

namespace rondo::internal::cli {

namespace {

struct CrossingsOptions {
  std::string one;
  std::string other;
  std::vector<std::string> files;
  std::string plot;
};

// How long the one took for the other's time, at one size.
struct Ratio {
  double bytes = 0;
  double value = 0;
};

struct Crossing {
  double bytes = 0;
  bool becomes_faster = false;  // the one, above this size
};

struct RunOfTwo {
  std::string name;
  std::string distribution;
  int ranks = 0;
  std::vector<Ratio> ratios;  // by size
  std::vector<Crossing> crossings;
};

std::optional<double> median_of(const BenchFigures &size, const std::string &contender) {
  for (const BenchFigures &one : size.at("contenders")) {
    if (one.at("name") == contender && one.contains("median_us")) return one.at("median_us").get<double>();
  }
  return std::nullopt;
}

// Between two measured sizes the logarithm of the ratio is taken to grow with that of the size, as a straight line.
std::vector<Crossing> crossings_of(const std::vector<Ratio> &ratios) {
  std::vector<Crossing> crossings;
  for (std::size_t i = 1; i < ratios.size(); ++i) {
    const Ratio &low = ratios[i - 1];
    const Ratio &high = ratios[i];
    if ((low.value < 1) == (high.value < 1)) continue;
    const double share = std::log(low.value) / (std::log(low.value) - std::log(high.value));
    crossings.push_back({low.bytes * std::pow(high.bytes / low.bytes, share), high.value < 1});
  }
  return crossings;
}

std::vector<RunOfTwo> read_runs(const CrossingsOptions &options) {
  std::vector<RunOfTwo> runs;
  for (const std::string &path : options.files) {
    read_bench_file(path, [&](const BenchRun &run) {
      RunOfTwo of{run.name, run.figures.at("distribution"), run.figures.at("ranks"), {}, {}};
      std::map<double, double> by_size;  // in their order
      for (const BenchFigures &size : run.figures.at("sizes")) {
        const auto one = median_of(size, options.one);
        const auto other = median_of(size, options.other);
        const double bytes = size.at("bytes");
        if (one && other && bytes > 0) by_size[bytes] = *one / *other;
      }
      for (const auto &[bytes, value] : by_size) of.ratios.push_back({bytes, value});
      of.crossings = crossings_of(of.ratios);
      if (!of.ratios.empty()) runs.push_back(std::move(of));
    });
  }
  if (runs.empty()) {
    throw Error(Fault::argument, fmt::format("no file has times of both {} and {}", options.one, options.other));
  }
  return runs;
}

std::string words_of(const RunOfTwo &run) {
  std::string words = run.ratios.front().value < 1 ? "faster" : "slower";
  for (const Crossing &crossing : run.crossings) {
    words += fmt::format(", {} from {:.0f} B on", crossing.becomes_faster ? "faster" : "slower", crossing.bytes);
  }
  return words;
}

// A line for each distribution: the largest size at which the two change places, over the number of ranks.
std::string plot_script(const std::vector<RunOfTwo> &runs, const CrossingsOptions &options) {
  std::map<std::string, std::map<int, double>> lines;
  for (const RunOfTwo &run : runs) {
    if (!run.crossings.empty()) lines[run.distribution][run.ranks] = run.crossings.back().bytes;
  }
  if (lines.empty()) throw Error(Fault::argument, "nothing to plot: neither becomes faster than the other");
  std::string blocks;
  std::string curves;
  int line = 0;
  for (const auto &[distribution, points] : lines) {
    const auto name = fmt::format("$line{}", line++);
    blocks += name + " << END\n";
    for (const auto &[ranks, bytes] : points) blocks += fmt::format("{} {}\n", ranks, bytes);
    blocks += "END\n";
    curves += fmt::format("{}{} using 1:2 with linespoints lw 1.6 pt 7 ps 0.6 title {}", curves.empty() ? "" : ", ",
                          name, quoted(distribution));
  }
  const std::string title =
      fmt::format("where {} and {} change places (the largest such block)", options.one, options.other);
  return blocks + fmt::format(
                      "set terminal svg size 760,480 font 'DejaVu Sans,13' background rgb 'white'\n"
                      "set output {}\n"
                      "set title {} noenhanced\n"
                      "set xlabel 'ranks'\nset ylabel 'largest block (bytes)'\n"
                      "set logscale x 2\nset logscale y 2\nset xrange [1:*]\nset grid lc rgb '#dddddd'\n"
                      "set key outside right noenhanced\n"
                      "plot {}\n",
                      quoted(options.plot), quoted(title), curves);
}

int crossings(const CrossingsOptions &options) {
  if (!options.plot.empty()) {
    check_gnuplot();
    check_writable(options.plot);
  }
  const std::vector<RunOfTwo> runs = read_runs(options);
  std::size_t width = 0;
  for (const RunOfTwo &run : runs) width = std::max(width, run.name.size());
  fmt::print("{} beside {}, by bytes of the largest block\n\n", options.one, options.other);
  for (const RunOfTwo &run : runs) {
    fmt::print("{:<{}}  {:.0f} to {:.0f} B: {}\n", run.name, width, run.ratios.front().bytes, run.ratios.back().bytes,
               words_of(run));
  }
  if (!options.plot.empty()) run_gnuplot(plot_script(runs, options), options.plot);
  return 0;
}

}  // namespace

void add_crossings_command(CLI::App &app, Action &action) {
  CLI::App *command = app.add_subcommand(
      "crossings",
      "Tell from which block size on one contender is faster than another, in files of rondo bench --json");
  auto options = std::make_shared<CrossingsOptions>();
  command->add_option("one", options->one, "A contender, as the files name it")->type_name("NAME")->required();
  command->add_option("other", options->other, "Another")->type_name("NAME")->required();
  command->add_option("files", options->files, "Files of rondo bench --json")->type_name("FILE")->required();
  command->add_option("--plot", options->plot, "Have gnuplot draw the sizes over the ranks (SVG) to this file")
      ->type_name("FILE");
  command->footer(
      "Example: mpiexec -n 16 rondo bench --ranks 4,8,16 --dist uniform,constant --algorithms tuna:radix=2 --json "
      "t.json\n"
      "         rondo crossings tuna:radix=2 MPI_Alltoallv t.json --plot crossings.svg");
  command->callback([=, &action] { action = [options] { return crossings(*options); }; });
}

}  // namespace rondo::internal::cli
