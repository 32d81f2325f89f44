// What each message needs at a start: copies, flags and pulls, bound to the areas that shared.cpp has placed.

#include <algorithm>
#include <iterator>

#include "exchange/error.hpp"
#include "wire/shared.hpp"

namespace rondo::internal {

namespace {

// Walks two lists of runs of the same total side by side, and calls copy(to, from, bytes) for each common stretch.
template <class To, class From, class Copy>
void for_each_stretch(std::span<const To> to, std::span<const From> from, Copy &&copy) {
  std::size_t j = 0;
  std::int64_t used = 0;  // of from[j]
  for (const To &target : to) {
    for (std::int64_t done = 0; done < target.length;) {
      const std::int64_t bytes = std::min(target.length - done, from[j].length - used);
      copy(target, done, from[j], used, bytes);
      done += bytes;
      used += bytes;
      if (used == from[j].length) {
        ++j;
        used = 0;
      }
    }
  }
}

BoundCopy copy_of(std::byte *to, const std::byte *from, std::int64_t bytes, bool takes) {
  return {from, to, static_cast<std::size_t>(bytes), takes};
}

// The same for a message of `cuts` cuts, each of cut_bytes but the last: copy(cut, to, from, bytes) for each stretch
// of a cut.
template <class To, class From, class Copy>
void for_each_cut(std::span<const To> to, std::span<const From> from, int cuts, Copy &&copy) {
  int cut = 0;
  std::int64_t left = cut_bytes;  // of the cut
  for_each_stretch(
      to, from, [&](const To &target, std::int64_t skipped, const From &source, std::int64_t used, std::int64_t bytes) {
        while (bytes > 0) {
          const std::int64_t length = cut + 1 < cuts ? std::min(bytes, left) : bytes;
          copy(cut, target, skipped, source, used, length);
          skipped += length;
          used += length;
          bytes -= length;
          left -= length;
          if (left > 0 || cut + 1 == cuts) continue;
          ++cut;
          left = cut_bytes;
        }
      });
}

}  // namespace

std::byte *SharedWire::address(const Peer &owner, int half, const Piece &piece) const {
  switch (piece.base) {
    case Base::half: return half_base(owner, half) + piece.offset;
    case Base::scratch: return half_base(owner, half) + head(owner).scratch_offset + piece.offset;
    case Base::send_buffer: return area(owner) + head(owner).send_buffer + piece.offset;
    case Base::receive_buffer: return area(owner) + head(owner).receive_buffer + piece.offset;
    case Base::process_send:
    case Base::process_receive: break;
  }
  throw Error(Fault::internal, "a message lies in memory that is not shared");
}

bool SharedWire::gathers(int step) const {
  return std::all_of(peers_.begin(), peers_.end(),
                     [&](const Peer &peer) { return peer.table.full[static_cast<std::size_t>(step)] != 0; });
}

int SharedWire::bind_gathering(int step, int half, BoundSchedule &bound) const {
  if (!gathers(step)) return -1;
  auto *lines = reinterpret_cast<GatheringLine *>(half_base(peers_.front(), half));
  bound.gatherings.push_back({&lines[step].arrived, &lines[step].bell, peers_.size()});
  return static_cast<int>(bound.gatherings.size()) - 1;
}

void SharedWire::bind_send(int step, const Transfer &send, int k, std::span<const Run> runs, int half,
                           BoundSchedule &bound, std::size_t first_copy) const {
  const Peer &receiver = peer(send.peer);
  const SharedEnd *end = receiver.receives.find(step, rank_, k);
  // Both ends are known here: ranks that disagree are told at no cost.
  check_sizes_meet(rank_, send.bytes, send.peer, end == nullptr ? 0 : end->bytes);
  if (end == nullptr) return;  // both say that there is nothing
  const auto signal = [&](int cut) {
    const auto copies = static_cast<std::uint32_t>(bound.copies.size() - first_copy);
    bound.signals.push_back({flag(receiver, half, end->flag + cut * cache_line), &head(receiver).bell, copies});
  };
  if (pulled(send.bytes)) {
    const SharedEnd &own = *peer(rank_).sends.find(step, send.peer, k);
    bound.acknowledgements.push_back(flag(own_, half, own.flag));
    bound.peers_of_acknowledgements.push_back(send.peer);
    return signal(0);
  }
  int signalled = 0;
  for_each_cut(
      receiver.table.pieces_of(*end), runs, cuts(send.bytes),
      [&](int cut, const Piece &to, std::int64_t skipped, const Run &from, std::int64_t used, std::int64_t bytes) {
        if (cut > signalled) signal(signalled++);
        const bool takes = reads_once_ && from.in_scratch;
        bound.copies.push_back(copy_of(address(receiver, half, to) + skipped, from.address + used, bytes, takes));
      });
  if (gathers(step)) return;
  signal(signalled);
  constexpr std::size_t most_fetched = 4;
  if (bound.steps.size() == 1 && bound.fetched_before.size() < most_fetched && lies_with_flag(receiver, *end)) {
    bound.fetched_before.push_back(bound.signals.back().flag);
  }
}

// Whether the whole message has its room in the cache line of its flag.
bool SharedWire::lies_with_flag(const Peer &receiver, const SharedEnd &end) {
  const auto pieces = receiver.table.pieces_of(end);
  return std::all_of(pieces.begin(), pieces.end(), [&](const Piece &piece) {
    return piece.base == Base::half && piece.offset + piece.length <= end.flag + cache_line;
  });
}

void SharedWire::bind_arrival(int step, const Transfer &receive, int k, std::span<const Run> runs, int half,
                              BoundSchedule &bound) const {
  const Peer &sender = peer(receive.peer);
  const SharedEnd *source = sender.sends.find(step, rank_, k);
  check_sizes_meet(receive.peer, source == nullptr ? 0 : source->bytes, rank_, receive.bytes);
  if (source == nullptr) return;  // likewise
  const SharedEnd &end = *peer(rank_).receives.find(step, receive.peer, k);
  if (!pulled(receive.bytes)) {
    if (gathers(step)) return;
    if (cuts(receive.bytes) > 1) return bind_cuts(receive, end, runs, half, bound);
    bound.flags.push_back(flag(own_, half, end.flag));
    bound.peers_of_flags.push_back(receive.peer);
    return;
  }
  Pull &pull = bound.pulls.emplace_back();
  pull.peer = receive.peer;
  pull.ready = flag(own_, half, end.flag);
  pull.taken = {flag(sender, half, source->flag), &head(sender).bell};
  pull.process = processes_[static_cast<std::size_t>(index_of_[static_cast<std::size_t>(receive.peer)])];
  pull.bases = &head(sender).process;
  pull.send_base = pull.bases->send.load(std::memory_order_relaxed);
  pull.receive_base = pull.bases->receive.load(std::memory_order_relaxed);
  const bool reads_once = head(sender).reads_once != 0;
  for_each_stretch(runs, sender.table.pieces_of(*source),
                   [&](const Run &to, std::int64_t skipped, const Piece &from, std::int64_t used, std::int64_t bytes) {
                     std::byte *target = to.address + skipped;
                     const auto length = static_cast<std::size_t>(bytes);
                     if (from.base != Base::process_send && from.base != Base::process_receive) {
                       // What has been received its owner is going to read.
                       const bool takes = reads_once && from.base != Base::receive_buffer;
                       pull.mapped.push_back(copy_of(target, address(sender, half, from) + used, bytes, takes));
                       return;
                     }
                     // The sender may be moving just now, so that its base must not be read twice.
                     const bool in_receive = from.base == Base::process_receive;
                     const std::intptr_t base = in_receive ? pull.receive_base : pull.send_base;
                     pull.to.push_back({target, length});
                     pull.from.push_back({reinterpret_cast<void *>(base + from.offset + used), length});
                     pull.in_receive.push_back(in_receive);
                   });
}

void SharedWire::bind_cuts(const Transfer &receive, const SharedEnd &end, std::span<const Run> runs, int half,
                           BoundSchedule &bound) const {
  std::vector<Pull> pulls(static_cast<std::size_t>(cuts(receive.bytes)));
  for (std::size_t cut = 0; cut < pulls.size(); ++cut) {
    pulls[cut].peer = receive.peer;
    pulls[cut].ready = flag(own_, half, end.flag + static_cast<std::int64_t>(cut) * cache_line);
  }
  for_each_cut(
      runs, own_.table.pieces_of(end), cuts(receive.bytes),
      [&](int cut, const Run &to, std::int64_t skipped, const Piece &from, std::int64_t used, std::int64_t bytes) {
        std::byte *target = to.address + skipped;
        const std::byte *origin = address(own_, half, from) + used;
        if (origin == target) return;
        pulls[static_cast<std::size_t>(cut)].mapped.push_back(copy_of(target, origin, bytes, true));
      });
  std::move(pulls.begin(), pulls.end(), std::back_inserter(bound.pulls));
}

void SharedWire::bind_unloading(int step, const Transfer &receive, int k, std::span<const Run> runs, int half,
                                BoundSchedule &bound) const {
  if (pulled(receive.bytes) || cuts(receive.bytes) > 1) return;
  const SharedEnd &end = *peer(rank_).receives.find(step, receive.peer, k);
  for_each_stretch(runs, own_.table.pieces_of(end),
                   [&](const Run &to, std::int64_t skipped, const Piece &from, std::int64_t used, std::int64_t bytes) {
                     const std::byte *source = address(own_, half, from) + used;
                     std::byte *target = to.address + skipped;
                     if (source != target) bound.copies.push_back(copy_of(target, source, bytes, true));
                   });
}

}  // namespace rondo::internal
