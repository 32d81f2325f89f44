#pragma once

#include <chrono>
#include <cstddef>
#include <stop_token>
#include <string>
#include <thread>

namespace rondo::internal::cli {

// A line on the terminal that says how far long work has come. Silent where no terminal shows standard error. Not for
// several threads at once.
class ProgressLine {
 public:
  ProgressLine(std::string what, std::size_t total);
  ~ProgressLine();
  ProgressLine(const ProgressLine &) = delete;
  ProgressLine &operator=(const ProgressLine &) = delete;

  void show(std::size_t done, const std::string &detail = {});

  // Wipes the line, so that something else can be printed; the next show() brings it back.
  void clear();

 private:
  std::string what_;
  std::size_t total_;
  bool on_terminal_;
  bool shown_ = false;
  std::chrono::steady_clock::time_point next_{};
};

// A line on the terminal that counts seconds, from the first on, for work that cannot say how far it has come.
class ElapsedLine {
 public:
  explicit ElapsedLine(std::string what);

 private:
  void count(const std::stop_token &stop) const;

  std::string what_;
  std::jthread thread_;
};

}  // namespace rondo::internal::cli
