#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "cli/measurement.hpp"
#include "cli/operation.hpp"

namespace rondo::internal::cli {

// How long to measure.
struct Effort {
  int repetitions = 50;            // samples per contender
  double seconds = 10;             // after which nothing new is begun, but what is in a sample already
  double sample_seconds = 100e-6;  // what a sample should take at least
  bool fresh_data = true;          // what is sent is written before each exchange
};

// Is told how many repetitions are done, and what is being done.
using Progress = std::function<void(int repetitions, std::string_view doing)>;

// Why a contender that serves the problem has not been measured.
constexpr const char *no_time = "there was no time for it";

// Collective over the communicator: has an exchange run twice with other data each time. Throws Error (internal), with
// the label, on all ranks when it has moved data wrongly on any.
void check_data(const std::string &label, const Problem &problem, OperationMemory &memory, MPI_Comm comm,
                const std::function<void()> &exchange);

// Collective over the communicator, whose ranks are the problem's. Makes all contenders ready, checks that each moves
// the data rightly (throws Error (internal) when one does not), warms them up, and times them by turns: in each
// repetition every contender once, in rotated order, after a barrier. Rank 0 has the result: what could be measured
// until the time was over, or Ctrl-C came.
SizeResult measure(const Problem &problem, std::span<const ContenderSpec> specs, const Effort &effort,
                   const Progress &progress, MPI_Comm comm = MPI_COMM_WORLD);

// Collective over the communicator, of so many ranks: sets up what the first exchange and the first plan of a
// communicator set up for all later ones; how long the first plan's init took, in seconds of the slowest rank.
double set_up_communicator(int ranks, MPI_Comm comm = MPI_COMM_WORLD);

// Collective: exchanges blocks of this length by the MPI library's own call, for a while. Some libraries take memory
// that they have not touched yet for some hundreds of messages of a length.
void warm_up_library(int ranks, std::int64_t bytes);

}  // namespace rondo::internal::cli
