#pragma once

// How much of an exchange is done while the program computes between its start and its wait: the method of the OSU
// Micro-Benchmarks for non-blocking collectives. An exchange alone takes t; the computing alone c, which is made about
// as long as t, or some times that; start, computing and wait together take s. The exchange then costs the program
// s - c, and 1 - (s - c) / t of it has been overlapped.

#include <functional>
#include <span>

#include "cli/contest.hpp"
#include "cli/work.hpp"

namespace rondo::cli {

// What happens between start and wait.
struct Between {
  Work::Kind work = Work::Kind::computes;
  double times = 1;  // how many times as long as the exchange alone
  int tests = 10;    // in the runs with calls to test: how many, evenly spread
};

// Medians, in microseconds for one exchange; of the slowest rank.
struct Overlap {
  ContenderSpec spec;
  std::string refused = {};  // why it is not measured; empty when it is
  double alone = 0;          // the exchange
  double work = 0;           // the work
  double together = 0;       // both, without a call to test
  double pieces = 0;         // the work, cut as calls to test cut it
  double tested = 0;         // both, with the calls

  // What the exchange costs a program that works meanwhile.
  [[nodiscard]] double costs() const { return std::max(0.0, together - work); }
  [[nodiscard]] double costs_tested() const { return std::max(0.0, tested - pieces); }
  // In percent.
  [[nodiscard]] double overlapped(double cost) const { return std::max(0.0, 100 * (1 - cost / alone)); }
};

// Collective. Measures all contenders by turns; rank 0 has the result.
std::vector<Overlap> measure_overlap(const Problem &problem, std::span<const ContenderSpec> specs,
                                     const Between &between, const Effort &effort,
                                     const std::function<void(int)> &progress);

}  // namespace rondo::cli
