#include "varying/varying_exchange.hpp"

#include <algorithm>

#include "wire/copy.hpp"

namespace rondo::internal {

namespace {

// The last of the messages of a step so far that has this peer.
template <class Messages>
std::size_t last_with(const Messages &messages, std::size_t first_of_step, int peer, std::size_t none) {
  for (std::size_t i = messages.size(); i-- > first_of_step;) {
    if (messages[i].peer == peer) return i;
  }
  return none;
}

}  // namespace

VaryingExchange::VaryingExchange(const Route &route, std::span<Link *const> links, VaryingMemory &memory,
                                 const MessageForm &form)
    : rank_(route.rank),
      final_(route.ranks, none),
      memory_(memory),
      form_(form),
      words_before_(form.words_before()),
      pieces_each_(form.pads ? 2 : 1),
      received_bytes_(route.ranks),
      received_offsets_(route.ranks) {
  const ForwardingTable forwarding = forwarding_table_of(route);
  for (int step = 0; step < route.steps(); ++step) {
    const Step begin{sends_.size(), 0, receives_.size(), 0};
    for (const Message &message : route.sends.messages(step)) {
      const std::size_t before = last_with(sends_, begin.first_send, message.peer, none);
      sends_.push_back({links[message.peer], message.peer, message.first, message.count, before,
                        message.count == 1 && words_before_ == 0 && before == none});
    }
    for (const Message &message : route.receives.messages(step)) {
      receives_.push_back({links[message.peer], message.peer, message.first, message.count,
                           last_with(receives_, begin.first_receive, message.peer, none)});
    }
    const Step all{begin.first_send, sends_.size() - begin.first_send, begin.first_receive,
                   receives_.size() - begin.first_receive};
    if (all.sends + all.receives > 0) steps_.push_back(all);
  }
  const auto sent = route.sends.blocks();
  for (std::size_t entry = 0; entry < sent.size(); ++entry) {
    const bool own = forwarding.arrival[entry] == ForwardingTable::own;
    origins_.push_back({own ? none : forwarding.arrival[entry], sent[entry].part});
  }
  const auto received = route.receives.blocks();
  for (std::size_t entry = 0; entry < received.size(); ++entry) {
    if (received[entry].part == rank_) final_[received[entry].source] = entry;
  }
  in_place_ = !form.pads && steps_.size() <= 1 &&
              std::all_of(receives_.begin(), receives_.end(), [&](const Arriving &arriving) {
                return arriving.count == 1 && arriving.before == none && received[arriving.first].part == rank_;
              });
  pieces_.resize(sends_.size() + sent.size() * pieces_each_);
  sent_heads_.resize(sent.size() + sends_.size() * words_before_);
  heads_.resize(received.size() + receives_.size() * words_before_);
  lengths_.resize(received.size());
  at_.resize(received.size());
  received_ = {nullptr, received_bytes_, received_offsets_, 0};
  step_ = steps_.size();
}

// This and advance() are each compiled in one piece: the calls within them would take as long as what they call does.
[[gnu::flatten]] void VaryingExchange::start(std::span<const BlockData> blocks, const VaryingFigures &figures) {
  own_blocks_ = blocks;
  figures_ = figures;
  step_ = 0;
  if (complete()) {
    copy_own();
    return deliver();
  }
  if (in_place_) {
    begin_in_place();
  } else {
    if (form_.pads) find_largest();
    memory_.arena.give_all_back();
    begin_step();
  }
  send_on();
  copy_own();
}

void VaryingExchange::begin_in_place() {
  all_known_ = false;
  for (Arriving &arriving : receives_) expect(arriving);
  unheard_ = receives_.size();
  unsent_ = sends_.size();
  for (std::size_t i = 0; i < sends_.size(); ++i) begin_send(i);
}

// As advance(): there is one step only, whose messages bring one block each.
bool VaryingExchange::advance_in_place(Looks &looks) {
  const bool sent = send_on();
  if (!all_known_ && !learn_all_in_place(looks)) return false;
  bool all = sent;
  for (Arriving &arriving : receives_) {
    std::byte *const to = received_.data + received_offsets_[arriving.peer];
    all = take(arriving, to, received_bytes_[arriving.peer]) && all;
  }
  if (all) ++step_;
  return all;
}

// Looks that follow each other would each wait for a line of another rank's. So all lines are on their way at once.
void VaryingExchange::prepare_looks() {
  for (const Arriving &arriving : receives_) arriving.link->prepare_look();
}

// Blocks lie in rank order, so where one belongs is known when the lengths of all are.
bool VaryingExchange::learn_all_in_place(Looks &looks) {
  if (unheard_ > 1) prepare_looks();
  bool all = true;
  for (Arriving &arriving : receives_) all = hear(arriving, {&received_bytes_[arriving.peer], 1}, looks) && all;
  if (!all) return false;
  place_received();
  all_known_ = true;
  return true;
}

// Sends at once what can be.
void VaryingExchange::begin_send(std::size_t index) {
  Sent &sent = sends_[index];
  sent.done = sent.one_block && sent.link->send_block(block_of(sent.first));
  if (sent.done) {
    --unsent_;
  } else {
    compose(sent, index);
  }
}

void VaryingExchange::begin_step() {
  const Step &step = steps_[step_];
  for (std::size_t i = 0; i < step.receives; ++i) {
    Arriving &arriving = receives_[step.first_receive + i];
    arriving.state = Arriving::State::held_back;
    arriving.to = nullptr;
    if (arriving.before == none) expect(arriving);
  }
  if (static_cast<std::int64_t>(memory_.padding.size()) < largest_) memory_.padding.resize(largest_);
  unheard_ = step.receives;
  unsent_ = step.sends;
  for (std::size_t i = 0; i < step.sends; ++i) begin_send(step.first_send + i);
}

// Of this rank's blocks for others, to begin with.
void VaryingExchange::find_largest() {
  largest_ = 0;
  for (int to = 0; to < static_cast<int>(own_blocks_.size()); ++to) {
    if (to != rank_) largest_ = std::max(largest_, own_blocks_[to].bytes);
  }
}

// The block, and as much more as makes it as long as the largest: something that has been written, but nobody reads it.
void VaryingExchange::pad(std::span<BlockData> pieces, const BlockData &block) {
  pieces[0] = block;
  pieces[1] = {memory_.padding.data(), largest_ - block.bytes};
}

void VaryingExchange::compose(Sent &sent, std::size_t index) {
  const std::span<BlockData> pieces =
      std::span(pieces_).subspan(sent.first * pieces_each_ + index, sent.count * pieces_each_ + 1);
  const std::span<std::int64_t> words = head(sent_heads_, sent.first, sent.count, index);
  if (words_before_ > 0) words[0] = figures_.word();
  if (form_.pads) words[1] = largest_;
  pieces[0] = {reinterpret_cast<const std::byte *>(words.data()), static_cast<std::int64_t>(words.size_bytes())};
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < sent.count; ++i) {
    const BlockData block = block_of(sent.first + i);
    words[words_before_ + i] = block.bytes;
    if (form_.pads) {
      pad(pieces.subspan(2 * i + 1, 2), block);
      bytes += largest_;
    } else {
      pieces[i + 1] = block;
      bytes += block.bytes;
    }
  }
  sent.message = Outgoing(pieces, bytes);
}

