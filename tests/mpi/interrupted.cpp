// A program with a timer, as profilers have one: its signals come during inits and exchanges, and interrupt system
// calls, as the handler is set without SA_RESTART.

#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "tests/mpi/comparison.hpp"

namespace {

thread_local volatile std::sig_atomic_t signals = 0;

void count_signal(int) {
  signals = signals + 1;
}

}  // namespace

// As older kernels: a signal makes them give back all that they have taken so far.
#pragma GCC visibility push(default)
extern "C" int posix_fallocate(int file, off_t begin, off_t bytes) {
  const std::sig_atomic_t before = signals;
  const int fault = syscall(SYS_fallocate, file, 0, begin, bytes) == 0 ? 0 : errno;
  if (signals == before) return fault;
  return ftruncate(file, 0) == 0 ? EINTR : errno;
}
#pragma GCC visibility pop

namespace rondo {
namespace {

// A signal every so many microseconds for as long as it lives.
class Timer {
 public:
  explicit Timer(int microseconds) {
    struct sigaction counted{};
    counted.sa_handler = count_signal;
    sigaction(SIGALRM, &counted, &before_);
    signals = 0;
    const itimerval often{{0, microseconds}, {0, microseconds}};
    setitimer(ITIMER_REAL, &often, nullptr);
  }
  ~Timer() {
    const itimerval never{};
    setitimer(ITIMER_REAL, &never, nullptr);
    sigaction(SIGALRM, &before_, nullptr);
  }
  Timer(const Timer &) = delete;
  Timer &operator=(const Timer &) = delete;

 private:
  struct sigaction before_{};
};

class InterruptedBy : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(, InterruptedBy,
                         testing::ValuesIn(std::vector<Way>{
                             {"tuna", "shared"}, {"spread_out", "shared"}, {"tuna", "packed"}}),
                         way_name);

// Each plan is larger than those before, so that it needs memory of its own to share.
TEST_P(InterruptedBy, InitsPlanAndExchangesMoveWhatTheyShould) {
  const Timer timer(200);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);  // the first init on it finds out whether memory can be shared
  std::vector<Request> plans;
  for (int size = 1; size <= 8; ++size) {
    const int count = 40000 * size;
    const ArgumentSide side = place(std::vector<int>(static_cast<std::size_t>(world_ranks()), count), {}, MPI_INT);
    Comparison comparison(side, side, comm);

    plans.push_back(comparison.plan(by(GetParam())));

    if (world_ranks() > 1) {
      EXPECT_STREQ(plans.back().report().wire, GetParam().wire);
    }
    comparison.expect_restarts(plans.back(), 2);
  }
  EXPECT_GT(signals, 0);
  MPI_Comm_free(&comm);
}

}  // namespace
}  // namespace rondo
