#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/contender.hpp"
#include "cli/measuring_options.hpp"
#include "cli/problem.hpp"

namespace rondo::internal::cli {

// What `rondo bench` is asked for.
struct BenchOptions {
  MeasuringOptions measuring{.sizes = {8, 64, 512, 4096, 32768, 65536}, .repetitions = 100};
  std::vector<std::string> words;  // a problem; none: one of these two
  std::vector<std::string> distribution_texts{"constant"};
  std::uint64_t seed = 1;
  std::vector<int> ranks;  // the first so many of all, one number after the other; none: all
  std::string algorithms = "all";
  std::string data = "fresh";
  std::string json;
  std::string plot;
  bool init = false;
  bool varying = false;
  bool phases = false;

  // What follows from the words above.
  std::string problem;                      // its text; empty where none is given
  std::vector<Distribution> distributions;  // where none is given
  Problem::Call call = Problem::Call::alltoallv;
  bool sizes_are_named = false;
  bool algorithms_are_named = false;
};

void add_bench_options(CLI::App &command, BenchOptions &options);
// Finds what follows from the options, before the number of ranks is known. Throws UsageError.
void settle(BenchOptions &options);

// The problem of so many ranks, and what its sizes are: those that are named; else of a problem that is given, or of a
// trace, its own; else the usual ones. Its largest block is the largest of these.
struct Measured {
  Problem problem;
  std::vector<std::int64_t> sizes;
};

// What so many ranks exchange, one after the other.
std::vector<Measured> measured_by(const BenchOptions &options, int ranks);

// Of a problem that names an algorithm that one is timed, unless others are named.
std::vector<ContenderSpec> contenders_of(const BenchOptions &options, const Problem &problem);

}  // namespace rondo::internal::cli
