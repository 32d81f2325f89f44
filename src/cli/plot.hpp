#pragma once

#include <string>

#include "cli/bench_report.hpp"

namespace rondo::internal::cli {

// Throws Error (argument), with the package to install, when there is no gnuplot to plot with.
void check_gnuplot();

// Gnuplot's commands for the chart of a benchmark: time per exchange over block size, a line a contender.
std::string plot_script(const BenchReport &report, const std::string &path);

// As gnuplot quotes.
std::string quoted(const std::string &text);

// Has gnuplot run a script that writes a file. Throws Error (argument) when it fails.
void run_gnuplot(const std::string &script, const std::string &path);

// Has gnuplot write the chart (SVG). Throws Error (argument) when it fails.
void plot(const BenchReport &report, const std::string &path);

}  // namespace rondo::internal::cli
