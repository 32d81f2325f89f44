// SPDX-License-Identifier: BSD-3-Clause
#include "shared/progress.hpp"

#include <unistd.h>

#include <cstdlib>
#include <iostream>

namespace example {
namespace {

bool output_is_terminal() {
  // Open MPI's launcher gives each rank a pseudo-terminal whatever its own output is, so a terminal
  // says nothing there.
  return isatty(STDOUT_FILENO) != 0 && std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr;
}

bool wanted(ProgressMode mode) {
  return mode == ProgressMode::always || (mode == ProgressMode::automatic && output_is_terminal());
}

}  // namespace

Progress::Progress(ProgressMode mode, bool speaking_rank) : shown_(speaking_rank && wanted(mode)) {}

void Progress::update(const std::string &text) {
  if (std::chrono::steady_clock::now() - last_ < std::chrono::milliseconds(100)) return;
  stage(text);
}

void Progress::stage(const std::string &text) {
  if (!shown_) return;
  // Back to the left edge and erase what was there, as all terminals of the last forty years do.
  std::cout << "\r\033[K" << text << std::flush;
  line_in_use_ = true;
  last_ = std::chrono::steady_clock::now();
}

void Progress::clear() {
  if (line_in_use_) std::cout << "\r\033[K" << std::flush;
  line_in_use_ = false;
}

}  // namespace example
