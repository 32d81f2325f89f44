#include "cli/plot.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "exchange/error.hpp"

namespace rondo::internal::cli {

namespace {

// No place for 0 on a logarithmic axis.
std::int64_t bytes_on_axis(const SizeResult &result) {
  return std::max<std::int64_t>(1, result.bytes);
}

// The contender's points as a data block: bytes, median.
std::string data_block(const BenchReport &report, std::size_t contender) {
  std::string text = fmt::format("$data{} << END\n", contender);
  for (const SizeResult &result : report.sizes) {
    const Measurement &measurement = result.measurements[contender];
    if (measurement.samples.empty()) continue;
    text += fmt::format("{} {}\n", bytes_on_axis(result), measurement.times().median);
  }
  return text + "END\n";
}

bool has_points(const BenchReport &report, std::size_t contender) {
  return std::any_of(report.sizes.begin(), report.sizes.end(),
                     [&](const SizeResult &result) { return !result.measurements[contender].samples.empty(); });
}

// MPI's own in black, the others in colours.
std::string line_style(const Measurement &measurement, std::size_t contender) {
  switch (measurement.spec.kind) {
    case ContenderSpec::Kind::mpi_blocking: return "lc rgb 'black' lw 2 dt 2 pt 4";
    case ContenderSpec::Kind::mpi_persistent: return "lc rgb 'black' lw 3 pt 5";
    case ContenderSpec::Kind::mpi_nonblocking: return "lc rgb 'black' lw 2 dt 3 pt 6";
    case ContenderSpec::Kind::rondo: break;
  }
  constexpr const char *colours[] = {"#1f5fbf", "#c8501e", "#2a8f4f", "#8a3fb0",
                                     "#b08a00", "#00919c", "#d04f8a", "#6b6f76"};
  return fmt::format("lc rgb '{}' lw 1.6 dt {} pt {} ps 0.6", colours[contender % 8], contender < 10 ? 1 : 4,
                     6 + contender % 8);
}

// The measured sizes, to be marked on the axis.
std::string size_marks(const BenchReport &report) {
  std::string marks;
  for (const SizeResult &result : report.sizes) {
    marks += fmt::format("{}'{}' {}", marks.empty() ? "" : ", ", result.bytes, bytes_on_axis(result));
  }
  return marks;
}

}  // namespace

// In single quotes, a single quote doubled.
std::string quoted(const std::string &text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("''") : std::string(1, c);
  return result + "'";
}

void check_gnuplot() {
  const char *path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((folder + "/gnuplot").c_str(), X_OK) == 0) return;
  }
  throw Error(Fault::argument, "a chart needs gnuplot, which is not installed (Debian: apt-get install gnuplot-nox)");
}

std::string plot_script(const BenchReport &report, const std::string &path) {
  std::string text;
  std::string curves;
  const auto &first = report.sizes.at(0).measurements;
  for (std::size_t contender = 0; contender < first.size(); ++contender) {
    if (!has_points(report, contender)) continue;
    text += data_block(report, contender);
    curves += fmt::format("{}$data{} using 1:2 with linespoints {} title {}", curves.empty() ? "" : ", ", contender,
                          line_style(first[contender], contender), quoted(first[contender].spec.label()));
  }
  const std::string title =
      fmt::format("{} ranks, {}, dist={}", report.ranks, report.mpi, to_string(report.problem.distribution));
  return text + fmt::format(
                    "set terminal svg size 1000,640 font 'DejaVu Sans,13' background rgb 'white'\n"
                    "set output {}\n"
                    "set title {} noenhanced\n"
                    "set xlabel 'largest block (bytes)'\n"
                    "set ylabel 'microseconds per exchange, median of the slowest rank'\n"
                    "set logscale x 2\nset logscale y\nset yrange [*:*] noextend\nset grid lc rgb '#dddddd'\n"
                    "set xtics ({})\n"
                    "set key outside right noenhanced\n"
                    "plot {}\n",
                    quoted(path), quoted(title), size_marks(report), curves);
}

void plot(const BenchReport &report, const std::string &path) {
  run_gnuplot(plot_script(report, path), path);
}

void run_gnuplot(const std::string &script, const std::string &path) {
  const auto previous = std::signal(SIGPIPE, SIG_IGN);  // gnuplot may end early: its exit status tells
  std::FILE *gnuplot = popen("gnuplot", "w");
  if (gnuplot == nullptr) throw Error(Fault::argument, "cannot start gnuplot");
  std::fwrite(script.data(), 1, script.size(), gnuplot);
  const int status = pclose(gnuplot);
  std::signal(SIGPIPE, previous);
  if (status != 0) throw Error(Fault::argument, fmt::format("gnuplot failed to write {}", path));
}

}  // namespace rondo::internal::cli
