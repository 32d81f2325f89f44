// What the datatypes of one exchange cost to make and to free: what a call that is not persistent pays each time
// (Träff 2014, section 3.4 and figures 6 and 7). For all messages of one rank, in one process.

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>

#include "plans/algorithm.hpp"
#include "schedule/lower.hpp"
#include "wire/pieces.hpp"

namespace {

using rondo::internal::Exchange;
using rondo::internal::Schedule;
using rondo::internal::Space;

// Blocks of `bytes`, or where irregular of 1 to `bytes`.
Schedule schedule_of(const char *name, int ranks, std::int64_t bytes, bool irregular) {
  const rondo::internal::Algorithm &algorithm = *rondo::internal::find_algorithm(name);
  const int rank = ranks / 3;
  const auto size = [&](int source, int destination) {
    return irregular ? 1 + (7 * source + 5 * destination) % bytes : bytes;
  };
  Exchange exchange{.rank = rank, .send = {}, .receive = {}};
  for (int peer = 0; peer < ranks; ++peer) {
    exchange.send.push_back({peer * bytes, size(rank, peer)});
    exchange.receive.push_back({peer * bytes, size(peer, rank)});
  }
  const auto route =
      algorithm.route(rank, {.ranks = ranks, .node_of = {}}, rondo::internal::effective(algorithm, {}, ranks));
  const rondo::internal::ForwardingTable forwarding = rondo::internal::forwarding_table_of(route);
  rondo::internal::Sizes sizes = rondo::internal::known_sizes(route, exchange);
  const auto fill = [&](std::span<const rondo::internal::Block> blocks, std::vector<std::int64_t> &to) {
    std::transform(blocks.begin(), blocks.end(), to.begin(),
                   [&](const rondo::internal::Block &block) { return size(block.source, block.part); });
  };
  fill(route.sends.blocks(), sizes.sent);
  fill(route.receives.blocks(), sizes.received);
  return rondo::internal::lower(algorithm.layout,
                                {route, forwarding, sizes, exchange, bytes, {}, rondo::internal::Wire::datatype});
}

void make_and_free(benchmark::State &state, const char *name, int ranks, std::int64_t bytes, bool irregular,
                   rondo::internal::Entries::Form form) {
  const Schedule schedule = schedule_of(name, ranks, bytes, irregular);
  // Types are made of addresses; nothing is read.
  std::vector<std::byte> memory(static_cast<std::size_t>(3 * ranks * bytes + schedule.scratch_bytes));
  const auto address = [&](const rondo::internal::Slice &slice) {
    const std::int64_t base = slice.space == Space::send ? 0 : (slice.space == Space::receive ? 1 : 2) * ranks * bytes;
    return memory.data() + base + slice.offset;
  };
  std::size_t made = 0;
  for ([[maybe_unused]] auto _ : state) {
    std::vector<MPI_Datatype> types;
    for (const auto *transfers : {&schedule.sends, &schedule.receives}) {
      for (const rondo::internal::Transfer &transfer : *transfers) {
        if (transfer.staged()) continue;
        std::vector<rondo::internal::TypedPiece> pieces;
        for (const rondo::internal::Slice &slice : schedule.slices_of(transfer)) {
          pieces.push_back({address(slice), slice.length, MPI_BYTE});
        }
        rondo::internal::describe(pieces, types, {form, bytes});
      }
    }
    made = types.size();
    for (MPI_Datatype &type : types) MPI_Type_free(&type);
  }
  state.counters["types"] = static_cast<double>(made);
}

void add(const char *algorithm, int ranks, bool irregular) {
  using Form = rondo::internal::Entries::Form;
  const std::pair<const char *, Form> forms[] = {{"", Form::fewest}, {"/ix", Form::runs}, {"/blocks", Form::blocks}};
  for (const std::int64_t bytes : {4, 64}) {
    for (const auto &[suffix, form] : forms) {
      if (irregular && form == Form::blocks) continue;
      benchmark::RegisterBenchmark(
          fmt::format("{}/p={}/{}{}_bytes{}", algorithm, ranks, irregular ? "1_to_" : "", bytes, suffix).c_str(),
          [=, form = form](benchmark::State &state) { make_and_free(state, algorithm, ranks, bytes, irregular, form); })
          ->Unit(benchmark::kMicrosecond);
    }
  }
}

}  // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  benchmark::Initialize(&argc, argv);
  for (const int ranks : {8, 36, 80}) {
    add("basic_bruck", ranks, false);
    add("zero_copy_bruck", ranks, false);
    add("modified_bruck", ranks, false);
    add("tuna", ranks, true);
  }
  benchmark::RunSpecifiedBenchmarks();
  MPI_Finalize();
  return 0;
}
