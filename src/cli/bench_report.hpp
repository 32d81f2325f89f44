#pragma once

#include <span>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "cli/measurement.hpp"
#include "wire/machine.hpp"

namespace rondo::internal::cli {

// Everything that one benchmark found out, and what it was made on.
struct BenchReport {
  Machine machine;
  std::string mpi;
  int ranks = 1;
  Problem problem;  // of all sizes; its largest block is that of the last
  std::vector<SizeResult> sizes;
  double first_init = 0;  // microseconds: the first plan of the communicator, which none of the measured ones is
};

// One line that says what was measured on what.
std::string heading(const BenchReport &report);

// One line that says what the first init was, and that it is not among the others.
std::string set_up_line(const BenchReport &report);

// The median that the others are held against: MPI_Alltoallv_init's, or MPI_Alltoallv's where there is none.
const Measurement &bar_of(const SizeResult &result);

// One table for people.
std::string table(const SizeResult &result);

// What a file of figures begins with: by which library they were measured, and on what.
nlohmann::ordered_json origin_json(const BenchReport &report);

// All of it, samples included: of one run as it is, of several under `runs`.
nlohmann::ordered_json to_json(std::span<const BenchReport> reports);

}  // namespace rondo::internal::cli
