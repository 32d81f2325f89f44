#include "wire/shared_binding.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "wire/shared_region.hpp"

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

// Finds both ends of each message, for which it is asked in their order: in a step the messages between two ranks match
// in order.
class Matching {
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

// Works out all of a rank's messages through shared memory for one bank.
class SharedBinding {
 public:
  explicit SharedBinding(const Binding &binding);

  [[nodiscard]] SharedMessages messages() && { return std::move(messages_); }

 private:
  // The inboxes, if any, that this rank and another take turns with: in the banks of both.
  struct Trays {
    const Piece *own = nullptr;
    const Piece *other = nullptr;

    [[nodiscard]] bool both() const { return own != nullptr && other != nullptr; }
  };

  // A message that is bound: what both ranks have told of it.
  struct Ends {
    const SharedEnd *own;
    const SharedEnd *other;     // null where that rank knows of no such message
    std::span<const Run> runs;  // its slices in this process
    bool counted;               // an arrival counter stands for the flags of the step
  };

  [[nodiscard]] bool all_meet() const;
  [[nodiscard]] bool taken_at_rest(const Transfer &message) const {
    return all_meet_ && region_->layout().taken_at_rest(message);
  }
  void find_credits();
  void find_trays();
  void bind_step(std::size_t index);
  void bind_send(const Ends &ends, const Transfer &send, std::size_t first_push);
  void bind_receive(const Ends &ends, const Transfer &receive);
  void bind_pull(const Ends &ends, const SharedRegion::Peer &sender, bool at_rest);
  void bind_cuts(const Ends &ends, const SharedRegion::Peer &sender, int cuts);
  void bind_unloading(const Ends &ends, const SharedRegion::Peer &sender);
  void bind_ring(const Ends &ends, const SharedRegion::Peer &peer, bool sends, std::int64_t bytes);
  [[nodiscard]] bool lies_with_flag(const SharedEnd &end) const;
  [[nodiscard]] std::byte *inbox(const SharedRegion::Peer &receiver, const SharedRegion::Peer &sender,
                                 const Piece &piece) const;

