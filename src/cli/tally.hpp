#pragma once

#include <cstddef>
#include <string>

#include "cli/progress.hpp"
#include "cli/trial.hpp"

namespace rondo::internal::cli {

// Counts verdicts, prints those that are not right as they come, and the count at the end. On MPI every rank
// counts, and one prints.
class Tally {
 public:
  enum class Voice : bool { silent, prints };

  explicit Tally(std::size_t total, Voice voice = Voice::prints) : progress_("verifying", total), voice_(voice) {}

  void add(const Verdict &verdict);

  // Prints `N passed, N failed`, and returns the exit status: 0 when none failed and at least one passed, that of an
  // interruption when there was one before the end.
  int finish(bool interrupted = false);

 private:
  void print(const Verdict &verdict);

  ProgressLine progress_;
  Voice voice_;
  std::size_t passed_ = 0;
  std::size_t failed_ = 0;
};

}  // namespace rondo::internal::cli
