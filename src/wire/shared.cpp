#include "wire/shared.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>
#include <set>

#include "exchange/error.hpp"

namespace rondo {

namespace {

constexpr std::int64_t line = 64;

// From these sizes on a message is pulled (docs/performance.md has the measurements behind them).
constexpr std::int64_t least_pulled_mapped = 8192;
constexpr std::int64_t least_pulled_attached = 16384;

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

// Whether a slice that is received is written straight to where it stays: scratch whose places hold one block each.
bool lands_in_scratch(const Schedule &schedule, const Slice &slice) {
  return slice.space == Space::scratch && !schedule.scratch_reused;
}

}  // namespace

SharedWire::SharedWire(const Schedule &schedule, NodeAccess &node, const SharedGroup &group, const OwnBuffers &buffers,
                       const std::byte *send_base, std::byte *receive_base)
    : group_(group), rank_(node.rank()), index_of_(static_cast<std::size_t>(node.ranks()), -1) {
  for (std::size_t i = 0; i < group_.members.size(); ++i) {
    index_of_[static_cast<std::size_t>(group_.members[i])] = static_cast<int>(i);
  }
  // What is pulled lands at once where it stays, while others may still pull what this rank sends.
  group_.pull_attached = group_.pull_attached && schedule.apart;
  group_.pull_mapped = group_.pull_mapped && schedule.apart;
  plan_area(schedule, send_base, receive_base);
  place_areas(node, buffers);
  read_tables(node);
}

bool SharedWire::pulled(const Transfer &transfer) const {
  return (group_.pull_attached && transfer.bytes >= least_pulled_attached) ||
         (group_.pull_mapped && transfer.bytes >= least_pulled_mapped);
}

void SharedWire::plan_area(const Schedule &schedule, const std::byte *send_base, const std::byte *receive_base) {
  const int others = static_cast<int>(group_.members.size()) - 1;
  const int steps = static_cast<int>(schedule.steps.size());
  half_bytes_ = others > 1 ? steps * static_cast<std::int64_t>(sizeof(GatheringLine)) : 0;
  for (int index = 0; index < steps; ++index) {
    const Step &step = schedule.steps[static_cast<std::size_t>(index)];
    int partners = 0;
    for (const Transfer &receive : schedule.receives_of(step)) {
      if (!receive.shared()) continue;
      plan_receive(schedule, index, receive);
      partners += pulled(receive) ? 0 : 1;
    }
    for (const Transfer &send : schedule.sends_of(step)) {
      if (!send.shared()) continue;
      if (pulled(send)) plan_pulled_send(schedule, index, send, send_base, receive_base);
      partners += pulled(send) ? 0 : 1;
    }
    own_.table.full.push_back(others > 1 && partners == 2 * others ? 1 : 0);
  }
  scratch_offset_ = half_bytes_;
  half_bytes_ += up_to_line(schedule.scratch_bytes);
  // Pieces in scratch were noted from its start, which is only known now.
  for (Piece &piece : own_.table.pieces) {
    if (piece.base == Base::half && piece.offset < 0) piece.offset = scratch_offset_ - piece.offset - 1;
  }
}

// Scratch offsets are noted as -1 - offset until scratch has its place.
void SharedWire::plan_receive(const Schedule &schedule, int step, const Transfer &receive) {
  SharedTable &table = own_.table;
  SharedEnd end{step, receive.peer, receive.bytes, half_bytes_, static_cast<std::int64_t>(table.pieces.size()), 0};
  half_bytes_ += static_cast<std::int64_t>(sizeof(Flag));
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
      table.pieces.push_back({Base::half, -1 - slice.offset, slice.length});
    } else {
      table.pieces.push_back({Base::half, half_bytes_, slice.length});
      half_bytes_ += slice.length;
    }
    ++end.pieces;
  }
  half_bytes_ = up_to_line(half_bytes_);
  table.receives.push_back(end);
}

void SharedWire::plan_pulled_send(const Schedule &schedule, int step, const Transfer &send, const std::byte *send_base,
                                  const std::byte *receive_base) {
  SharedTable &table = own_.table;
  SharedEnd end{step, send.peer, send.bytes, half_bytes_, static_cast<std::int64_t>(table.pieces.size()), 0};
  half_bytes_ += line;
  for (const Slice &slice : schedule.slices_of(send)) {
    const std::byte *base = slice.space == Space::send ? send_base : receive_base;
    if (slice.space == Space::scratch) {
      table.pieces.push_back({Base::half, -1 - slice.offset, slice.length});
    } else if (base == nullptr) {
      table.pieces.push_back({Base::region, slice.offset, slice.length});  // from the buffer, until it has its place
    } else {
      table.pieces.push_back({Base::process, reinterpret_cast<std::intptr_t>(base) + slice.offset, slice.length});
    }
    ++end.pieces;
  }
  table.pulled_sends.push_back(end);
}