// True once all messages of the step have been sent.
bool VaryingExchange::send_on() {
  return unsent_ == 0 || send_unsent();
}

bool VaryingExchange::send_unsent() {
  const Step &step = steps_[step_];
  for (std::size_t i = 0; i < step.sends; ++i) {
    Sent &sent = sends_[step.first_send + i];
    if (sent.done) continue;
    const bool next = sent.before == none || sends_[sent.before].done;
    sent.done = next && sent.link->send(sent.message);
    if (sent.done) --unsent_;
  }
  return unsent_ == 0;
}

void VaryingExchange::expect(Arriving &arriving) const {
  arriving.link->expect(arriving.count + words_before_);
  arriving.state = Arriving::State::expected;
}

bool VaryingExchange::read_words(const Arriving &arriving, std::span<std::int64_t> lengths, Looks &looks) {
  const auto index = static_cast<std::size_t>(&arriving - receives_.data());
  const std::span<std::int64_t> words = head(heads_, arriving.first, arriving.count, index);
  if (!arriving.link->arrived(words, looks)) return false;
  figures_.include(words[0]);
  if (form_.pads) largest_ = std::max(largest_, words[1]);
  std::copy(words.end() - static_cast<std::ptrdiff_t>(lengths.size()), words.end(), lengths.begin());
  return true;
}

// Whether the lengths of a message are known.
bool VaryingExchange::learn(Arriving &arriving, Looks &looks) {
  if (arriving.state == Arriving::State::held_back) {
    if (receives_[arriving.before].state != Arriving::State::taken) return false;
    expect(arriving);
  }
  return hear(arriving, {&lengths_[arriving.first], arriving.count}, looks);
}

// The same of a message that is not held back. It is looked for again where nothing else can be done before it comes:
// in place no block can be taken before the lengths of all are known, while otherwise each can as soon as its own is.
bool VaryingExchange::hear(Arriving &arriving, std::span<std::int64_t> lengths, Looks &looks) {
  if (arriving.state != Arriving::State::expected) return true;
  const bool is_alone = unheard_ == 1 && unsent_ == 0 && (in_place_ || steps_[step_].receives == 1);
  Looks once;
  if (!read_head(arriving, lengths, is_alone ? looks : once)) return false;
  --unheard_;
  arriving.state = Arriving::State::known;
  return true;
}

