// The command line of the example.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef FFT_OPTIONS_HPP
#define FFT_OPTIONS_HPP

#include <optional>
#include <string>

namespace fft {

struct Options {
  std::string size = "64,64,64";  // or N1, N2: the settings of TuNA for the number of ranks
  std::string decomposition;      // even, blocks or BX,BY; empty: that of the setting, even for others
  std::string exchange = "both";
  int repetitions = 100;
  std::string algorithm;  // empty: Rondo chooses
  bool check = false;
  std::string json;  // empty: no file
};

// None when there is nothing to do; status is then what the program exits with. Only the speaking rank prints help or
// what is wrong.
[[nodiscard]] std::optional<Options> parse_options(int argc, char **argv, bool speaking_rank, int &status);

}  // namespace fft

#endif
