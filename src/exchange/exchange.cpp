#include "exchange/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "exchange/error.hpp"

namespace rondo::internal {

namespace {

// The piece of its source's data that a block is.
Extent piece(const Cut *cut, const Extent &whole, const Block &block) {
  if (cut == nullptr) return whole;
  const CutSegment &segment = cut->of(block.source)[block.part];
  return {whole.offset + segment.offset, segment.length};
}

void sort_by_offset(std::vector<NamedExtent> &extents) {
  std::ranges::sort(extents, {}, [](const NamedExtent &named) { return named.extent.offset; });
}

}  // namespace

int Exchange::own_parts() const {
  return static_cast<int>(cut ? cut->of(rank).size() : send.size());
}

Extent Exchange::sent(const Block &block) const {
  return piece(cut.get(), send_to(block.part), block);
}

Extent Exchange::received(const Block &block) const {
  return piece(cut.get(), receive[block.source], block);
}

bool Exchange::ends_here(const Block &block) const {
  if (kind->blocks == Numbered::by_destination) return block.part == rank;
  return receive[block.source].length > 0;
}

std::int64_t Exchange::known_size(const Block &block) const {
  if (kind->all_sizes_known()) return piece(cut.get(), {}, block).length;
  if (block.source == rank) return sent(block).length;
  return ends_here(block) ? received(block).length : 0;
}

Extent Exchange::for_itself() const {
  return receive[rank].length > 0 ? send_to(rank) : Extent{};
}

void check_overlap(std::vector<NamedExtent> extents) {
  std::erase_if(extents, [](const NamedExtent &named) { return named.extent.length == 0; });
  sort_by_offset(extents);
  for (std::size_t i = 1; i < extents.size(); ++i) {
    const Extent &before = extents[i - 1].extent;
    const Extent &after = extents[i].extent;
    const int first = extents[i - 1].peer;
    const int second = extents[i].peer;
    if (before.end() <= after.offset) continue;
    throw Error(Fault::overlap,
                fmt::format("receive ranges overlap: bytes {}..{} from rank {} and bytes {}..{} from rank {}",
                            before.offset, before.end(), first, after.offset, after.end(), second))
        .with_peer(first)
        .with_values(after.offset, second);
  }
}

void check_apart(const std::vector<NamedExtent> &sent, std::vector<NamedExtent> received) {
  std::erase_if(received, [](const NamedExtent &named) { return named.extent.length == 0; });
  sort_by_offset(received);
  for (const NamedExtent &send : sent) {
    const Extent &from = send.extent;
    if (from.length == 0) continue;
    auto next = std::partition_point(received.begin(), received.end(),
                                     [&](const NamedExtent &named) { return named.extent.end() <= from.offset; });
    const auto stays = [&] { return send.origin && send.origin == next->origin; };
    while (next != received.end() && next->extent.offset < from.end() && stays()) ++next;
    if (next == received.end() || from.end() <= next->extent.offset) continue;
    const Extent &to = next->extent;
    throw Error(
        Fault::overlap,
        fmt::format("what is sent is overwritten: bytes {}..{} for rank {} are bytes {}..{} from rank {}, counted "
                    "from the receive buffer",
                    from.offset, from.end(), send.peer, to.offset, to.end(), next->peer))
        .with_peer(send.peer)
        .with_values(std::max(from.offset, to.offset), next->peer);
  }
}

void check_overlap(const Exchange &exchange) {
  std::vector<NamedExtent> extents;
  for (int source = 0; source < exchange.ranks(); ++source) {
    extents.push_back({exchange.receive[source], source});
  }
  check_overlap(std::move(extents));
}

void refuse_overflow(std::int64_t a, char operation, std::int64_t b, const char *what) {
  throw Error(Fault::count, fmt::format("{} does not fit in 64 bits: {} {} {}", what, a, operation, b))
      .with_values(a, b);
}

std::string to_string(const Exchange &exchange) {
  std::string text = fmt::format("rank {} of {}\n", exchange.rank, exchange.ranks());
  for (int peer = 0; peer < exchange.ranks(); ++peer) {
    const Extent &out = exchange.send_to(peer);
    const Extent &in = exchange.receive[peer];
    text += fmt::format("  rank {:>4}: sends {} bytes at {}, receives {} bytes at {}\n", peer, out.length, out.offset,
                        in.length, in.offset);
  }
  return text;
}

void check_sizes_meet(int sender, std::int64_t sent, int receiver, std::int64_t expected) {
  if (sent == expected) return;
  Error error = Error(Fault::mismatch, fmt::format("rank {} sends {} bytes to rank {}, which receives {} bytes", sender,
                                                   sent, receiver, expected))
                    .with_peer(sender)
                    .with_values(sent, expected);
  error.rank = receiver;
  throw error;
}

}  // namespace rondo::internal
