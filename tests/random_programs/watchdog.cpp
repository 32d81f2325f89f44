#include "tests/random_programs/watchdog.hpp"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace rondo::random_programs {

namespace {

constexpr int most_threads = 8;
std::array<Doing, most_threads> doings;
std::atomic<int> own_rank{0};
std::atomic<std::uint64_t> watched_seed{0};
std::atomic<unsigned> allowed{0};

void copy_text(const std::string &text, char *to, std::size_t size) {
  const std::size_t length = std::min(text.size(), size - 1);
  to[length] = 0;
  std::copy_n(text.begin(), length, to);
}

void print_all() {
  for (int thread = 0; thread < most_threads; ++thread) {
    const Doing &doing = doings[static_cast<std::size_t>(thread)];
    if (doing.now()[0] == 0) continue;
    dprintf(STDERR_FILENO, "rank %d, thread %d: %s\n%s", own_rank.load(), thread, doing.now(), doing.open());
  }
}

// Launchers end all ranks when one ends: the others need time to print what they are doing.
extern "C" void rondo_watchdog(int) {
  dprintf(STDERR_FILENO, "rank %d: program %llu has not ended after %u seconds\n", own_rank.load(),
          static_cast<unsigned long long>(watched_seed.load()), allowed.load());
  print_all();
  sleep(2);
  _exit(3);
}

}  // namespace

void Doing::now(const std::string &text) {
  copy_text(text, now_.data(), now_.size());
}

void Doing::open(const std::string &acts) {
  copy_text(acts, open_.data(), open_.size());
}

Doing &doing_of(int thread) {
  return doings.at(static_cast<std::size_t>(thread));
}

void watch(int rank, std::uint64_t seed, unsigned seconds) {
  own_rank = rank;
  watched_seed = seed;
  allowed = seconds;
  signal(SIGALRM, rondo_watchdog);
  alarm(seconds);
}

void give_up(const std::string &why) {
  dprintf(STDERR_FILENO, "rank %d: program %llu: %s\n", own_rank.load(),
          static_cast<unsigned long long>(watched_seed.load()), why.c_str());
  print_all();
  sleep(1);
  _exit(4);
}

}  // namespace rondo::random_programs
