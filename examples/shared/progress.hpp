// One line on the screen that says what is going on, overwritten as it goes.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef EXAMPLE_PROGRESS_HPP
#define EXAMPLE_PROGRESS_HPP

#include <chrono>
#include <string>

namespace example {

enum class ProgressMode { automatic, always, never };

class Progress {
 public:
  // Shows nothing unless this is the speaking rank and, in automatic mode, its output is a terminal.
  Progress(ProgressMode mode, bool speaking_rank);
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;
  ~Progress() { clear(); }

  // Shows the text, unless something was shown less than a tenth of a second ago.
  void update(const std::string &text);
  // Shows the text in any case: for a new stage.
  void stage(const std::string &text);
  // Empties the line, for other output to follow.
  void clear();

  [[nodiscard]] bool shown() const { return shown_; }

 private:
  bool shown_;
  bool line_in_use_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace example

#endif
