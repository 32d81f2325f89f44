#pragma once

// What RONDO_REPORT counts: for each kind of call, communicator and place in the program.

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "pmpi/settings/settings.hpp"

namespace rondo::internal::pmpi {

struct Tally {
  Call call;
  const void *site;               // the address that the call returns to
  std::int64_t calls = 0;         // done by Rondo
  std::int64_t plans = 0;         // of them, those for which arguments were read or a plan made
  std::int64_t hits = 0;          // those whose arguments were known
  std::int64_t bytes = 0;         // that this rank has sent
  double seconds = 0;             // in those calls
  std::int64_t native_calls = 0;  // left to the MPI library, before there was a plan
  double native_seconds = 0;
};

// The tallies of one communicator.
class Tallies {
 public:
  // The tally of this kind of call from this place. Null where there is no memory for a new one: a call must not fail
  // because it cannot be counted.
  Tally *of(Call call, const void *site) noexcept;
  [[nodiscard]] const std::vector<Tally> &all() const { return all_; }

 private:
  std::vector<Tally> all_;
};

// Adds the time of its life to a sum, if there is one.
class Timed {
 public:
  explicit Timed(double *sum) : sum_(sum) {
    if (sum_ != nullptr) begin_ = std::chrono::steady_clock::now();
  }
  ~Timed() {
    if (sum_ != nullptr) *sum_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }
  Timed(const Timed &) = delete;
  Timed &operator=(const Timed &) = delete;

 private:
  double *sum_;
  std::chrono::steady_clock::time_point begin_;
};

// Keeps what was counted for a communicator until the report is printed.
void keep_for_report(const std::string &communicator, const Tallies &tallies);

// Prints what all ranks have kept, on standard error of rank 0 of MPI_COMM_WORLD. Collective over that.
void print_report();

}  // namespace rondo::internal::pmpi
