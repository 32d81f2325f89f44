#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>

namespace rondo::random_programs {

// What a thread of the program is doing, for the watchdog to print: a signal handler reads it.
class Doing {
 public:
  // The acts that are begun and not ended are the runner's to list.
  void now(const std::string &text);
  void open(const std::string &acts);
  [[nodiscard]] const char *now() const { return now_.data(); }
  [[nodiscard]] const char *open() const { return open_.data(); }

 private:
  std::array<char, 512> now_{};
  std::array<char, 4096> open_{};
};

// Of thread 0, 1, ...
Doing &doing_of(int thread);

// From now on the program ends, with what each of its threads is doing on standard error, unless it is called again
// within so many seconds. 0 ends the watch.
void watch(int rank, std::uint64_t seed, unsigned seconds);

// Ends the program after a fault of this rank's.
[[noreturn]] void give_up(const std::string &why);

}  // namespace rondo::random_programs
