#pragma once

// How a rank waits: it spins, first without regard for anything else, then with looks at the MPI library and the clock,
// then yields, then sleeps until its bell rings.

#include <algorithm>
#include <chrono>
#include <optional>

#include "wire/bell.hpp"
#include "wire/looks.hpp"

namespace rondo::internal {

// How many times a waiting rank spins, spins with looks, and yields, before it goes on to the next. A rank that has a
// core of its own spins for about a millisecond, since waking it up would cost tens of microseconds on both sides. It
// does not yield, as that gives the core to another program for some milliseconds. Where ranks outnumber the cores that
// they may run on, a rank that spins only keeps from running the rank for which it waits.
struct Patience {
  int spins = 2000;
  int looks = 18000;
  int yields = 0;

  [[nodiscard]] int pauses() const { return spins + looks + yields; }

  // For a node with so many ranks, on so many cores.
  static Patience of(int ranks, int cores);
  // The same for plans that have a progress thread. A thread without a core of its own may need the core on which a
  // rank waits.
  static Patience with_thread(int ranks, int cores);
  // How the progress thread of each of those ranks waits while the rank computes. A thread without a core of its own
  // sleeps at once.
  static Patience beside(int ranks, int cores);
  // How to wait for two plans at once: as for the one whose wait gives its core away sooner, as that plan's ranks may
  // need the core.
  static Patience of_both(const Patience &one, const Patience &other);
};

// One wait. Whoever waits calls pause() after each look that was in vain.
class Waiting {
 public:
  explicit Waiting(const Patience &patience) : patience_(patience) {}

  // Whether there is no time for other things before the next pause.
  [[nodiscard]] bool spinning() const { return pauses_ < patience_.spins; }

  // Spins or yields; false when it is time to sleep instead.
  bool pause();
  // How often there is time to look for one thing alone before the next pause: for one to three microseconds on x86.
  // What has been used of that counts as pauses.
  [[nodiscard]] Looks looks() const { return Looks(std::clamp(patience_.spins - 1 - pauses_, 0, most_looks)); }
  void count(const Looks &used) { pauses_ += used.pauses(); }

  // True at every 16th pause, and at every one that is a sleep: the moment to look at the clock, or to let MPI make
  // progress.
  [[nodiscard]] bool moment() const { return (pauses_ & 15) == 0 || pauses_ > patience_.pauses(); }

  // The time since the first call of this function.
  std::chrono::duration<double> elapsed();
  // Makes the next call of elapsed() count as the first.
  void begin_again() { since_.reset(); }

 private:
  static constexpr int most_looks = 64;

  Patience patience_;
  int pauses_ = 0;
  std::optional<std::chrono::steady_clock::time_point> since_;
};

}  // namespace rondo::internal
