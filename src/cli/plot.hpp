#pragma once

#include <string>

#include "cli/bench_report.hpp"

namespace rondo::internal::cli {

// Throws Error (argument), with the package to install, when there is no gnuplot to plot with.
void check_gnuplot();

// Gnuplot's commands for the chart of a benchmark: time per exchange over block size, a line a contender.
std::string plot_script(const BenchReport &report, const std::string &path);

// Has gnuplot write the chart (SVG). Throws Error (argument) when it fails.
void plot(const BenchReport &report, const std::string &path);

}  // namespace rondo::internal::cli
