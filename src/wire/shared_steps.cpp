#include "wire/shared_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "exchange/error.hpp"
#include "wire/attach.hpp"

namespace rondo::internal {

namespace {

// Copies of a stretch of a run of this process, from `skipped` bytes on, to and from memory that ranks share.
BoundCopy push_of(std::byte *to, const Run &from, std::int64_t skipped, std::int64_t bytes, bool takes) {
  return {from.address + skipped, to, static_cast<std::size_t>(bytes), takes, from.home, Home::plan};
}
BoundCopy take_of(const Run &to, std::int64_t skipped, const std::byte *from, std::int64_t bytes, bool takes) {
  return {from, to.address + skipped, static_cast<std::size_t>(bytes), takes, Home::plan, to.home};
}

// As for_each_stretch, of a message of `cuts` cuts, each of cut_bytes but the last: copy(cut, to, from, bytes) for each
// stretch of a cut.
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

// The first end of the step behind those that have been taken, or null: takes it.
const SharedEnd *next_of(std::span<const SharedEnd> ends, std::uint32_t &taken, int step) {
  while (taken < ends.size() && ends[taken].step < step) ++taken;
  if (taken == ends.size() || ends[taken].step != step) return nullptr;
  return &ends[taken++];
}

// Adjusts the addresses to read from where the sender has moved to other buffers since. Called after the message's flag
// is up, which makes the sender's current bases visible here.
void follow_bases(Pull &pull) {
  const std::intptr_t send = pull.bases->send.load(std::memory_order_relaxed);
  const std::intptr_t receive = pull.bases->receive.load(std::memory_order_relaxed);
  if (send == pull.send_base && receive == pull.receive_base) return;
  for (std::size_t i = 0; i < pull.from.size(); ++i) {
    const std::intptr_t moved = pull.in_receive[i] ? receive - pull.receive_base : send - pull.send_base;
    pull.from[i].iov_base = static_cast<char *>(pull.from[i].iov_base) + moved;
  }
  pull.send_base = send;
  pull.receive_base = receive;
}

// Whether the sender has given up the exchange, so that what has been read of its memory may be anything. To be called
// after the read: the fence keeps processors from doing the read later.
bool withdrawn(const Pull &pull) {
  if (pull.bases == nullptr) return false;
  std::atomic_thread_fence(std::memory_order_acquire);
  return pull.bases->withdrawn.load(std::memory_order_relaxed) != 0;
}

void take(Pull &pull, const Start &start) {
  run(pull.mapped);
  if (!pull.to.empty()) {
    follow_bases(pull);
    try {
      read_process(pull.process, pull.to, pull.from);
    } catch (const Error &error) {
      if (!withdrawn(pull)) throw unreadable(pull.peer, error);  // one that has given up may have freed the memory
    }
  }
  if (!withdrawn(pull)) return;
  throw Error(Fault::stalled, fmt::format("{}: rank {} has given up an exchange", *start.plan, pull.peer))
      .with_peer(pull.peer);
}

}  // namespace

// Finds both ends of each message, for which it is asked in their order: in a step the messages between two ranks match
// in order.
class SharedSteps::Matching {
 public:
  explicit Matching(const SharedRegion &region) : region_(region), taken_(region.peers().size()) {}

  const SharedEnd &own_receive() { return region_.layout().table().receives[receives_++]; }
  const SharedEnd &own_send() { return region_.layout().table().sends[sends_++]; }
  // Of a message that this rank sends to another, and of one that it receives: that rank's end.
  const SharedEnd *receive_of(int rank, int step) {
    const std::size_t place = region_.place_of(rank);
    return next_of(region_.tables()->receives_of(region_.tables()->peer(place)), taken_[place].receives, step);
  }
  const SharedEnd *send_of(int rank, int step) {
    const std::size_t place = region_.place_of(rank);
    return next_of(region_.tables()->sends_of(region_.tables()->peer(place)), taken_[place].sends, step);
  }

  std::vector<Run> runs{};  // of the message that is bound

 private:
  struct Taken {
    std::uint32_t receives = 0;
    std::uint32_t sends = 0;
  };

