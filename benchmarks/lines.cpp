// What it costs when a cache line stays in two caches: two threads exchange blocks as the shared wire does, and copy
// them out of shared memory with or without taking the lines of the source (wire/copy.hpp); or they take turns with
// their inboxes (trays, wire/shared_steps.hpp). The exchange of 8 bytes tells how near the two cores are to each other.

#include <benchmark/benchmark.h>
#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <thread>

#include "wire/copy.hpp"

namespace {

constexpr std::int64_t most_bytes = 1 << 20;

struct alignas(rondo::internal::cache_line) Flag {
  std::atomic<std::uint64_t> start{0};
};

// One thread's end: the other writes to its inboxes, for odd and even starts. They begin with a page, as in a plan.
struct Rank {
  Flag flags[2];
  alignas(4096) std::byte inboxes[2][most_bytes];
  alignas(4096) std::byte sent[most_bytes];
  alignas(4096) std::byte received[most_bytes];
  std::uint64_t starts = 0;
};

Rank ranks[2];

cpu_set_t allowed_cores() {
  cpu_set_t cores;
  CPU_ZERO(&cores);
  sched_getaffinity(0, sizeof(cores), &cores);
  return cores;
}

// So that the two do not share a core; without effect where there is only one.
void stay_on_core(int index) {
  static const cpu_set_t allowed = allowed_cores();  // before any thread has been bound, and hands that on
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &allowed) == 0 || index-- > 0) continue;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    pthread_setaffinity_np(pthread_self(), sizeof(one), &one);
    return;
  }
}

void wait_for(const Flag &flag, std::uint64_t start) {
  for (int spins = 0; flag.start.load(std::memory_order_acquire) < start; ++spins) {
    if (spins > 10'000) std::this_thread::yield();
  }
}

// Where a block lies from one rank to another in a start.
using Inbox = std::byte *(*)(Rank &from, Rank &to, std::uint64_t start);

std::byte *in_banks(Rank &, Rank &to, std::uint64_t start) {
  return to.inboxes[start % 2];
}
std::byte *in_trays(Rank &from, Rank &to, std::uint64_t start) {
  return start % 2 == 0 ? to.inboxes[0] : from.inboxes[0];
}

template <class CopyOut>
void exchange(Rank &mine, Rank &peer, std::size_t bytes, Inbox inbox, CopyOut &&copy_out) {
  const std::uint64_t start = ++mine.starts;
  for (std::size_t line = 0; line < bytes; line += 64) mine.sent[line] = static_cast<std::byte>(start);
  rondo::internal::copy_bytes(inbox(mine, peer, start), mine.sent, bytes);
  peer.flags[start % 2].start.store(start, std::memory_order_release);
  wait_for(mine.flags[start % 2], start);
  copy_out(mine.received, inbox(peer, mine, start), bytes);
}

template <class CopyOut>
void exchange_all(benchmark::State &state, Inbox inbox, CopyOut &&copy_out) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  const std::jthread peer([&] {
    stay_on_core(1);
    for (auto left = state.max_iterations; left > 0; --left) exchange(ranks[1], ranks[0], bytes, inbox, copy_out);
  });
  stay_on_core(0);
  for ([[maybe_unused]] auto _ : state) exchange(ranks[0], ranks[1], bytes, inbox, copy_out);
}

void leaving_lines(benchmark::State &state) {
  exchange_all(state, in_banks, rondo::internal::copy_bytes);
}

void taking_lines(benchmark::State &state) {
  exchange_all(state, in_banks, rondo::internal::copy_and_take);
}

void trays(benchmark::State &state) {
  exchange_all(state, in_trays, rondo::internal::copy_and_take);
}

}  // namespace

BENCHMARK(leaving_lines)->Arg(8)->Arg(512)->RangeMultiplier(4)->Range(1024, most_bytes)->UseRealTime();
BENCHMARK(taking_lines)->Arg(8)->Arg(512)->RangeMultiplier(4)->Range(1024, most_bytes)->UseRealTime();
BENCHMARK(trays)->Arg(8)->Arg(512)->RangeMultiplier(4)->Range(1024, most_bytes)->UseRealTime();

BENCHMARK_MAIN();
