#include "cli/tally.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace rondo::cli {

void Tally::add(const Verdict &verdict) {
  const bool right = verdict.kind == Verdict::Kind::right;
  ++(right ? passed_ : failed_);
  if (voice_ == Voice::silent) return;
  if (!right) print(verdict);
  progress_.show(passed_ + failed_, failed_ == 0 ? "" : fmt::format("({} failed)", failed_));
}

// Asked for and not served is a failure too: nothing was verified.
void Tally::print(const Verdict &verdict) {
  progress_.clear();
  fmt::print("{}: {}\n", verdict.kind == Verdict::Kind::wrong ? "wrong" : "not served", verdict.text);
  std::fflush(stdout);
}

int Tally::finish() {
  progress_.clear();
  if (voice_ == Voice::prints) {
    fmt::print("{} passed, {} failed\n", passed_, failed_);
    std::fflush(stdout);
  }
  return failed_ == 0 && passed_ > 0 ? 0 : 1;
}

}  // namespace rondo::cli
