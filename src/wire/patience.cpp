#include "wire/patience.hpp"

#include <sched.h>

namespace rondo::internal {

Patience Patience::of(int ranks, int cores) {
  if (ranks <= cores) return {};
  // Whoever else runs at this moment is one of few: the sooner the others have the core, the sooner all is there. One
  // look more, as a block of a rank on another core may be on its way. Five took 3 to 10 % longer on 3 and 8 ranks of
  // two cores.
  return {.spins = 1, .looks = 0, .yields = 400};
}

Patience Patience::with_thread(int ranks, int cores) {
  const bool only_ranks_have_cores = ranks <= cores && 2 * ranks > cores;
  if (!only_ranks_have_cores) return of(ranks, cores);
  return {.spins = 2000, .looks = 0, .yields = 18000};
}

Patience Patience::beside(int ranks, int cores) {
  if (2 * ranks <= cores) return {};
  return {.spins = 5, .looks = 0, .yields = 0};
}

Patience Patience::of_both(const Patience &one, const Patience &other) {
  return other.spins + other.looks < one.spins + one.looks ? other : one;
}

bool Waiting::pause() {
  if (pauses_ >= patience_.pauses()) {
    pauses_ = patience_.pauses() + 1;
    return false;
  }
  if (pauses_++ < patience_.spins + patience_.looks) {
    relax();
  } else {
    sched_yield();
  }
  return true;
}

std::chrono::duration<double> Waiting::elapsed() {
  const auto now = std::chrono::steady_clock::now();
  if (!since_) since_ = now;
  return now - *since_;
}

}  // namespace rondo::internal
