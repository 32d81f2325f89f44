#include "cli/progress.hpp"

#include <fmt/format.h>

#include <condition_variable>
#include <cstdio>
#include <mutex>

#include "cli/terminal.hpp"

namespace rondo::internal::cli {

ProgressLine::ProgressLine(std::string what, std::size_t total)
    : what_(std::move(what)), total_(total), on_terminal_(errors_reach_a_terminal()) {}

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

ElapsedLine::ElapsedLine(std::string what) : what_(std::move(what)) {
  if (errors_reach_a_terminal()) thread_ = std::jthread([this](const std::stop_token &stop) { count(stop); });
}

void ElapsedLine::count(const std::stop_token &stop) const {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  for (int seconds = 1;; ++seconds) {
    never.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; });
    if (stop.stop_requested()) break;
    fmt::print(stderr, "\r{}, {} s\x1b[K", what_, seconds);
    std::fflush(stderr);
  }
  fmt::print(stderr, "\r\x1b[K");
  std::fflush(stderr);
}

}  // namespace rondo::internal::cli
