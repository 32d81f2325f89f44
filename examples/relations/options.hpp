// The options that the relational programs share.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RELATIONS_OPTIONS_HPP
#define RELATIONS_OPTIONS_HPP

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "relations/exchange.hpp"
#include "shared/progress.hpp"

namespace relations {

struct Options {
  std::vector<ExchangeKind> kinds;  // one or both
  std::string algorithm;            // empty: Rondo chooses
  int repetitions = 1;
  bool check = false;
  std::string svg;   // empty: no chart
  std::string json;  // empty: no file
  example::ProgressMode progress = example::ProgressMode::automatic;
};

// Adds them to the command line. The options outlive the parsing.
void describe(CLI::App &app, Options &options);

}  // namespace relations

#endif
