// SPDX-License-Identifier: BSD-3-Clause
#ifndef EXAMPLE_COMMAND_LINE_HPP
#define EXAMPLE_COMMAND_LINE_HPP

#include <CLI/CLI.hpp>
#include <iostream>
#include <optional>
#include <sstream>

namespace example {

// Reads the command line. Gives the exit status where there is nothing more to do: after a help text or a fault, of
// which only a rank that speaks tells.
inline std::optional<int> parse(CLI::App &app, int argc, char **argv, bool speaks) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::ParseError &fault) {
    std::ostringstream unheard;
    std::ostream &out = speaks ? std::cout : unheard;
    std::ostream &err = speaks ? std::cerr : unheard;
    return app.exit(fault, out, err) == 0 ? 0 : 1;
  }
}

}  // namespace example

#endif
