#include "cli/tally.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "cli/interruption.hpp"

namespace rondo::internal::cli {

void Tally::add(const Verdict &verdict) {
  const bool right = verdict.kind == Verdict::Kind::right;
  ++(right ? passed_ : failed_);
  if (voice_ == Voice::silent) return;
  if (!right) print(verdict);
  progress_.show(passed_ + failed_, failed_ == 0 ? "" : fmt::format("({} failed)", failed_));
}

// A problem that its algorithm does not serve counts as a failure, too, since nothing was verified.
void Tally::print(const Verdict &verdict) {
  progress_.clear();
  fmt::print("{}: {}\n", verdict.kind == Verdict::Kind::wrong ? "wrong" : "not served", verdict.text);
  std::fflush(stdout);
}

int Tally::finish(bool interrupted) {
  progress_.clear();
  if (voice_ == Voice::prints) {
    if (interrupted) fmt::print("interrupted\n");
    fmt::print("{} passed, {} failed\n", passed_, failed_);
    std::fflush(stdout);
  }
  if (interrupted) return Interruption::exit_status;
  return failed_ == 0 && passed_ > 0 ? 0 : 1;
}

}  // namespace rondo::internal::cli
