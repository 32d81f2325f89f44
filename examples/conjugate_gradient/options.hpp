// The command line of the example.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef CONJUGATE_GRADIENT_OPTIONS_HPP
#define CONJUGATE_GRADIENT_OPTIONS_HPP

#include <optional>
#include <string>

#include "shared/progress.hpp"

namespace cg {

struct Options {
  std::string matrix;
  double tolerance = 1e-8;
  int most_iterations = 10'000;
  int repetitions = 2'000;
  std::string algorithm;  // empty: Rondo chooses
  std::string svg;        // empty: no chart
  std::string json;       // empty: no file
  example::ProgressMode progress = example::ProgressMode::automatic;
};

// None when there is nothing to do; status is then what the program exits with. Only the speaking rank
// prints help or what is wrong.
[[nodiscard]] std::optional<Options> parse_options(int argc, char **argv, bool speaking_rank, int &status);

}  // namespace cg

#endif
