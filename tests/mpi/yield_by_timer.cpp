// Makes waiting ranks give up their core. MPICH polls without ever yielding, so with more ranks than cores each
// message waits for a time slice of the scheduler; a timer that yields instead makes the tests up to 20 times
// faster. It is linked into the test programs, and preloaded into `rondo verify --mpi`.
//
// The signals also end sleeps early, which could hide a lost wake-up. Open MPI yields by itself and is tested
// without the timer.

#include <sched.h>

#include <csignal>
#include <ctime>

namespace {

constexpr long period_nanoseconds = 100'000;

[[gnu::constructor]] void yield_by_timer() {
  struct sigaction action{};
  action.sa_handler = [](int) { sched_yield(); };
  action.sa_flags = SA_RESTART;
  sigaction(SIGRTMIN, &action, nullptr);

  struct sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGRTMIN;
  timer_t timer{};
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return;
  const itimerspec period{{0, period_nanoseconds}, {0, period_nanoseconds}};
  timer_settime(timer, 0, &period, nullptr);
}

}  // namespace
