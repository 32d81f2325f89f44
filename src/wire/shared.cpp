#include "wire/shared.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>
#include <set>
#include <utility>

#include "exchange/error.hpp"

namespace rondo::internal {

namespace {

// From this size on a message is pulled (docs/performance.md has the measurements behind it).
constexpr std::int64_t least_pulled = 16384;

std::int64_t up_to_line(std::int64_t bytes) {
  return up_to(cache_line, bytes);
}

// The length of a half. Caches fetch ahead of a long copy, beyond its end too, where others may be busy, but not beyond
// the page: so what is long ends with one.
std::int64_t whole(std::int64_t bytes) {
  return up_to(bytes < page / 2 ? cache_line : page, bytes);
}

// Whether a slice that is received is written straight to where it stays: scratch whose places hold one block each.
bool lands_in_scratch(const Schedule &schedule, const Slice &slice) {
  return slice.space == Space::scratch && !schedule.scratch_reused;
}

// An all-gather does not, and a caller may send bytes twice.
bool no_byte_is_read_twice(const Schedule &schedule) {
  std::vector<Slice> read;
  for (const Transfer &send : schedule.sends) {
    const auto slices = schedule.slices_of(send);
    read.insert(read.end(), slices.begin(), slices.end());
  }
  for (const auto *copies : {&schedule.prologue, &schedule.meanwhile, &schedule.epilogue}) {
    for (const Copy &copy : *copies) read.push_back(copy.from);
  }
  std::sort(read.begin(), read.end(),
            [](const Slice &a, const Slice &b) { return std::pair(a.space, a.offset) < std::pair(b.space, b.offset); });
  return std::adjacent_find(read.begin(), read.end(), [](const Slice &a, const Slice &b) { return a.overlaps(b); }) ==
         read.end();
}

}  // namespace

SharedWire::SharedWire(const Schedule &schedule, const NodeAccess &node, SharedGroup group, const OwnBuffers &buffers)
    : group_(std::move(group)),
      buffers_(buffers),
      apart_(schedule.apart),
      reads_once_(no_byte_is_read_twice(schedule)),
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
bool SharedWire::pulled(std::int64_t bytes) const {
  return apart_ && (group_.pull_attached || group_.pull_mapped) && bytes >= least_pulled;
}

// The same holds for cuts.
int SharedWire::cuts(std::int64_t bytes) const {
  if (!apart_ || bytes < 2 * cut_bytes) return 1;
  return static_cast<int>((bytes + cut_bytes - 1) / cut_bytes);
}

void SharedWire::plan_area(const Schedule &schedule) {
  const int others = static_cast<int>(group_.members.size()) - 1;
  const int steps = static_cast<int>(schedule.steps.size());
  gatherings_ = others > 1 ? steps : 0;
  half_bytes_ = gatherings_ * static_cast<std::int64_t>(sizeof(GatheringLine));
  for (int index = 0; index < steps; ++index) {
    const Step &step = schedule.steps[static_cast<std::size_t>(index)];
    int partners = 0;  // by one pushed message whose flag a gathering can replace
    const auto is_partner = [&](const Transfer &transfer) {
      return !pulled(transfer.bytes) && cuts(transfer.bytes) == 1;
    };
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
  half_bytes_ = whole(half_bytes_ + schedule.scratch_bytes);
}

void SharedWire::plan_receive(const Schedule &schedule, int step, const Transfer &receive) {
  SharedTable &table = own_.table;
  SharedEnd end{step, receive.peer, receive.bytes, half_bytes_, static_cast<std::int64_t>(table.pieces.size()), 0};
  if (pulled(receive.bytes)) {
    half_bytes_ += cache_line;
    table.receives.push_back(end);
    return;
  }
  half_bytes_ += (cuts(receive.bytes) - 1) * cache_line + static_cast<std::int64_t>(sizeof(Flag));
  std::int64_t room = 0;
  for (const Slice &slice : schedule.slices_of(receive)) room += lands_in_scratch(schedule, slice) ? 0 : slice.length;
  // A short message shares its flag's cache line, so that one transfer between cores brings both.
  if (room > cache_line - static_cast<std::int64_t>(sizeof(Flag))) half_bytes_ = up_to_line(half_bytes_);
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
  if (pulled(send.bytes)) {
    half_bytes_ += cache_line;
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
  const std::int64_t head_bytes = static_cast<std::int64_t>(sizeof(AreaHead)) + own_.table.bytes();
  const std::int64_t first_half = half_bytes_ % page == 0 ? up_to(page, head_bytes) : up_to_line(head_bytes);
  head.half_offset[0] = first_half;
  head.half_offset[1] = first_half + half_bytes_;
  head.scratch_offset = scratch_offset_;
  std::int64_t bytes = up_to(page, first_half + 2 * half_bytes_);
  const auto place = [&](const std::optional<Extent> &buffer, std::int64_t &base) {
    if (!buffer) return;
    base = bytes - buffer->offset;
    bytes += up_to(page, buffer->length);
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

// What an earlier plan left in the region must not look like a raised flag, nor its data be the caller's to see. What
// is read of rooms and scratch has been written at that start, but for padding, which goes nowhere.
void SharedWire::write_area(std::int64_t first_half, const AreaHead &head) {
  std::memset(area(own_), 0, static_cast<std::size_t>(first_half));
  AreaHead &own = *new (area(own_)) AreaHead{};
  std::copy_n(head.half_offset, 2, own.half_offset);
  own.scratch_offset = head.scratch_offset;
  own.send_buffer = head.send_buffer;
  own.receive_buffer = head.receive_buffer;
  own.reads_once = reads_once_ ? 1 : 0;
  for (int half = 0; half < 2; ++half) lower_flags(half_base(own_, half));
  const auto clear = [](std::byte *base, const std::optional<Extent> &buffer) {
    if (buffer) std::memset(base + buffer->offset, 0, static_cast<std::size_t>(buffer->length));
  };
  clear(send_base(), buffers_.send);
  clear(receive_base(), buffers_.receive);
  own_.table.write(area(own_) + sizeof(AreaHead), own);
}

void SharedWire::lower_flags(std::byte *half) const {
  auto *gatherings = reinterpret_cast<GatheringLine *>(half);
  for (int step = 0; step < gatherings_; ++step) new (&gatherings[step]) GatheringLine{};
  const auto lower = [&](const SharedEnd &end, int flags) {
    for (int flag = 0; flag < flags; ++flag) new (half + end.flag + flag * cache_line) Flag{};
  };
  for (const SharedEnd &end : own_.table.receives) lower(end, pulled(end.bytes) ? 1 : cuts(end.bytes));
  for (const SharedEnd &end : own_.table.sends) lower(end, pulled(end.bytes) ? 1 : 0);
}

void SharedWire::read_tables() {
  for (Peer &peer : peers_) {
    peer.table = SharedTable::read(area(peer) + sizeof(AreaHead), head(peer));
    peer.receives = EndIndex(peer.table.receives);
    peer.sends = EndIndex(peer.table.sends);
  }
}

bool SharedWire::others_read(Base space) const {
  const std::vector<Piece> &pieces = own_.table.pieces;
  return std::any_of(pieces.begin(), pieces.end(), [&](const Piece &piece) { return piece.base == space; });
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

}  // namespace rondo::internal
