#include "cli/interruption.hpp"

#include <atomic>
#include <csignal>
#include <ctime>
#include <initializer_list>

namespace rondo::internal::cli {

namespace {

// When the first signal came, in nanoseconds; 0: none has. A launcher may pass on the one that the terminal has sent to
// all of its ranks already.
std::atomic<long long> first{0};
constexpr long long a_while = 500'000'000;

void take_note(int signal) {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  const long long time = now.tv_sec * 1'000'000'000LL + now.tv_nsec;
  long long none = 0;
  if (first.compare_exchange_strong(none, time) || time - first < a_while) return;
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void on_both(void (*handler)(int)) {
  for (const int signal : {SIGINT, SIGTERM}) {
    if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);  // as in the background of a script
  }
}

}  // namespace

Interruption::Interruption() {
  first = 0;
  on_both(take_note);
}

Interruption::~Interruption() {
  on_both(SIG_DFL);
}

bool Interruption::asked_for() {
  return first != 0;
}

}  // namespace rondo::internal::cli
