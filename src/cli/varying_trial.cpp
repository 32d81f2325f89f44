#include "cli/varying_trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "cli/hash.hpp"
#include "cli/payload.hpp"
#include "route/nodes.hpp"
#include "varying/run.hpp"

namespace rondo::internal::cli {

namespace {

std::int64_t end_of(const std::vector<Extent> &extents) {
  std::int64_t end = 0;
  for (const Extent &extent : extents) end = std::max(end, extent.end());
  return end;
}

}  // namespace

StartMemory::StartMemory(const Problem &problem, int rank, int start)
    : start_(start),
      exchange_(exchange_of(problem.in_start(start), BlockSizes(problem.in_start(start)), rank)),
      send_(static_cast<std::size_t>(end_of(exchange_.send))) {
  for (int peer = 0; peer < exchange_.ranks(); ++peer) {
    const Extent &extent = exchange_.send[static_cast<std::size_t>(peer)];
    fill_payload(
        std::span(send_).subspan(static_cast<std::size_t>(extent.offset), static_cast<std::size_t>(extent.length)),
        {rank, peer}, start);
  }
  sent_ = send_;
}

std::vector<BlockData> StartMemory::blocks() const {
  std::vector<BlockData> blocks;
  for (const Extent &extent : exchange_.send) blocks.push_back({send_.data() + extent.offset, extent.length});
  return blocks;
}

std::string StartMemory::fault(const std::byte *data, std::span<const std::int64_t> bytes,
                               std::span<const std::int64_t> offsets) const {
  std::vector<std::byte> expected;
  std::int64_t offset = 0;
  for (int source = 0; source < exchange_.ranks(); ++source) {
    const auto s = static_cast<std::size_t>(source);
    const std::int64_t length = exchange_.receive[s].length;
    const auto where = [&] {
      return fmt::format("start {}, rank {}: the block from rank {}", start_ + 1, exchange_.rank, source);
    };
    if (bytes[s] != length) return fmt::format("{} has {} bytes, not {}", where(), bytes[s], length);
    if (offsets[s] != offset) return fmt::format("{} lies at {}, not {}", where(), offsets[s], offset);
    expected.resize(static_cast<std::size_t>(length));
    fill_payload(expected, {source, exchange_.rank}, start_);
    const std::span<const std::byte> block(data + offset, expected.size());
    const auto wrong = std::mismatch(block.begin(), block.end(), expected.begin()).first;
    if (wrong != block.end()) return fmt::format("{} is wrong at byte {}", where(), wrong - block.begin());
    offset += length;
  }
  if (send_ != sent_) return fmt::format("start {}, rank {}: the send space was written", start_ + 1, exchange_.rank);
  return {};
}

std::string varying_fault(const Problem &problem, const Selection &selection, int starts) {
  const Topology topology = topology_of(problem);
  const std::int64_t link_bytes = SlotPlaces::least_bytes << (hash(problem.seed, 0) % 7);
  const std::int64_t least_read =
      hash(problem.seed, 1) % 2 == 0 ? link_bytes / 2 : std::numeric_limits<std::int64_t>::max();
  std::vector<std::vector<StartMemory>> memories(static_cast<std::size_t>(starts));  // by start and rank
  for (int start = 0; start < starts; ++start) {
    for (int rank = 0; rank < problem.ranks; ++rank) {
      memories[static_cast<std::size_t>(start)].emplace_back(problem, rank, start);
    }
  }
  const auto memory = [&](int rank, int start) -> const StartMemory & {
    return memories[static_cast<std::size_t>(start)][static_cast<std::size_t>(rank)];
  };
  const VaryingTrial trial{[&](int rank, int start) { return memory(rank, start).blocks(); },
                           [&](int rank, int start, const ReceivedBlocks &received) {
                             return memory(rank, start).fault(received.data, received.bytes, received.offsets);
                           },
                           [&](int rank, int destination, int start) {
                             const auto of_rank =
                                 static_cast<std::uint64_t>(rank) * 4099 + static_cast<std::uint64_t>(destination);
                             return hash(hash(problem.seed, of_rank), static_cast<std::uint64_t>(start)) % 2 == 0;
                           }};
  for (const Metadata metadata : {Metadata::joined, Metadata::separate}) {
    VaryingRanks all(*selection.algorithm, selection.parameters, topology, link_bytes, metadata,
                     metadata == Metadata::joined && count_nodes(topology) > 1, least_read);
    if (std::string fault = all.first_fault(starts, trial, static_cast<unsigned>(problem.seed)); !fault.empty()) {
      return fault;
    }
  }
  return {};
}

}  // namespace rondo::internal::cli
