#pragma once

#include <cstdint>

namespace rondo::internal::cli {

// What a program does between the start of an exchange and its wait, as far as time is concerned: so much computing,
// however long that takes beside others, or so long asleep, as when it waits for a file or an accelerator.
class Work {
 public:
  enum class Kind : std::uint8_t { computes, sleeps };

  // Finds out how fast this core computes; not while others use it.
  explicit Work(Kind kind);

  // What an undisturbed core does in this time.
  void run(double seconds);

 private:
  void compute(std::int64_t rounds);

  Kind kind_;
  double rounds_per_second_ = 0;
  double value_ = 1;  // so that nothing is left out
};

}  // namespace rondo::internal::cli
