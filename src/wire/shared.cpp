#include "wire/shared.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>
#include <numeric>
#include <set>

#include "exchange/error.hpp"

namespace rondo {

namespace {

constexpr std::int64_t line = 64;

// From these sizes on a message is pulled (docs/performance.md has the measurements behind them).
constexpr std::int64_t least_pulled_mapped = 2048;
constexpr std::int64_t least_pulled_attached = 16384;

// A pushed message of two cuts or more is cut. One that fits in the cache of a core twice.
constexpr std::int64_t cut_bytes = 32768;

std::int64_t up_to_line(std::int64_t bytes) {
  return (bytes + line - 1) / line * line;
}

// The gathering of a step: its sum, and the bell of those who sleep for it.
struct alignas(64) GatheringLine {
  Flag arrived;
  Bell bell;
};

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

void add_copy(BoundSchedule &bound, std::byte *to, const std::byte *from, std::int64_t bytes) {
  bound.copies.push_back({from, to, static_cast<std::size_t>(bytes)});
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

// Whether a slice that is received is written straight to where it stays: scratch whose places hold one block each.
bool lands_in_scratch(const Schedule &schedule, const Slice &slice) {
  return slice.space == Space::scratch && !schedule.scratch_reused;
}

}  // namespace

SharedWire::SharedWire(const Schedule &schedule, const NodeAccess &node, SharedGroup group, const OwnBuffers &buffers)
    : group_(std::move(group)),
      buffers_(buffers),
      apart_(schedule.apart),
      rank_(node.rank()),
      index_of_(static_cast<std::size_t>(node.ranks()), -1),
      peers_(group_.members.size()),
      processes_(group_.members.size()),
      area_bytes_(node.members().size()) {
  for (std::size_t i = 0; i < group_.members.size(); ++i) {
    index_of_[static_cast<std::size_t>(group_.members[i])] = static_cast<int>(i);
  }
  plan_area(schedule);
}

void SharedWire::meet(NodeAccess &node, const std::byte *send_base, const std::byte *receive_base) {
  place_areas(node);
  move_to(send_base, receive_base);
  node.barrier();
  read_tables();
}

// What is pulled lands at once where it stays, while others may still pull what this rank sends.
bool SharedWire::pulled(const Transfer &transfer) const {
  if (!apart_) return false;
  return (group_.pull_attached && transfer.bytes >= least_pulled_attached) ||
         (group_.pull_mapped && transfer.bytes >= least_pulled_mapped);
}

// The same holds for cuts.
int SharedWire::cuts(const Transfer &transfer) const {
  if (!apart_ || transfer.bytes < 2 * cut_bytes) return 1;
  return static_cast<int>((transfer.bytes + cut_bytes - 1) / cut_bytes);
}

void SharedWire::plan_area(const Schedule &schedule) {
  const int others = static_cast<int>(group_.members.size()) - 1;
  const int steps = static_cast<int>(schedule.steps.size());
  half_bytes_ = others > 1 ? steps * static_cast<std::int64_t>(sizeof(GatheringLine)) : 0;
  for (int index = 0; index < steps; ++index) {
    const Step &step = schedule.steps[static_cast<std::size_t>(index)];
    int partners = 0;  // by one pushed message whose flag a gathering can replace
    const auto is_partner = [&](const Transfer &transfer) { return !pulled(transfer) && cuts(transfer) == 1; };
    for (const Transfer &receive : schedule.receives_of(step)) {
      if (!receive.shared()) continue;
      plan_receive(schedule, index, receive);
      partners += is_partner(receive) ? 1 : 0;
    }
    for (const Transfer &send : schedule.sends_of(step)) {
      if (!send.shared()) continue;
      plan_send(schedule, index, send);
      partners += is_partner(send) ? 1 : 0;
    }
    own_.table.full.push_back(others > 1 && partners == 2 * others ? 1 : 0);
  }
  scratch_offset_ = half_bytes_;
  half_bytes_ += up_to_line(schedule.scratch_bytes);
}

void SharedWire::plan_receive(const Schedule &schedule, int step, const Transfer &receive) {
  SharedTable &table = own_.table;
  SharedEnd end{step, receive.peer, receive.bytes, half_bytes_, static_cast<std::int64_t>(table.pieces.size()), 0};
  half_bytes_ += static_cast<std::int64_t>(sizeof(Flag));
  if (cuts(receive) > 1) half_bytes_ += (cuts(receive) - 1) * line;
  if (pulled(receive)) {
    half_bytes_ = up_to_line(half_bytes_);
    table.receives.push_back(end);
    return;
  }
  std::int64_t room = 0;
  for (const Slice &slice : schedule.slices_of(receive)) room += lands_in_scratch(schedule, slice) ? 0 : slice.length;
  // A short message shares its flag's cache line, so that one transfer between cores brings both.
  if (room > line - static_cast<std::int64_t>(sizeof(Flag))) half_bytes_ = up_to_line(half_bytes_);
  for (const Slice &slice : schedule.slices_of(receive)) {
    if (lands_in_scratch(schedule, slice)) {
      table.pieces.push_back({Base::scratch, slice.offset, slice.length});
    } else {
      table.pieces.push_back({Base::half, half_bytes_, slice.length});
      half_bytes_ += slice.length;
    }
    ++end.pieces;
  }
  half_bytes_ = up_to_line(half_bytes_);
  table.receives.push_back(end);
}

void SharedWire::plan_send(const Schedule &schedule, int step, const Transfer &send) {
  SharedTable &table = own_.table;
  SharedEnd end{step, send.peer, send.bytes, half_bytes_, static_cast<std::int64_t>(table.pieces.size()), 0};
  if (pulled(send)) {
    half_bytes_ += line;
    for (const Slice &slice : schedule.slices_of(send)) {
      table.pieces.push_back(source(slice));
      ++end.pieces;
    }
  }
  table.sends.push_back(end);
}

// Where a receiver finds what this rank sends.
Piece SharedWire::source(const Slice &slice) const {
  switch (slice.space) {
    case Space::scratch: return {Base::scratch, slice.offset, slice.length};
    case Space::receive:
      if (buffers_.receive) return {Base::receive_buffer, slice.offset, slice.length};
      return {Base::process_receive, slice.offset, slice.length};
    case Space::send: break;
  }
  if (buffers_.send) return {Base::send_buffer, slice.offset, slice.length};
  return {Base::process_send, slice.offset, slice.length};
}

void SharedWire::place_areas(NodeAccess &node) {
  AreaHead head{};
  const std::int64_t first_half = up_to_line(static_cast<std::int64_t>(sizeof(AreaHead)) + own_.table.bytes());
  head.half_offset[0] = first_half;
  head.half_offset[1] = first_half + half_bytes_;
  head.scratch_offset = scratch_offset_;
  std::int64_t bytes = first_half + 2 * half_bytes_;
  const auto place = [&](const std::optional<Extent> &buffer, std::int64_t &base) {
    if (!buffer) return;
    base = bytes - buffer->offset;
    bytes += up_to_line(buffer->length);
  };
  place(buffers_.send, head.send_buffer);
  place(buffers_.receive, head.receive_buffer);

  node.gather(bytes, area_bytes_);
  const std::int64_t total = std::accumulate(area_bytes_.begin(), area_bytes_.end(), std::int64_t{0});
  lease_ = node.lend(total);
  if (!lease_) throw Error(Fault::no_memory, "shared memory for a plan cannot be had").with_values(total);

  std::int64_t offset = 0;
  for (int local = 0; local < static_cast<int>(area_bytes_.size()); ++local) {
    const int member = index_of_[static_cast<std::size_t>(node.members()[static_cast<std::size_t>(local)])];
    if (member >= 0) {
      peers_[static_cast<std::size_t>(member)].area = offset;
      processes_[static_cast<std::size_t>(member)] = node.process(local);
    }
    offset += area_bytes_[static_cast<std::size_t>(local)];
  }
  own_.area = peer(rank_).area;
  write_area(first_half, head);
}

// What an earlier plan left in the region must not look like a raised flag, nor its data be the caller's to see.
// Scratch holds no flags.
void SharedWire::write_area(std::int64_t first_half, const AreaHead &head) {
  std::memset(area(own_), 0, static_cast<std::size_t>(first_half));
  AreaHead &own = *new (area(own_)) AreaHead{};
  std::copy_n(head.half_offset, 2, own.half_offset);
  own.scratch_offset = head.scratch_offset;
  own.send_buffer = head.send_buffer;
  own.receive_buffer = head.receive_buffer;
  for (int half = 0; half < 2; ++half) {
    std::memset(half_base(own_, half), 0, static_cast<std::size_t>(scratch_offset_));
  }
  const auto clear = [](std::byte *base, const std::optional<Extent> &buffer) {
    if (buffer) std::memset(base + buffer->offset, 0, static_cast<std::size_t>(buffer->length));
  };
  clear(send_base(), buffers_.send);
  clear(receive_base(), buffers_.receive);
  own_.table.write(area(own_) + sizeof(AreaHead), own);
}

void SharedWire::read_tables() {
  for (Peer &peer : peers_) {
    peer.table = SharedTable::read(area(peer) + sizeof(AreaHead), head(peer));
    peer.receives = EndIndex(peer.table.receives);
    peer.sends = EndIndex(peer.table.sends);
  }
}

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

void SharedWire::move_to(const std::byte *send_base, const std::byte *receive_base) const {
  ProcessBases &bases = head(own_).process;
  bases.send.store(reinterpret_cast<std::intptr_t>(send_base), std::memory_order_relaxed);
  bases.receive.store(reinterpret_cast<std::intptr_t>(receive_base), std::memory_order_relaxed);
}

std::vector<const Flag *> SharedWire::gates(const Schedule &schedule) const {
  std::set<int> heard;
  for (const Transfer &receive : schedule.receives) {
    if (receive.shared()) heard.insert(receive.peer);
  }
  std::set<int> unheard;
  for (const Transfer &send : schedule.sends) {
    if (send.shared() && !heard.contains(send.peer)) unheard.insert(send.peer);
  }
  std::vector<const Flag *> flags;
  for (const int rank : unheard) flags.push_back(&head(peer(rank)).begun);
  return flags;
}

std::vector<int> SharedWire::not_begun(std::uint64_t start) const {
  std::vector<int> ranks;
  for (std::size_t i = 0; i < peers_.size(); ++i) {
    if (head(peers_[i]).begun.load(std::memory_order_acquire) < start) ranks.push_back(group_.members[i]);
  }
  return ranks;
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
    bound.signals.push_back({flag(receiver, half, end->flag + cut * line), &head(receiver).bell, copies});
  };
  if (pulled(send)) {
    const SharedEnd &own = *peer(rank_).sends.find(step, send.peer, k);
    bound.acknowledgements.push_back(flag(own_, half, own.flag));
    bound.peers_of_acknowledgements.push_back(send.peer);
    return signal(0);
  }
  int signalled = 0;
  for_each_cut(
      receiver.table.pieces_of(*end), runs, cuts(send),
      [&](int cut, const Piece &to, std::int64_t skipped, const Run &from, std::int64_t used, std::int64_t bytes) {
        if (cut > signalled) signal(signalled++);
        add_copy(bound, address(receiver, half, to) + skipped, from.address + used, bytes);
      });
  if (!gathers(step)) signal(signalled);
}

void SharedWire::bind_arrival(int step, const Transfer &receive, int k, std::span<const Run> runs, int half,
                              BoundSchedule &bound) const {
  const Peer &sender = peer(receive.peer);
  const SharedEnd *source = sender.sends.find(step, rank_, k);
  check_sizes_meet(receive.peer, source == nullptr ? 0 : source->bytes, rank_, receive.bytes);
  if (source == nullptr) return;  // likewise
  const SharedEnd &end = *peer(rank_).receives.find(step, receive.peer, k);
  if (!pulled(receive)) {
    if (gathers(step)) return;
    if (cuts(receive) > 1) return bind_cuts(receive, end, runs, half, bound);
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
  for_each_stretch(runs, sender.table.pieces_of(*source),
                   [&](const Run &to, std::int64_t skipped, const Piece &from, std::int64_t used, std::int64_t bytes) {
                     std::byte *target = to.address + skipped;
                     const auto length = static_cast<std::size_t>(bytes);
                     if (from.base != Base::process_send && from.base != Base::process_receive) {
                       pull.mapped.push_back({address(sender, half, from) + used, target, length});
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
  std::vector<Pull> pulls(static_cast<std::size_t>(cuts(receive)));
  for (std::size_t cut = 0; cut < pulls.size(); ++cut) {
    pulls[cut].peer = receive.peer;
    pulls[cut].ready = flag(own_, half, end.flag + static_cast<std::int64_t>(cut) * line);
  }
  for_each_cut(
      runs, own_.table.pieces_of(end), cuts(receive),
      [&](int cut, const Run &to, std::int64_t skipped, const Piece &from, std::int64_t used, std::int64_t bytes) {
        std::byte *target = to.address + skipped;
        const std::byte *origin = address(own_, half, from) + used;
        if (origin == target) return;
        pulls[static_cast<std::size_t>(cut)].mapped.push_back({origin, target, static_cast<std::size_t>(bytes)});
      });
  std::move(pulls.begin(), pulls.end(), std::back_inserter(bound.pulls));
}

void SharedWire::bind_unloading(int step, const Transfer &receive, int k, std::span<const Run> runs, int half,
                                BoundSchedule &bound) const {
  if (pulled(receive) || cuts(receive) > 1) return;
  const SharedEnd &end = *peer(rank_).receives.find(step, receive.peer, k);
  for_each_stretch(runs, own_.table.pieces_of(end),
                   [&](const Run &to, std::int64_t skipped, const Piece &from, std::int64_t used, std::int64_t bytes) {
                     std::byte *source = address(own_, half, from) + used;
                     if (source != to.address + skipped) add_copy(bound, to.address + skipped, source, bytes);
                   });
}

}  // namespace rondo