void SharedWire::place_areas(NodeAccess &node, const OwnBuffers &buffers) {
  const std::int64_t first_half = up_to_line(static_cast<std::int64_t>(sizeof(AreaHead)) + own_.table.bytes());
  send_buffer_offset_ = first_half + 2 * half_bytes_;
  receive_buffer_offset_ = send_buffer_offset_ + up_to_line(buffers.send);
  const std::int64_t bytes = receive_buffer_offset_ + up_to_line(buffers.receive);

  const std::vector<std::int64_t> sizes = node.gather(bytes);
  const std::int64_t total = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
  lease_ = node.lend(total);
  if (!lease_) throw Error(Fault::no_memory, "shared memory for a plan cannot be had").with_values(total);

  peers_.resize(group_.members.size());
  processes_.resize(group_.members.size());
  std::int64_t offset = 0;
  for (int local = 0; local < static_cast<int>(sizes.size()); ++local) {
    const int member = index_of_[static_cast<std::size_t>(node.members()[static_cast<std::size_t>(local)])];
    if (member >= 0) {
      peers_[static_cast<std::size_t>(member)].area = offset;
      processes_[static_cast<std::size_t>(member)] = node.process(local);
    }
    offset += sizes[static_cast<std::size_t>(local)];
  }
  own_.area = peer(rank_).area;
  for (Piece &piece : own_.table.pieces) {
    if (piece.base == Base::region) piece.offset += own_.area + send_buffer_offset_;
  }
  // What an earlier plan left in the region must not look like a raised flag. Scratch holds no flags.
  std::memset(area(own_), 0, static_cast<std::size_t>(first_half));
  AreaHead &own = *new (area(own_)) AreaHead{};
  own.half_offset[0] = first_half;
  own.half_offset[1] = first_half + half_bytes_;
  for (int half = 0; half < 2; ++half) {
    std::memset(half_base(own_, half), 0, static_cast<std::size_t>(scratch_offset_));
  }
  own_.table.write(area(own_) + sizeof(AreaHead), own);
}

void SharedWire::read_tables(NodeAccess &node) {
  node.barrier();
  for (Peer &peer : peers_) {
    peer.table = SharedTable::read(area(peer) + sizeof(AreaHead), head(peer));
    peer.receives = EndIndex(peer.table.receives);
    peer.pulled_sends = EndIndex(peer.table.pulled_sends);
  }
}

std::byte *SharedWire::address(const Peer &owner, int half, const Piece &piece) const {
  switch (piece.base) {
    case Base::half: return half_base(owner, half) + piece.offset;
    case Base::region: return lease_.data() + piece.offset;
    case Base::process: break;
  }
  return reinterpret_cast<std::byte *>(piece.offset);  // in the owner's process
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

void SharedWire::bind_push(int step, const Transfer &send, int k, std::span<const Run> runs, int half,
                           BoundSchedule &bound) const {
  const Peer &receiver = peer(send.peer);
  const SharedEnd &end = receiver.receives.find(step, rank_, k);
  if (pulled(send)) {
    const SharedEnd &own = peer(rank_).pulled_sends.find(step, send.peer, k);
    bound.acknowledgements.push_back(flag(own_, half, own.flag));
  } else {
    for_each_stretch(
        receiver.table.pieces_of(end), runs,
        [&](const Piece &to, std::int64_t skipped, const Run &from, std::int64_t used, std::int64_t bytes) {
          add_copy(bound, address(receiver, half, to) + skipped, from.address + used, bytes);
        });
  }
  if (!gathers(step)) bound.signals.push_back({flag(receiver, half, end.flag), &head(receiver).bell});
}

void SharedWire::bind_arrival(int step, const Transfer &receive, int k, std::span<const Run> runs, int half,
                              BoundSchedule &bound) const {
  const SharedEnd &end = peer(rank_).receives.find(step, receive.peer, k);
  if (!pulled(receive)) {
    if (gathers(step)) return;
    bound.flags.push_back(flag(own_, half, end.flag));
    bound.peers_of_flags.push_back(receive.peer);
    return;
  }
  const Peer &sender = peer(receive.peer);
  const SharedEnd &source = sender.pulled_sends.find(step, rank_, k);
  Pull pull{.peer = receive.peer,
            .ready = flag(own_, half, end.flag),
            .taken = {flag(sender, half, source.flag), &head(sender).bell},
            .mapped = {},
            .process = processes_[static_cast<std::size_t>(index_of_[static_cast<std::size_t>(receive.peer)])],
            .to = {},
            .from = {}};
  for_each_stretch(runs, sender.table.pieces_of(source),
                   [&](const Run &to, std::int64_t skipped, const Piece &from, std::int64_t used, std::int64_t bytes) {
                     std::byte *target = to.address + skipped;
                     std::byte *origin = address(sender, half, from) + used;
                     const auto length = static_cast<std::size_t>(bytes);
                     if (from.base != Base::process) {
                       pull.mapped.push_back({origin, target, length});
                     } else {
                       pull.to.push_back({target, length});
                       pull.from.push_back({origin, length});
                     }
                   });
  bound.pulls.push_back(std::move(pull));
}

void SharedWire::bind_unloading(int step, const Transfer &receive, int k, std::span<const Run> runs, int half,
                                BoundSchedule &bound) const {
  if (pulled(receive)) return;
  const SharedEnd &end = peer(rank_).receives.find(step, receive.peer, k);
  for_each_stretch(runs, own_.table.pieces_of(end),
                   [&](const Run &to, std::int64_t skipped, const Piece &from, std::int64_t used, std::int64_t bytes) {
                     std::byte *source = address(own_, half, from) + used;
                     if (source != to.address + skipped) add_copy(bound, to.address + skipped, source, bytes);
                   });
}

}  // namespace rondo