  const SharedRegion &region_;
  std::size_t receives_ = 0;
  std::size_t sends_ = 0;
  std::vector<Taken> taken_;  // by place in the group
};

SharedSteps::SharedSteps(const Binding &binding) : region_(binding.shared), bank_(binding.bank) {
  if (region_ == nullptr) return;
  banks_ = static_cast<std::uint64_t>(region_->layout().banks());
  last_begun_ = &region_->head(region_->own()).last_begun;
  bell_ = &region_->head(region_->own()).bell;
  if (region_->marks_awaited()) come_to_ = &region_->head(region_->own()).come_to;
  all_meet_ = all_meet(binding.schedule);
  find_credits(binding.schedule);
  find_trays();
  Matching matching(*region_);
  steps_.reserve(binding.steps.size());
  pushes_.reserve(region_->layout().table().sends.size());
  unloads_.reserve(region_->layout().table().receives.size());
  for (const std::size_t step : binding.steps) bind_step(binding, step, matching);
  if (steps_.empty()) steps_.emplace_back();
}

bool SharedSteps::all_meet(const Schedule &schedule) const {
  for (std::size_t step = 0; step < schedule.steps.size(); ++step) {
    if (region_->tables()->all_arrive(step)) return true;
  }
  return false;
}

void SharedSteps::find_credits(const Schedule &schedule) {
  enum class Of : std::uint8_t { none, sent, heard };
  std::vector<Of> peers(region_->peers().size(), Of::none);
  for (const Transfer &send : schedule.sends) {
    if (send.shared()) peers[region_->place_of(send.peer)] = Of::sent;
  }
  for (const Transfer &receive : schedule.receives) {
    if (receive.shared()) peers[region_->place_of(receive.peer)] = Of::heard;
  }
  for (std::size_t place = 0; place < peers.size(); ++place) {
    const SharedRegion::Peer &peer = region_->peers()[place];
    if (peers[place] == Of::sent) credits_.push_back({&region_->head(peer).last_begun, peer.rank});
  }
}

void SharedSteps::find_trays() {
  trays_.resize(region_->peers().size());
  for (const SharedEnd &end : region_->layout().table().receives) {
    if (end.is_tray == 0) continue;
    trays_[region_->place_of(static_cast<int>(end.peer))].own = &region_->layout().table().pieces_of(end).front();
  }
  for (std::size_t place = 0; place < trays_.size(); ++place) {
    for (const SharedEnd &end : region_->tables()->receives_of(region_->tables()->peer(place))) {
      if (end.is_tray != 0) trays_[place].other = &region_->tables()->pieces_of(end).front();
    }
  }
}

// Where a piece of the receiver's inbox lies in the starts of this bank. One of the two is this rank.
std::byte *SharedSteps::inbox(const SharedRegion::Peer &receiver, const SharedRegion::Peer &sender,
                              const Piece &piece) const {
  const bool receives = &receiver == &region_->own();
  const Trays &trays = trays_[region_->place_of(receives ? sender.rank : receiver.rank)];
  if (!trays.both() || bank_ == 0) return region_->address(receiver, bank_, piece);
  const Piece &of_receiver = receives ? *trays.own : *trays.other;
  const Piece &of_sender = receives ? *trays.other : *trays.own;
  return region_->address(sender, 0, of_sender) + (piece.offset - of_receiver.offset);
}

void SharedSteps::bind_step(const Binding &binding, std::size_t index, Matching &matching) {
  const Schedule &schedule = binding.schedule;
  const Step &step = schedule.steps[index];
  const int number = static_cast<int>(index);
  StepRanges ranges;
  ranges.number = number;
  const std::size_t awaited = awaited_.size();
  const std::size_t pushes = pushes_.size();
  const std::size_t signals = signals_.size();
  const std::size_t flags = flags_.size();
  const std::size_t takings = takings_.size();
  const std::size_t acknowledgements = acknowledgements_.size();
  const std::size_t unloads = unloads_.size();
  const std::size_t rings = rings_.size();
  const bool counted = region_->tables()->all_arrive(index);
  if (counted) {
    ranges.arrival_counter = static_cast<int>(arrival_counters_.size());
    arrival_counters_.push_back(&region_->arrival_counter(bank_, number));
  }
  for (const Transfer &send : schedule.sends_of(step)) {
    if (!send.shared()) continue;
    binding.spaces.resolve(schedule, send, matching.runs);
    bind_send({&matching.own_send(), matching.receive_of(send.peer, number), matching.runs, counted}, send, pushes);
  }
  for (const Transfer &receive : schedule.receives_of(step)) {
    if (!receive.shared()) continue;
    binding.spaces.resolve(schedule, receive, matching.runs);
    bind_receive({&matching.own_receive(), matching.send_of(receive.peer, number), matching.runs, counted}, receive);
  }
  ranges.awaited = since(awaited, awaited_);
  ranges.pushes = since(pushes, pushes_);
  ranges.signals = since(signals, signals_);
  ranges.flags = since(flags, flags_);
  ranges.takings = since(takings, takings_);
  ranges.acknowledgements = since(acknowledgements, acknowledgements_);
  ranges.unloads = since(unloads, unloads_);
  ranges.rings = since(rings, rings_);
  steps_.push_back(ranges);
}

void SharedSteps::bind_send(const Ends &ends, const Transfer &send, std::size_t first_push) {
  const SharedRegion::Peer &receiver = region_->peer(send.peer);
  const SharedRegion::Peer &own = region_->own();
  // This rank knows what the receiver expects, so that sizes that differ can be found at no cost.
  check_sizes_meet(own.rank, send.bytes, send.peer, ends.other == nullptr ? 0 : ends.other->bytes);
  if (ends.other == nullptr) return;  // 0 bytes at both ends
  if (ends.other->free_from > 0)
    awaited_.push_back({&region_->head(receiver).come_to, ends.other->free_from, receiver.rank});
  const auto signal = [&](int cut) {
    signals_.push_back({region_->flag(receiver, bank_, ends.other->flag + cut * cache_line),
                        &region_->head(receiver).bell, since(first_push, pushes_).count});
  };
  if (taken_at_rest(send)) return signal(0);
  if (region_->layout().pulled(send.bytes)) {
    acknowledgements_.push_back({region_->flag(own, bank_, ends.own->flag), send.peer});
    return signal(0);
  }
  if (region_->layout().ring(send.bytes)) return bind_ring(ends, receiver, true, send.bytes);
  const bool reads_once = region_->layout().reads_once();
  int signalled = 0;
  for_each_cut(
      region_->tables()->pieces_of(*ends.other), ends.runs, region_->layout().cuts(send.bytes),
      [&](int cut, const Piece &to, std::int64_t skipped, const Run &from, std::int64_t used, std::int64_t bytes) {
        if (cut > signalled) signal(signalled++);
        const bool takes = reads_once && from.home == Home::scratch;
        pushes_.push_back(push_of(inbox(receiver, own, to) + skipped, from, used, bytes, takes));
      });
  if (ends.counted) return;
  signal(signalled);
  constexpr std::size_t most_fetched = 4;
  if (steps_.empty() && fetched_before_.size() < most_fetched && lies_with_flag(*ends.other)) {
    fetched_before_.push_back(signals_.back().flag);
  }
}

// Whether the whole message has its inbox in the cache line of its flag.
bool SharedSteps::lies_with_flag(const SharedEnd &end) const {
  const auto pieces = region_->tables()->pieces_of(end);
  return std::all_of(pieces.begin(), pieces.end(), [&](const Piece &piece) {
    return piece.base == Base::bank && piece.offset + piece.length <= end.flag + cache_line;
  });
}

void SharedSteps::bind_receive(const Ends &ends, const Transfer &receive) {
  const SharedRegion::Peer &sender = region_->peer(receive.peer);
  const SharedRegion::Peer &own = region_->own();
  const SharedEnd *source = ends.other;
  check_sizes_meet(receive.peer, source == nullptr ? 0 : source->bytes, own.rank, receive.bytes);
  if (source == nullptr) return;  // 0 bytes at both ends
  if (taken_at_rest(receive)) return bind_pull(ends, sender, true);
  if (region_->layout().pulled(receive.bytes)) return bind_pull(ends, sender, false);
  if (region_->layout().ring(receive.bytes)) return bind_ring(ends, sender, false, receive.bytes);
  const int cuts = region_->layout().cuts(receive.bytes);
  if (cuts > 1) return bind_cuts(ends, sender, cuts);
  if (!ends.counted) flags_.push_back({region_->flag(own, bank_, ends.own->flag), receive.peer});
  bind_unloading(ends, sender);
}

// What rests is not waited for by its sender, and stays right when that gives up a later exchange.
void SharedSteps::bind_pull(const Ends &ends, const SharedRegion::Peer &sender, bool at_rest) {
  const std::size_t first = pulls_.size();
  Pull &pull = pulls_.emplace_back();
  takings_.push_back({since(first, pulls_)});
  pull.peer = sender.rank;
  pull.ready = region_->flag(region_->own(), bank_, ends.own->flag);
  pull.process = sender.process;
  if (!at_rest) {
    pull.taken = {region_->flag(sender, bank_, ends.other->flag), &region_->head(sender).bell};
    pull.bases = &region_->head(sender).process;
  }
  const auto pieces = region_->tables()->pieces_of(*ends.other);
  const auto lies_in_process = [](const Piece &piece) {
    return piece.base == Base::process_send || piece.base == Base::process_receive;
  };
  // Only then: the sender may be writing its bases at this moment, where the tables are those of an earlier plan. Plans
  // that attach are not kept.
  if (std::any_of(pieces.begin(), pieces.end(), lies_in_process)) {
    pull.send_base = pull.bases->send.load(std::memory_order_relaxed);
    pull.receive_base = pull.bases->receive.load(std::memory_order_relaxed);
  }
  const bool reads_once = sender.table->reads_once;
  for_each_stretch(
      ends.runs, pieces,
      [&](const Run &to, std::int64_t skipped, const Piece &from, std::int64_t used, std::int64_t bytes) {
        if (!lies_in_process(from)) {
          // The lines of a receive buffer are not taken: their owner is going to read them.
          const bool takes = reads_once && from.base != Base::receive_buffer;
          pull.mapped.push_back(take_of(to, skipped, region_->address(sender, bank_, from) + used, bytes, takes));
          return;
        }
        // The base as it was read above, not read again: the sender may be changing it at this moment.
        const bool in_receive = from.base == Base::process_receive;
        const std::intptr_t base = in_receive ? pull.receive_base : pull.send_base;
        const auto length = static_cast<std::size_t>(bytes);
        pull.to.push_back({to.address + skipped, length});
        pull.to_homes.push_back(to.home);
        pull.from.push_back({reinterpret_cast<void *>(base + from.offset + used), length});
        pull.in_receive.push_back(in_receive);
      });
}

// The slots and the count of what has been written lie with the receiver, the count of what has been taken with the
// sender.
void SharedSteps::bind_ring(const Ends &ends, const SharedRegion::Peer &peer, bool sends, std::int64_t bytes) {
  const SharedRegion::Peer &own = region_->own();
  const SharedRegion::Peer &sender = sends ? own : peer;
  const SharedRegion::Peer &receiver = sends ? peer : own;
  const SharedEnd &source = sends ? *ends.own : *ends.other;
  const SharedEnd &target = sends ? *ends.other : *ends.own;
  const Piece &ring =
      sends ? region_->tables()->pieces_of(target).front() : region_->layout().table().pieces_of(target).front();
  Flag *const taken = region_->flag(sender, bank_, source.flag);
  Flag *const written = region_->flag(receiver, bank_, target.flag);
  std::byte *const slots = region_->address(receiver, bank_, ring);
  const RingEnd::Places places{slots, sends ? taken : written, sends ? written : taken, &region_->head(peer).bell};
  rings_.emplace_back(sends, peer.rank, *region_->layout().ring(bytes), places,
                      std::vector<Run>(ends.runs.begin(), ends.runs.end()));
}

void SharedSteps::bind_cuts(const Ends &ends, const SharedRegion::Peer &sender, int cuts) {
  const SharedRegion::Peer &own = region_->own();
  std::vector<Pull> pulls(cuts);
  for (std::size_t cut = 0; cut < pulls.size(); ++cut) {
    pulls[cut].peer = sender.rank;
    pulls[cut].ready = region_->flag(own, bank_, ends.own->flag + static_cast<std::int64_t>(cut) * cache_line);
  }
  for_each_cut(
      ends.runs, region_->layout().table().pieces_of(*ends.own), cuts,
      [&](int cut, const Run &to, std::int64_t skipped, const Piece &from, std::int64_t used, std::int64_t bytes) {
        const std::byte *origin = inbox(own, sender, from) + used;
        if (origin == to.address + skipped) return;
        pulls[cut].mapped.push_back(take_of(to, skipped, origin, bytes, true));
      });
  const std::size_t first = pulls_.size();
  std::move(pulls.begin(), pulls.end(), std::back_inserter(pulls_));
  takings_.push_back({since(first, pulls_)});
}

void SharedSteps::bind_unloading(const Ends &ends, const SharedRegion::Peer &sender) {
  const SharedRegion::Peer &own = region_->own();
  for_each_stretch(ends.runs, region_->layout().table().pieces_of(*ends.own),
                   [&](const Run &to, std::int64_t skipped, const Piece &from, std::int64_t used, std::int64_t bytes) {
                     const std::byte *source = inbox(own, sender, from) + used;
                     if (source == to.address + skipped) return;
                     unloads_.push_back(take_of(to, skipped, source, bytes, true));
                   });
}

// True once all messages of the step that this rank takes itself have been taken.
bool SharedSteps::take_what_is_there(const StepRanges &step, const Start &start) {
  const std::span<Taking> takings = takings_of(step);
  for (std::size_t i = takings_over_; i < takings.size(); ++i) {
    Taking &taking = takings[i];
    for (; taking.done < taking.pulls.count; ++taking.done) {
      Pull &next = pulls_[taking.pulls.first + taking.done];
      if (!up(next.ready, start.number)) break;
      pull(next, start);
    }
    if (taking.done == taking.pulls.count) std::swap(taking, takings[takings_over_++]);
  }
  return takings_over_ == takings.size();
}

// Acknowledges to the sender even if the pull throws: its memory is not read any more, and without an acknowledgement
// its step would never end.
void SharedSteps::pull(Pull &pull, const Start &start) {
  try {
    take(pull, start);
  } catch (...) {
    if (pull.taken.flag != nullptr) give(pull.taken, start);
    throw;
  }
  if (pull.taken.flag != nullptr) give(pull.taken, start);
}

void SharedSteps::move(const Moved &moved) {
  internal::move(pushes_, moved);
  internal::move(unloads_, moved);
  for (Pull &pull : pulls_) {
    internal::move(pull.mapped, moved);
    for (std::size_t i = 0; i < pull.to.size(); ++i) {
      auto *address = static_cast<std::byte *>(pull.to[i].iov_base);
      moved.follow(address, pull.to_homes[i]);
      pull.to[i].iov_base = address;
    }
  }
  for (RingEnd &ring : rings_) ring.move(moved);
}

bool SharedSteps::needed_after_begin() const {
  const auto takes_from_others = [](const Pull &pull) { return pull.taken.flag != nullptr; };
  return !credits_.empty() || !rings_.empty() || std::any_of(pulls_.begin(), pulls_.end(), takes_from_others);
}

std::uint32_t SharedSteps::arrivals(std::size_t step) const {
  std::uint32_t all = flags_up_ + acknowledged_;
  for (const Taking &taking : part(takings_, steps_[step].takings)) all += taking.done;
  for (const RingEnd &ring : part(rings_, steps_[step].rings)) all += static_cast<std::uint32_t>(ring.moved());
  return all;
}

void SharedSteps::name_holding_up(std::size_t index, const Start &start, std::set<int> &ranks) const {
  for (const Awaited &place : part(awaited_, steps_[index].awaited)) {
    if (!up(place.mark, region_->mark_of(start.number, place.step))) ranks.insert(place.rank);
  }
  if (index > 0) return;
  for (const auto &[flag, rank] : credits_) {
    if (!up(flag, credit_for(start))) ranks.insert(rank);
  }
}

void SharedSteps::name_missing(std::size_t index, const Start &start, std::set<int> &ranks) const {
  const StepRanges &step = steps_[index];
  // An arrival counter does not say which ranks it has counted; but a rank that has not begun this start has not.
  if (step.arrival_counter >= 0) region_->name_not_begun(start.number, ranks);
  const auto name = [&](std::span<const PeerFlag> flags) {
    for (const auto &[flag, rank] : flags) {
      if (!up(flag, start.number)) ranks.insert(rank);
    }
  };
  name(part(flags_, step.flags));
  for (const Taking &taking : part(takings_, step.takings).subspan(takings_over_)) {
    ranks.insert(pulls_[taking.pulls.first].peer);
  }
  name(part(acknowledgements_, step.acknowledgements));
  for (const RingEnd &ring : part(rings_, step.rings)) {
    if (!ring.done()) ranks.insert(ring.peer());
  }
}

}  // namespace rondo::internal
