#include "wire/shared_layout.hpp"

#include <algorithm>
#include <utility>

#include "wire/page.hpp"

namespace rondo::internal {

namespace {

constexpr auto flag_bytes = static_cast<std::int64_t>(sizeof(Flag));

std::int64_t up_to_line(std::int64_t bytes) {
  return up_to(cache_line, bytes);
}

// The length of a bank. Caches fetch ahead of a copy, beyond its end too, where others may be busy, the further the
// longer it is, but not beyond the page: so what is long ends with one, and what is shorter with lines that nobody
// uses.
std::int64_t whole(std::int64_t bytes) {
  constexpr std::int64_t few_lines = 6 * cache_line;
  constexpr std::int64_t fetched_ahead = 4 * cache_line;
  if (bytes >= page / 2) return up_to(page, bytes);
  return up_to_line(bytes) + (bytes < few_lines ? 0 : fetched_ahead);
}

// Whether a slice that is received is written straight to where it stays.
bool lands_in_scratch(const Schedule &schedule, const Slice &slice) {
  return slice.space == Space::scratch && schedule.writers_reach_scratch;
}

// Calls visit(slice) for what a slice is in its buffer: for each run, where the blocks of the send space have gaps
// there.
template <class Visit>
void for_each_run(const Slice &slice, const RunSpace *sent, Visit &&visit) {
  if (sent == nullptr || slice.space != Space::send) return visit(slice);
  sent->for_each_run(slice, [&](const Extent &run) { visit(Slice{run.offset, run.length, Space::send}); });
}

// Whether no byte is read by two messages or copies of this rank. In an all-gather some are, and in an all-to-all whose
// caller sends the same bytes to several ranks.
bool no_byte_is_read_twice(const Schedule &schedule, const RunSpace *sent) {
  std::vector<Slice> read;
  const auto add = [&](const Slice &slice) {
    for_each_run(slice, sent, [&](const Slice &run) { read.push_back(run); });
  };
  for (const Transfer &send : schedule.sends) {
    for (const Slice &slice : schedule.slices_of(send)) add(slice);
  }
  for (const auto *copies : {&schedule.prologue, &schedule.meanwhile, &schedule.epilogue}) {
    for (const Copy &copy : *copies) add(copy.from);
  }
  std::sort(read.begin(), read.end(),
            [](const Slice &a, const Slice &b) { return std::pair(a.space, a.offset) < std::pair(b.space, b.offset); });
  return std::adjacent_find(read.begin(), read.end(), [](const Slice &a, const Slice &b) { return a.overlaps(b); }) ==
         read.end();
}

}  // namespace

std::int64_t most_in_inboxes(int ranks_of_node) {
  constexpr std::int64_t of_few = 3 << 19;
  // Of 32 MiB: flags and tables need the rest, and a region is larger by up to a quarter than what a plan asks for.
  constexpr std::int64_t of_inboxes = 24 << 20;
  return ranks_of_node <= 16 ? of_few : of_inboxes / 5 * 2 / ranks_of_node;
}

std::int64_t most_in_inbox(int ranks_of_node) {
  return std::max<std::int64_t>(most_in_inboxes(ranks_of_node) / std::max(1, ranks_of_node - 1), 16 * cache_line);
}

int banks_for(bool one_way, std::int64_t turns, std::int64_t most_moved, int ranks_of_node) {
  constexpr std::int64_t most = 32;
  constexpr std::int64_t in_caches = 256 << 10;
  if (!one_way || turns == 1) return 2;
  const std::int64_t room = std::min(in_caches, 2 * most_in_inboxes(ranks_of_node));
  return static_cast<int>(std::clamp<std::int64_t>(room / std::max<std::int64_t>(1, most_moved), 2, most));
}

SharedLayout::SharedLayout(const Schedule &schedule, SharedGroup group, const PlanBuffers &buffers,
                           const RunSpace *sent)
    : group_(std::move(group)),
      buffers_(buffers),
      steps_disjoint_(schedule.steps_disjoint),
      reads_once_(no_byte_is_read_twice(schedule, sent)) {
  find_trays(schedule);
  place_messages(schedule, sent);
  place_area(schedule.scratch_bytes);
}

// A message that is pulled is written at once to where it stays, while other ranks may still pull what this rank sends:
// so no step may receive where something lies that it sends.
bool SharedLayout::pulled(std::int64_t bytes) const {
  return steps_disjoint_ && (group_.pull_attached || group_.pull_mapped) && bytes >= group_.least_pulled;
}

// The cuts of a message are copied to where they stay one by one, so for them the same must hold.
int SharedLayout::cuts(std::int64_t bytes) const {
  if (const auto shape = ring(bytes)) return static_cast<int>(std::min<std::int64_t>(shape->cuts(), INT_MAX));
  if (!steps_disjoint_ || bytes < 2 * cut_bytes) return 1;
  return static_cast<int>((bytes + cut_bytes - 1) / cut_bytes);
}

std::optional<RingShape> SharedLayout::ring(std::int64_t bytes) const {
  if (!steps_disjoint_ || bytes <= group_.most_in_inbox) return std::nullopt;
  constexpr std::int64_t most_slots = 16;  // what is under way then stays in caches that belong to a core
  const std::int64_t half = group_.most_in_inbox / 2 / cache_line * cache_line;
  const std::int64_t cut = std::clamp(half, cache_line, cut_bytes);
  return RingShape{bytes, cut, std::clamp<std::int64_t>(group_.most_in_inbox / cut, 2, most_slots)};
}

bool SharedLayout::reads_others() const {
  return group_.pull_attached && !group_.pull_mapped &&
         std::any_of(table_.receives.begin(), table_.receives.end(),
                     [&](const SharedEnd &end) { return pulled(end.bytes); });
}

bool SharedLayout::others_read(Base space) const {
  return std::any_of(table_.pieces.begin(), table_.pieces.end(),
                     [&](const Piece &piece) { return piece.base == space; });
}

// Of the ranks with which this one exchanges one message each way, both through inboxes that lie in a bank as a whole.
void SharedLayout::find_trays(const Schedule &schedule) {
  struct Both {
    int sends = 0;
    int receives = 0;
    std::int64_t shorter = INT64_MAX;
    std::int64_t longer = 0;
    std::int64_t received = 0;
    bool by_inbox = true;
  };
  tray_bytes_.resize(group_.members.size());
  if (group_.banks != 2) return;
  std::vector<Both> peers(group_.members.size());
  const auto add = [&](const Transfer &message) -> Both & {
    Both &peer = peers[place_of(message.peer)];
    peer.shorter = std::min(peer.shorter, message.bytes);
    peer.longer = std::max(peer.longer, message.bytes);
    peer.by_inbox = peer.by_inbox && goes_by_inbox(message);
    return peer;
  };
  for (const Transfer &send : schedule.sends) {
    if (send.shared()) ++add(send).sends;
  }
  for (const Transfer &receive : schedule.receives) {
    if (!receive.shared()) continue;
    Both &peer = add(receive);
    ++peer.receives;
    peer.received += goes_by_inbox(receive) ? receive.bytes : 0;
    for (const Slice &slice : schedule.slices_of(receive)) {
      peer.by_inbox = peer.by_inbox && !lands_in_scratch(schedule, slice);
    }
  }
  std::int64_t all = 0;
  for (std::size_t place = 0; place < peers.size(); ++place) {
    const Both &peer = peers[place];
    const bool one_each = peer.sends == 1 && peer.receives == 1;
    if (one_each && peer.by_inbox && peer.shorter >= group_.least_in_tray) tray_bytes_[place] = peer.longer;
    all += std::max(tray_bytes_[place], peer.received);
  }
  if (all > most_in_inboxes(static_cast<int>(group_.members.size()))) tray_bytes_.assign(peers.size(), 0);
}

std::size_t SharedLayout::place_of(std::int64_t rank) const {
  const auto member = std::lower_bound(group_.members.begin(), group_.members.end(), rank);
  return static_cast<std::size_t>(member - group_.members.begin());
}

void SharedLayout::place_messages(const Schedule &schedule, const RunSpace *sent) {
  const int others = static_cast<int>(group_.members.size()) - 1;
  const int steps = static_cast<int>(schedule.steps.size());
  arrival_counters_ = others > 1 ? steps : 0;
  offsets_.bank_bytes = arrival_counters_ * static_cast<std::int64_t>(sizeof(ArrivalCounter));
  table_.receives.reserve(schedule.receives.size());
  table_.sends.reserve(schedule.sends.size());
  table_.pieces.reserve(schedule.receives.size());
  table_.full.reserve(schedule.steps.size());
  for (int index = 0; index < steps; ++index) {
    const Step &step = schedule.steps[index];
    int counted = 0;  // messages whose flag an arrival counter can replace
    for (const Transfer &receive : schedule.receives_of(step)) {
      if (!receive.shared()) continue;
      place_receive(schedule, index, receive);
      counted += counts_as_arrival(receive) ? 1 : 0;
    }
    for (const Transfer &send : schedule.sends_of(step)) {
      if (!send.shared()) continue;
      place_send(schedule, index, send, sent);
      counted += counts_as_arrival(send) ? 1 : 0;
    }
    table_.full.push_back(others > 1 && counted == 2 * others ? 1 : 0);
  }
}

void SharedLayout::place_receive(const Schedule &schedule, int step, const Transfer &receive) {
  const auto first_piece = static_cast<std::int64_t>(table_.pieces.size());
  SharedEnd end{step, 0, receive.peer, receive.bytes, offsets_.bank_bytes, first_piece, 0, 0};
  if (pulled(receive.bytes)) {
    offsets_.bank_bytes += cache_line;
    table_.receives.push_back(end);
    return;
  }
  if (const auto shape = ring(receive.bytes)) {
    offsets_.bank_bytes += cache_line;
    table_.pieces.push_back({Base::bank, offsets_.bank_bytes, shape->slots * shape->cut});
    offsets_.bank_bytes += shape->slots * shape->cut;
    ++end.pieces;
  } else {
    end.free_from = receive.free_from;
    place_inbox(schedule, receive, end);
  }
  offsets_.bank_bytes = up_to_line(offsets_.bank_bytes);
  table_.receives.push_back(end);
}

void SharedLayout::place_inbox(const Schedule &schedule, const Transfer &receive, SharedEnd &end) {
  offsets_.bank_bytes += (cuts(receive.bytes) - 1) * cache_line + flag_bytes;
  std::int64_t inbox = 0;
  for (const Slice &slice : schedule.slices_of(receive)) inbox += lands_in_scratch(schedule, slice) ? 0 : slice.length;
  // A short message shares its flag's cache line, so that one transfer between cores brings both.
  if (inbox > cache_line - flag_bytes) offsets_.bank_bytes = up_to_line(offsets_.bank_bytes);
  const std::int64_t begin = offsets_.bank_bytes;
  for (const Slice &slice : schedule.slices_of(receive)) {
    if (lands_in_scratch(schedule, slice)) {
      table_.pieces.push_back({Base::scratch, slice.offset, slice.length});
    } else {
      table_.pieces.push_back({Base::bank, offsets_.bank_bytes, slice.length});
      offsets_.bank_bytes += slice.length;
    }
    ++end.pieces;
  }
  const std::int64_t tray = tray_bytes_[place_of(receive.peer)];
  if (tray == 0) return;
  end.is_tray = 1;
  offsets_.bank_bytes = begin + tray;
}

void SharedLayout::place_send(const Schedule &schedule, int step, const Transfer &send, const RunSpace *sent) {
  const auto first_piece = static_cast<std::int64_t>(table_.pieces.size());
  SharedEnd end{step, 0, send.peer, send.bytes, offsets_.bank_bytes, first_piece, 0, 0};
  offsets_.bank_bytes += flags_of_send(send.bytes) * cache_line;
  if (pulled(send.bytes) || taken_at_rest(send)) {
    for (const Slice &slice : schedule.slices_of(send))
      for_each_run(slice, sent, [&](const Slice &run) { table_.pieces.push_back(source(run)); });
    end.pieces = static_cast<std::int32_t>(std::ssize(table_.pieces) - first_piece);
  }
  table_.sends.push_back(end);
}

// Where a receiver finds what this rank sends.
Piece SharedLayout::source(const Slice &slice) const {
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

void SharedLayout::place_area(std::int64_t scratch_bytes) {
  offsets_.scratch = offsets_.bank_bytes;
  offsets_.bank_bytes = whole(offsets_.bank_bytes + scratch_bytes);
  const std::int64_t head_bytes = static_cast<std::int64_t>(sizeof(AreaHead)) + table_.bytes();
  offsets_.banks = offsets_.bank_bytes % page == 0 ? up_to(page, head_bytes) : up_to_line(head_bytes);
  area_bytes_ = up_to(page, offsets_.bank(banks()));
  const auto place = [&](const std::optional<Extent> &buffer, std::int64_t &base) {
    if (!buffer) return;
    base = area_bytes_ - buffer->offset;
    area_bytes_ += up_to(page, buffer->length);
  };
  place(buffers_.send, offsets_.send_buffer);
  place(buffers_.receive, offsets_.receive_buffer);
}

}  // namespace rondo::internal
