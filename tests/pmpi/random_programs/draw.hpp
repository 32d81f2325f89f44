#pragma once

#include <cstdint>

namespace rondo::random_programs {

// Numbers that a seed gives, on every machine the same.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t mixed = (state_ += 0x9E3779B97F4A7C15U);
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBU;
    return mixed ^ (mixed >> 31);
  }
  int below(int limit) { return static_cast<int>(next() % static_cast<std::uint64_t>(limit)); }
  bool one_in(int count) { return below(count) == 0; }
  template <class Choices>
  auto of(const Choices &choices) {
    return choices[static_cast<std::size_t>(below(static_cast<int>(std::size(choices))))];
  }

 private:
  std::uint64_t state_;
};

// A number that depends on all of these, the same on all ranks.
template <class... Numbers>
std::uint64_t mixed(Numbers... numbers) {
  std::uint64_t state = 0;
  ((state = Draw(state ^ static_cast<std::uint64_t>(numbers)).next()), ...);
  return state;
}

}  // namespace rondo::random_programs
