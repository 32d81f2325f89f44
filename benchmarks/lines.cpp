// What it costs when a cache line stays in two caches: two threads exchange blocks as the shared wire does, and copy
// them out of shared memory with or without taking the lines of the source (wire/copy.hpp). The exchange of 8 bytes
// tells how near the two cores are to each other.

#include <benchmark/benchmark.h>
#include <pthread.h>
#include <sched.h>

#include <atomic>
#include <thread>
#include <vector>

#include "wire/copy.hpp"

namespace {

constexpr std::int64_t most_bytes = 1 << 20;

struct alignas(64) Flag {
  std::atomic<std::uint64_t> start{0};
};

// One thread's end: others write to its rooms, for odd and even starts.
struct Rank {
  Flag flags[2];
  std::vector<std::byte> rooms[2] = {std::vector<std::byte>(most_bytes), std::vector<std::byte>(most_bytes)};
  std::vector<std::byte> sent = std::vector<std::byte>(most_bytes);
  std::vector<std::byte> received = std::vector<std::byte>(most_bytes);
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

template <class CopyOut>
void exchange(benchmark::State &state, CopyOut &&copy_out) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  Rank &mine = ranks[state.thread_index()];
  Rank &peer = ranks[1 - state.thread_index()];
  stay_on_core(state.thread_index());
  for ([[maybe_unused]] auto _ : state) {
    const std::uint64_t start = ++mine.starts;
    const std::size_t half = start % 2;
    for (std::size_t line = 0; line < bytes; line += 64) mine.sent[line] = static_cast<std::byte>(start);
    rondo::copy_bytes(peer.rooms[half].data(), mine.sent.data(), bytes);
    peer.flags[half].start.store(start, std::memory_order_release);
    wait_for(mine.flags[half], start);
    copy_out(mine.received.data(), mine.rooms[half].data(), bytes);
  }
}

void leaving_lines(benchmark::State &state) {
  exchange(state, rondo::copy_bytes);
}

void taking_lines(benchmark::State &state) {
  exchange(state, rondo::copy_and_take);
}

}  // namespace

BENCHMARK(leaving_lines)->Arg(8)->RangeMultiplier(4)->Range(1024, most_bytes)->Threads(2)->UseRealTime();
BENCHMARK(taking_lines)->Arg(8)->RangeMultiplier(4)->Range(1024, most_bytes)->Threads(2)->UseRealTime();

BENCHMARK_MAIN();
