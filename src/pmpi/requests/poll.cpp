#include "pmpi/requests/poll.hpp"

#include <ctime>

#include "plan/progress.hpp"

namespace rondo::internal::pmpi {

namespace {

// What this rank waits for may come from anywhere, and no bell tells of it: so it sleeps briefly and looks again.
constexpr timespec nap{0, 20'000};

// Each look at MPI takes about as long as ten spins of a plan's own wait.
constexpr Patience patience{.spins = 200, .looks = 0, .yields = 200};

}  // namespace

Poll::Poll() : waiting_(patience) {}

void Poll::pause() {
  drive_running();
  if (!waiting_.pause()) nanosleep(&nap, nullptr);
}

}  // namespace rondo::internal::pmpi
