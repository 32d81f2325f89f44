#include "cli/work.hpp"

#include <sys/prctl.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace rondo::internal::cli {

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

}  // namespace

Work::Work(Kind kind) : kind_(kind) {
  prctl(PR_SET_TIMERSLACK, 1000UL);  // nanoseconds: sleeping is to take no longer than it says
  constexpr std::int64_t rounds = 100'000;
  constexpr int times = 20;  // of which the fastest was not disturbed
  for (int i = 0; i < times; ++i) {
    const Clock::time_point begin = Clock::now();
    compute(rounds);
    const double seconds = Seconds(Clock::now() - begin).count();
    rounds_per_second_ = std::max(rounds_per_second_, rounds / seconds);
  }
}

void Work::run(double seconds) {
  switch (kind_) {
    case Kind::computes: return compute(static_cast<std::int64_t>(seconds * rounds_per_second_));
    case Kind::sleeps: return std::this_thread::sleep_for(Seconds(seconds));
  }
}

// Computes in registers only, so that it competes with the exchange for the core and not for memory. Each round needs
// the result of the one before, so that rounds do not run at the same time.
void Work::compute(std::int64_t rounds) {
  double value = value_;
  for (std::int64_t i = 0; i < rounds; ++i) value = value * 0.999999 + 1e-6;
  *const_cast<volatile double *>(&value_) = value;
}

}  // namespace rondo::internal::cli