  const Binding &binding_;
  const SharedRegion *region_;
  int bank_;
  bool all_meet_;
  Matching matching_;
  std::vector<Trays> trays_{};  // by place in the group
  SharedMessages messages_{};
};

SharedBinding::SharedBinding(const Binding &binding)
    : binding_(binding), region_(binding.shared), bank_(binding.bank), all_meet_(all_meet()), matching_(*region_) {
  find_credits();
  find_trays();
  messages_.steps.reserve(binding.steps.size());
  messages_.pushes.reserve(region_->layout().table().sends.size());
  messages_.unloads.reserve(region_->layout().table().receives.size());
  for (const std::size_t step : binding.steps) bind_step(step);
  if (messages_.steps.empty()) messages_.steps.emplace_back();
}

bool SharedBinding::all_meet() const {
  for (std::size_t step = 0; step < binding_.schedule.steps.size(); ++step) {
    if (region_->tables()->all_arrive(step)) return true;
  }
  return false;
}

void SharedBinding::find_credits() {
  enum class Of : std::uint8_t { none, sent, heard };
  std::vector<Of> peers(region_->peers().size(), Of::none);
  for (const Transfer &send : binding_.schedule.sends) {
    if (send.shared()) peers[region_->place_of(send.peer)] = Of::sent;
  }
  for (const Transfer &receive : binding_.schedule.receives) {
    if (receive.shared()) peers[region_->place_of(receive.peer)] = Of::heard;
  }
  for (std::size_t place = 0; place < peers.size(); ++place) {
    const SharedRegion::Peer &peer = region_->peers()[place];
    if (peers[place] == Of::sent) messages_.credits.push_back({&region_->head(peer).last_begun, peer.rank});
  }
}

void SharedBinding::find_trays() {
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
std::byte *SharedBinding::inbox(const SharedRegion::Peer &receiver, const SharedRegion::Peer &sender,
                                const Piece &piece) const {
  const bool receives = &receiver == &region_->own();
  const Trays &trays = trays_[region_->place_of(receives ? sender.rank : receiver.rank)];
  if (!trays.both() || bank_ == 0) return region_->address(receiver, bank_, piece);
  const Piece &of_receiver = receives ? *trays.own : *trays.other;
  const Piece &of_sender = receives ? *trays.other : *trays.own;
  return region_->address(sender, 0, of_sender) + (piece.offset - of_receiver.offset);
}

void SharedBinding::bind_step(std::size_t index) {
  const Schedule &schedule = binding_.schedule;
  const Step &step = schedule.steps[index];
  const int number = static_cast<int>(index);
  SharedStep ranges;
  ranges.number = number;
  const std::size_t awaited = messages_.awaited.size();
  const std::size_t pushes = messages_.pushes.size();
  const std::size_t signals = messages_.signals.size();
  const std::size_t flags = messages_.flags.size();
  const std::size_t takings = messages_.takings.size();
  const std::size_t acknowledgements = messages_.acknowledgements.size();
  const std::size_t unloads = messages_.unloads.size();
  const std::size_t rings = messages_.rings.size();
  const bool counted = region_->tables()->all_arrive(index);
  if (counted) {
    ranges.arrival_counter = static_cast<int>(messages_.arrival_counters.size());
    messages_.arrival_counters.push_back(&region_->arrival_counter(bank_, number));
  }
  for (const Transfer &send : schedule.sends_of(step)) {
    if (!send.shared()) continue;
    binding_.spaces.resolve(schedule, send, matching_.runs);
    bind_send({&matching_.own_send(), matching_.receive_of(send.peer, number), matching_.runs, counted}, send, pushes);
  }
  for (const Transfer &receive : schedule.receives_of(step)) {
    if (!receive.shared()) continue;
    binding_.spaces.resolve(schedule, receive, matching_.runs);
    bind_receive({&matching_.own_receive(), matching_.send_of(receive.peer, number), matching_.runs, counted}, receive);
  }
  ranges.awaited = since(awaited, messages_.awaited);
  ranges.pushes = since(pushes, messages_.pushes);
  ranges.signals = since(signals, messages_.signals);
  ranges.flags = since(flags, messages_.flags);
  ranges.takings = since(takings, messages_.takings);
  ranges.acknowledgements = since(acknowledgements, messages_.acknowledgements);
  ranges.unloads = since(unloads, messages_.unloads);
  ranges.rings = since(rings, messages_.rings);
  messages_.steps.push_back(ranges);
}

void SharedBinding::bind_send(const Ends &ends, const Transfer &send, std::size_t first_push) {
  const SharedRegion::Peer &receiver = region_->peer(send.peer);
  const SharedRegion::Peer &own = region_->own();
  // This rank knows what the receiver expects, so that sizes that differ can be found at no cost.
  check_sizes_meet(own.rank, send.bytes, send.peer, ends.other == nullptr ? 0 : ends.other->bytes);
  if (ends.other == nullptr) return;  // 0 bytes at both ends
  if (ends.other->free_from > 0)
    messages_.awaited.push_back({&region_->head(receiver).come_to, ends.other->free_from, receiver.rank});
  const auto signal = [&](int cut) {
    messages_.signals.push_back({region_->flag(receiver, bank_, ends.other->flag + cut * cache_line),
                                 &region_->head(receiver).bell, since(first_push, messages_.pushes).count});
  };
  if (taken_at_rest(send)) return signal(0);
  if (region_->layout().pulled(send.bytes)) {
    messages_.acknowledgements.push_back({region_->flag(own, bank_, ends.own->flag), send.peer});
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
        messages_.pushes.push_back(push_of(inbox(receiver, own, to) + skipped, from, used, bytes, takes));
      });
  if (ends.counted) return;
  signal(signalled);
  constexpr std::size_t most_fetched = 4;
  if (messages_.steps.empty() && messages_.fetched_before.size() < most_fetched && lies_with_flag(*ends.other)) {
    messages_.fetched_before.push_back(messages_.signals.back().flag);
  }
}

// Whether the whole message has its inbox in the cache line of its flag.
bool SharedBinding::lies_with_flag(const SharedEnd &end) const {
  const auto pieces = region_->tables()->pieces_of(end);
  return std::all_of(pieces.begin(), pieces.end(), [&](const Piece &piece) {
    return piece.base == Base::bank && piece.offset + piece.length <= end.flag + cache_line;
  });
}

void SharedBinding::bind_receive(const Ends &ends, const Transfer &receive) {
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
  if (!ends.counted) messages_.flags.push_back({region_->flag(own, bank_, ends.own->flag), receive.peer});
  bind_unloading(ends, sender);
}

// What rests is not waited for by its sender, and stays right when that gives up a later exchange.
void SharedBinding::bind_pull(const Ends &ends, const SharedRegion::Peer &sender, bool at_rest) {
  const std::size_t first = messages_.pulls.size();
  Pull &pull = messages_.pulls.emplace_back();
  messages_.takings.push_back({since(first, messages_.pulls)});
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
void SharedBinding::bind_ring(const Ends &ends, const SharedRegion::Peer &peer, bool sends, std::int64_t bytes) {
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
  messages_.rings.emplace_back(sends, peer.rank, *region_->layout().ring(bytes), places,
                               std::vector<Run>(ends.runs.begin(), ends.runs.end()));
}

void SharedBinding::bind_cuts(const Ends &ends, const SharedRegion::Peer &sender, int cuts) {
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
  const std::size_t first = messages_.pulls.size();
  std::move(pulls.begin(), pulls.end(), std::back_inserter(messages_.pulls));
  messages_.takings.push_back({since(first, messages_.pulls)});
}

void SharedBinding::bind_unloading(const Ends &ends, const SharedRegion::Peer &sender) {
  const SharedRegion::Peer &own = region_->own();
  for_each_stretch(ends.runs, region_->layout().table().pieces_of(*ends.own),
                   [&](const Run &to, std::int64_t skipped, const Piece &from, std::int64_t used, std::int64_t bytes) {
                     const std::byte *source = inbox(own, sender, from) + used;
                     if (source == to.address + skipped) return;
                     messages_.unloads.push_back(take_of(to, skipped, source, bytes, true));
                   });
}

}  // namespace

SharedMessages bind_shared(const Binding &binding) {
  return SharedBinding(binding).messages();
}

}  // namespace rondo::internal
