#include "pmpi/calls/ending.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <utility>

#include "pmpi/calls/communicator.hpp"
#include "pmpi/pass/next_definition.hpp"

namespace rondo::internal::pmpi {

namespace {

// Few: a list of those that end each other, the last first.
constinit std::mutex mutex;
constinit Ending *last_ending = nullptr;
constinit std::atomic<int> endings{0};
// Of the innermost call of this thread's that frees a communicator.
constinit thread_local const Ending *freed_here [[gnu::tls_model("initial-exec")]] = nullptr;

void add(Ending &ending) {
  ending.before = std::exchange(last_ending, &ending);
  endings.fetch_add(1);
}

// Takes one out of the list, which `link` leads to.
Ending *take(Ending **link) {
  endings.fetch_sub(1);
  return std::exchange(*link, (*link)->before);
}

}  // namespace

bool is_ending(MPI_Comm comm) {
  if (endings.load() == 0) return false;
  const std::lock_guard lock(mutex);
  const Ending *ending = last_ending;
  while (ending != nullptr && ending->comm != comm) ending = ending->before;
  return ending != nullptr;
}

bool is_freed_here(MPI_Comm comm) {
  return freed_here != nullptr && freed_here->comm == comm;
}

void keep_end(MPI_Comm comm, std::unique_ptr<Ending> ending) {
  const std::lock_guard lock(mutex);
  *ending = {.comm = comm, .depth = calls_beneath, .thread = &calls_beneath};
  add(*ending.release());
  ended_in = calls_beneath;
}

void forget_ended() {
  const std::lock_guard lock(mutex);
  ended_in = 0;
  for (Ending **link = &last_ending; *link != nullptr;) {
    const bool is_own = (*link)->thread == &calls_beneath;
    if (is_own && (*link)->depth > calls_beneath) {
      delete take(link);
      continue;
    }
    if (is_own) ended_in = std::max(ended_in, (*link)->depth);
    link = &(*link)->before;
  }
}

void note_made(int code, const MPI_Comm *made) {
  if (code != MPI_SUCCESS || made == nullptr || *made == MPI_COMM_NULL || endings.load() == 0) return;
  const std::lock_guard lock(mutex);
  for (Ending *ending = last_ending; ending != nullptr; ending = ending->before) {
    if (ending->comm == *made) ending->comm = MPI_COMM_NULL;
  }
}

Freeing::Freeing(MPI_Comm comm) : ending_{.comm = comm}, around_(std::exchange(freed_here, &ending_)) {
  const std::lock_guard lock(mutex);
  add(ending_);
  if (Communicator *const kept = Communicators::find(comm)) kept->set_freed(true);
  dropped_communicators.fetch_add(1);  // what threads have looked up is to be looked up anew
}

int Freeing::give(int code) {
  if (code == MPI_SUCCESS) return code;
  const std::lock_guard lock(mutex);
  if (Communicator *const kept = Communicators::find(ending_.comm)) kept->set_freed(false);
  return code;
}

Freeing::~Freeing() {
  freed_here = around_;
  const std::lock_guard lock(mutex);
  Ending **link = &last_ending;
  while (*link != &ending_) link = &(*link)->before;
  take(link);
}

}  // namespace rondo::internal::pmpi
