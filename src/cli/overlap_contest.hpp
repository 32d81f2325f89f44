#pragma once

// How much of an exchange is done while the program computes between its start and its wait: the method of the OSU
// Micro-Benchmarks for non-blocking collectives. An exchange alone takes t; the computing alone c, which is made about
// as long as t, or some times that; start, computing and wait together take s. The exchange then costs the program
// s - c, and 1 - (s - c) / t of it has been overlapped.

#include <optional>
#include <span>

#include "cli/contest.hpp"
#include "cli/quantiles.hpp"
#include "cli/work.hpp"

namespace rondo::internal::cli {

// What happens between start and wait.
struct Between {
  Work::Kind work = Work::Kind::computes;
  double times = 1;  // how many times as long as the exchange alone
  int tests = 10;    // in the runs with calls to test: how many, evenly spread
};

// In microseconds for one exchange; of the slowest rank.
struct Overlap {
  ContenderSpec spec;
  std::string refused = {};  // why it is not measured; empty when it is
  double alone = 0;          // median: the exchange
  double work = 0;           // median: the work
  std::size_t samples = 0;
  // What the exchange costs a program that works meanwhile: in each repetition the time of exchange and work together,
  // less the time of the work alone. For the runs with calls to test, the work alone is cut into as many pieces. A cost
  // is negative where the true difference is smaller than the clock and the machine can tell.
  Quantiles costs = {};         // without a call to test
  Quantiles costs_tested = {};  // with the calls

  // How much of the exchange has been overlapped, in percent from 0 to 100. Nothing where the figure would be chance:
  // with fewer than three samples, with quartiles that lie further apart than half of `alone`, or with a cost that is
  // negative by more than a quarter of `alone`.
  [[nodiscard]] std::optional<double> overlapped(const Quantiles &cost) const;
};

// Collective. Measures all contenders by turns; rank 0 has the result: what could be measured until the time was over,
// or Ctrl-C came.
std::vector<Overlap> measure_overlap(const Problem &problem, std::span<const ContenderSpec> specs,
                                     const Between &between, const Effort &effort, const Progress &progress);

}  // namespace rondo::internal::cli
