#pragma once

// How a rank waits: it spins, first without regard for anything else, then with looks at the MPI library and the clock,
// then yields, then sleeps until its bell rings.

#include <chrono>
#include <optional>

#include "wire/bell.hpp"

namespace rondo::internal {

// How often each, before the next. A rank that has a core spins for about a millisecond: to be woken up costs tens of
// microseconds, on both sides. It does not yield, which gives the core to another program for some milliseconds. Where
// ranks outnumber the cores that they may run on, spinning only keeps the rank that is waited for from running.
struct Patience {
  int spins = 2000;
  int looks = 18000;
  int yields = 0;

  [[nodiscard]] int pauses() const { return spins + looks + yields; }

  // For a node with so many ranks, on so many cores.
  static Patience of(int ranks, int cores);
  // The same for plans that have a progress thread: where that has no core of its own, it may need the one on which a
  // rank waits.
  static Patience with_thread(int ranks, int cores);
  // Of a thread beside each of those ranks, which compute meanwhile: where it has no core of its own, it sleeps at
  // once.
  static Patience beside(int ranks, int cores);
  // That of a wait for several plans: the one which gives its core away first, as its ranks may need that.
  static Patience of_both(const Patience &one, const Patience &other);
};

// One wait. pause() is called each time that what is waited for has not come.
class Waiting {
 public:
  explicit Waiting(const Patience &patience) : patience_(patience) {}

  // Whether there is no time for other things before the next pause.
  [[nodiscard]] bool spinning() const { return pauses_ < patience_.spins; }

  // Spins or yields; false when it is time to sleep instead.
  bool pause();

  // Every so many pauses that are no spins: the moment to look at the clock, or to let MPI make progress.
  [[nodiscard]] bool moment() const { return (pauses_ & 15) == 0 || pauses_ > patience_.pauses(); }

  // Since the first call of this function.
  std::chrono::duration<double> elapsed();
  // As if that had not been called yet.
  void begin_again() { since_.reset(); }

 private:
  Patience patience_;
  int pauses_ = 0;
  std::optional<std::chrono::steady_clock::time_point> since_;
};

}  // namespace rondo::internal
