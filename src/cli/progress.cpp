#include "cli/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>

namespace rondo::cli {

ProgressLine::ProgressLine(std::string what, std::size_t total)
    : what_(std::move(what)), total_(total), on_terminal_(isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
  clear();
}

void ProgressLine::show(std::size_t done, const std::string &detail) {
  if (!on_terminal_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(100);  // often enough for eyes
  fmt::print(stderr, "\r{} {}/{} {}\x1b[K", what_, done, total_, detail);
  std::fflush(stderr);
  shown_ = true;
}

void ProgressLine::clear() {
  if (!shown_) return;
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
  shown_ = false;
  next_ = {};
}

}  // namespace rondo::cli
