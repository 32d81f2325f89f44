#include "tests/mpi/random_programs/watchdog.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace rondo::random_programs {

namespace {

constexpr int most_threads = 16;
constexpr std::size_t most_text = 512;

std::array<std::array<char, most_text>, most_threads> doing;
std::atomic<int> threads{0};
std::array<char, 64> rank_text;

void write_out(const char *text) {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, text, std::strlen(text));
}

// What a signal handler may do, and no more.
void end_overdue(int) {
  for (int thread = 0; thread < threads.load(); ++thread) {
    write_out(rank_text.data());
    write_out(doing[static_cast<std::size_t>(thread)].data());
    write_out("\n");
  }
  sleep(2);  // until the other ranks have said theirs
  _exit(EXIT_FAILURE);
}

}  // namespace

void now(const std::string &what) {
  thread_local const int own = threads.fetch_add(1);
  std::array<char, most_text> &text = doing[static_cast<std::size_t>(own % most_threads)];
  std::strncpy(text.data(), what.c_str(), most_text - 1);
}

void watch(unsigned seconds) {
  alarm(seconds);
}

void watch_rank(int rank) {
  std::snprintf(rank_text.data(), rank_text.size(), "not ended in time: rank %d: ", rank);
  std::signal(SIGALRM, end_overdue);
}

}  // namespace rondo::random_programs