// Gives the blocks of a message a place to rest.
void VaryingExchange::place(Arriving &arriving) {
  arriving.bytes = 0;
  for (std::size_t i = 0; i < arriving.count; ++i) arriving.bytes += carried_bytes(arriving.first + i);
  arriving.to = memory_.arena.take(arriving.bytes);
  const std::byte *at = arriving.to;
  for (std::size_t i = 0; i < arriving.count; ++i) {
    at_[arriving.first + i] = at;
    at += carried_bytes(arriving.first + i);
  }
}

// Whether a message that has its place has been taken.
bool VaryingExchange::take(Arriving &arriving, std::byte *to, std::int64_t bytes) {
  if (arriving.state == Arriving::State::taken) return true;
  if (!arriving.link->take(to, bytes)) return false;
  arriving.state = Arriving::State::taken;
  return true;
}

// True once all messages of the step have been taken.
bool VaryingExchange::receive_on(Looks &looks) {
  const Step &step = steps_[step_];
  bool all = true;
  for (std::size_t i = 0; i < step.receives; ++i) {
    Arriving &arriving = receives_[step.first_receive + i];
    const bool known = learn(arriving, looks);
    if (known && arriving.to == nullptr) place(arriving);
    all = known && take(arriving, arriving.to, arriving.bytes) && all;
  }
  return all;
}

// Copies this rank's block to itself, while other ranks' blocks are on their way, to where it is likely to stay.
void VaryingExchange::copy_own() {
  const BlockData &own = own_blocks_[rank_];
  own_copied_ = memory_.received.begin(own.bytes);
  if (own_copied_ != nullptr && own.bytes > 0) {
    copy_bytes(own_copied_, own.data, static_cast<std::size_t>(own.bytes));
  }
}

// Makes room for what has been received, whose lengths from other ranks are known.
void VaryingExchange::place_received() {
  const BlockData &own = own_blocks_[rank_];
  received_bytes_[rank_] = own.bytes;
  std::int64_t offset = 0;
  for (std::size_t source = 0; source < received_bytes_.size(); ++source) {
    received_offsets_[source] = offset;
    offset += received_bytes_[source];
  }
  const std::int64_t before = received_offsets_[rank_];
  received_.data = memory_.received.place(before, offset - before);
  received_.all_bytes = offset;
  std::byte *const own_place = received_.data + before;
  if (own.bytes > 0 && own_place != own_copied_) [[unlikely]] {
    copy_bytes(own_place, own.data, static_cast<std::size_t>(own.bytes));
  }
}

// After the last step.
void VaryingExchange::deliver() {
  for (std::size_t source = 0; source < final_.size(); ++source) {
    if (final_[source] != none) received_bytes_[source] = lengths_[final_[source]];
  }
  place_received();
  for (int source = 0; source < static_cast<int>(final_.size()); ++source) {
    const std::int64_t bytes = received_bytes_[source];
    if (source == rank_ || bytes == 0) continue;
    copy_bytes(received_.data + received_offsets_[source], at_[final_[source]], static_cast<std::size_t>(bytes));
  }
}

[[gnu::flatten]] bool VaryingExchange::advance(Looks &looks) {
  if (in_place_) return complete() || advance_in_place(looks);
  while (!complete()) {
    const bool sent = send_on();
    if (!receive_on(looks) || !sent) return false;
    if (step_ + 1 == steps_.size()) deliver();
    ++step_;
    if (!complete()) begin_step();
  }
  return true;
}

std::uint64_t VaryingExchange::moved() const {
  std::uint64_t sum = 0;
  if (complete()) return sum;
  const Step &step = steps_[step_];
  for (std::size_t i = 0; i < step.receives; ++i) sum += receives_[step.first_receive + i].link->moved();
  for (std::size_t i = 0; i < step.sends; ++i) sum += sends_[step.first_send + i].link->moved();
  return sum;
}

void VaryingExchange::name_missing(std::set<int> &ranks) const {
  if (complete()) return;
  const Step &step = steps_[step_];
  for (std::size_t i = 0; i < step.receives; ++i) {
    const Arriving &arriving = receives_[step.first_receive + i];
    if (arriving.state != Arriving::State::taken) ranks.insert(arriving.peer);
  }
  for (std::size_t i = 0; i < step.sends; ++i) {
    const Sent &sent = sends_[step.first_send + i];
    if (!sent.done) ranks.insert(sent.peer);
  }
}

}  // namespace rondo::internal
