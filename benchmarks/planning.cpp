// What it costs one rank of 16,384 to plan: time, and memory beside the number of blocks that the rank moves.
//
// `route` builds the route; `plan` goes the whole way from the route to the schedule, for blocks of 8 bytes. The
// sizes of the blocks that pass through are filled in: learning them needs the other ranks.

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "benchmarks/heap.hpp"
#include "plans/algorithm.hpp"
#include "schedule/lower.hpp"

namespace {

using rondo::internal::Algorithm;
using rondo::internal::Exchange;
using rondo::internal::Parameters;
using rondo::internal::Route;

constexpr int ranks = 16'384;
constexpr int rank = ranks / 3;  // no special place in the ring
constexpr std::int64_t block_bytes = 8;
constexpr double most_bytes_per_move = 512;

Exchange constant_exchange() {
  Exchange exchange;
  exchange.rank = rank;
  for (int peer = 0; peer < ranks; ++peer) exchange.send.push_back({peer * block_bytes, block_bytes});
  exchange.receive = exchange.send;
  return exchange;
}

Route build_route(const Algorithm &algorithm, const Parameters &parameters) {
  return algorithm.route(rank, {.ranks = ranks, .node_of = {}}, parameters);
}

rondo::internal::Schedule build_schedule(const Algorithm &algorithm, const Route &route, const Exchange &exchange) {
  const rondo::internal::ForwardingTable forwarding = rondo::internal::forwarding_table_of(route);
  rondo::internal::Sizes sizes = rondo::internal::known_sizes(route, exchange);
  std::fill(sizes.sent.begin(), sizes.sent.end(), block_bytes);
  std::fill(sizes.received.begin(), sizes.received.end(), block_bytes);
  return rondo::internal::lower(algorithm.layout, {route, forwarding, sizes, exchange, block_bytes});
}

// The heap at the best: what stays of one round of work, and what it took at once.
void count_memory(benchmark::State &state, std::int64_t moves, std::int64_t kept, std::int64_t peak) {
  const auto per_move = [&](std::int64_t bytes) { return static_cast<double>(bytes) / static_cast<double>(moves); };
  state.counters["block_moves"] = static_cast<double>(moves);
  state.counters["kept_B_per_move"] = per_move(kept);
  state.counters["peak_B_per_move"] = per_move(peak);
  if (per_move(peak) > most_bytes_per_move) state.SkipWithError("memory is out of proportion to block moves");
}

void route(benchmark::State &state, const Algorithm &algorithm, const Parameters &parameters) {
  const std::int64_t before = heap::live();
  heap::forget_peak();
  std::int64_t kept = 0;
  for ([[maybe_unused]] auto turn : state) {
    const Route built = build_route(algorithm, parameters);
    benchmark::DoNotOptimize(built.sends.blocks().data());
    kept = heap::live() - before;
  }
  const std::int64_t moves = algorithm.outline({.ranks = ranks, .node_of = {}}, parameters).block_moves;
  count_memory(state, moves, kept, heap::peak() - before);
}

void plan(benchmark::State &state, const Algorithm &algorithm, const Parameters &parameters) {
  const Exchange exchange = constant_exchange();
  const std::int64_t before = heap::live();
  heap::forget_peak();
  std::int64_t kept = 0;
  std::int64_t moves = 0;
  for ([[maybe_unused]] auto turn : state) {
    const rondo::internal::Schedule schedule = build_schedule(algorithm, build_route(algorithm, parameters), exchange);
    kept = heap::live() - before;
    moves = schedule.block_moves;
  }
  count_memory(state, moves, kept, heap::peak() - before);
}

void add(std::string_view name, int radix) {
  const Algorithm &algorithm = *rondo::internal::find_algorithm(name);
  const Parameters parameters = rondo::internal::effective(algorithm, {.radix = radix}, ranks);
  const std::string suffix = radix > 0 ? fmt::format("{}/radix:{}", name, radix) : std::string(name);
  benchmark::RegisterBenchmark(("route/" + suffix).c_str(), route, algorithm, parameters)
      ->Unit(benchmark::kMillisecond);
  benchmark::RegisterBenchmark(("plan/" + suffix).c_str(), plan, algorithm, parameters)->Unit(benchmark::kMillisecond);
}

}  // namespace

int main(int argc, char **argv) {
  for (const int radix : {2, 16, 128, ranks}) add("tuna", radix);
  for (const char *name : {"spread_out", "two_phase_bruck"}) add(name, 0);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
