#include "varying/run.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <span>

#include "varying/varying_route.hpp"

namespace rondo::internal {

VaryingRanks::VaryingRanks(const Algorithm &algorithm, const Parameters &parameters, const Topology &topology,
                           std::int64_t link_bytes, Metadata metadata, bool tells_figures, std::int64_t least_read)
    : ranks_(topology.ranks),
      tells_figures_(tells_figures),
      places_(SlotPlaces::within(link_bytes)),
      all_(topology.ranks) {
  memory_.resize(static_cast<std::size_t>(ranks_) * static_cast<std::size_t>(ranks_));
  for (auto &one : memory_) {
    one = RawMemory(places_.bytes());
    SlotEnd::clear(one.data(), places_);
  }
  const MessageForm form = form_of(algorithm, metadata == Metadata::separate, tells_figures);
  for (int rank = 0; rank < ranks_; ++rank) {
    Rank &own = all_[rank];
    std::vector<int> near(ranks_);
    std::iota(near.begin(), near.end(), 0);
    if (rank % 3 == 1) near.pop_back();  // not all are reached
    own.send_memory = std::make_unique<SendMemory>(ranks_, std::move(near), SendMemory::granule);
    own.memory.sent = own.send_memory.get();
    std::vector<Link *> links(ranks_, nullptr);
    for (int peer = 0; peer < ranks_; ++peer) {
      if (peer == rank) continue;
      links[peer] = own.links
                        .emplace_back(std::make_unique<SlotLink>(
                            places_.in(between(rank, peer)), places_.in(between(peer, rank)), places_,
                            SlotPeer{peer, &bell_, getpid(), least_read, own.send_memory.get()}, form.metadata))
                        .get();
    }
    own.exchange = make_varying_exchange(varying_route(algorithm, rank, topology, parameters),
                                         std::span<Link *const>(links), own.memory, form);
  }
}

std::string VaryingRanks::first_fault(int starts, const VaryingTrial &trial, unsigned seed) {
  std::mt19937 random(seed);
  for (Rank &rank : all_) rank.started = 0;
  int idle = 0;
  for (int unfinished = ranks_; unfinished > 0;) {
    const int rank = static_cast<int>(random() % static_cast<unsigned>(ranks_));
    Rank &own = all_[rank];
    if (own.started == starts && own.exchange->complete()) continue;
    const auto before = own.exchange->moved() + own.exchange->step();
    if (own.exchange->complete()) {
      begin(rank, trial);
      idle = 0;
    }
    Looks looks(static_cast<int>(random() % 3));  // as a wait or a test has them
    if (own.exchange->advance(looks)) {
      if (std::string fault = fault_of(rank, trial); !fault.empty()) return fault;
      if (own.started == starts) --unfinished;
      idle = 0;
    }
    if (own.exchange->moved() + own.exchange->step() != before) idle = 0;
    if (++idle > 1000 * ranks_) return "nothing moves any more";
  }
  return {};
}

// Each rank tells other figures; what all learn is the largest of each.
void VaryingRanks::begin(int rank, const VaryingTrial &trial) {
  Rank &own = all_[rank];
  const int start = own.started++;
  own.blocks = trial.sent(rank, start);
  for (int to = 0; to < ranks_; ++to) {
    BlockData &block = own.blocks[to];
    if (!trial.builds_in_send_memory(rank, to, start)) continue;
    std::byte *const place = own.send_memory->take(to, block.bytes);
    std::copy_n(block.data, block.bytes, place);
    block.data = place;
  }
  own.send_memory->begin_start();
  own.exchange->start(own.blocks, {static_cast<std::uint32_t>(100 + rank), static_cast<std::uint32_t>(900 - rank)});
}

// What the start before has brought is as it was, too, as it is valid until the next one.
std::string VaryingRanks::fault_of(int rank, const VaryingTrial &trial) {
  Rank &own = all_[rank];
  const VaryingFigures largest{99U + static_cast<unsigned>(ranks_), 900};
  if (tells_figures_ && own.exchange->figures() != largest) {
    return fmt::format("rank {} has not learned the figures of all", rank);
  }
  const auto changed = [](const KeptBlock &kept) {
    return !std::equal(kept.bytes.begin(), kept.bytes.end(), kept.where);
  };
  if (std::ranges::any_of(own.kept, changed)) return fmt::format("what rank {} had received has changed", rank);
  own.kept.clear();
  const ReceivedBlocks &received = own.exchange->received();
  for (std::size_t source = 0; source < received.bytes.size(); ++source) {
    const std::byte *const block = received.block(source);
    own.kept.push_back({block, {block, block + received.bytes[source]}});
  }
  const ReceivedBlocks &gathered = own.exchange->received_in_one_piece();
  for (std::size_t source = 0; source < received.bytes.size(); ++source) {
    const std::vector<std::byte> &bytes = own.kept[source].bytes;
    if (!std::equal(bytes.begin(), bytes.end(), gathered.data + gathered.offsets[source])) {
      return fmt::format("rank {} has other data in one piece", rank);
    }
  }
  return trial.fault(rank, own.started - 1, gathered);
}

}  // namespace rondo::internal
