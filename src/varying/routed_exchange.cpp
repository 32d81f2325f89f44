#include "varying/routed_exchange.hpp"

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

RoutedExchange::RoutedExchange(const Route &route, std::span<Link *const> links, VaryingMemory &memory,
                               const MessageForm &form)
    : VaryingExchange(route, memory),
      final_(route.ranks, none),
      form_(form),
      words_before_(form.words_before()),
      pieces_each_(form.pads ? 2 : 1) {
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
    if (received[entry].part == rank()) final_[received[entry].source] = entry;
  }
  pieces_.resize(sends_.size() + sent.size() * pieces_each_);
  sent_heads_.resize(sent.size() + sends_.size() * words_before_);
  heads_.resize(received.size() + receives_.size() * words_before_);
  lengths_.resize(received.size());
  at_.resize(received.size());
  set_steps(steps_.size());
}

void RoutedExchange::start(std::span<const BlockData> blocks, const VaryingFigures &figures) {
  own_blocks_ = blocks;
  begin_steps(figures);
  if (!complete()) {
    if (form_.pads) find_largest();
    memory().arena.give_all_back();
    begin_step();
    send_on();
  }
  reception().begin(blocks[rank()], memory().lasts(rank(), blocks[rank()]));
  if (complete()) deliver();
}

// Sends at once what can be.
void RoutedExchange::begin_send(std::size_t index) {
  Sent &sent = sends_[index];
  sent.done = sent.one_block && sent.link->send_block(block_of(sent.first));
  if (sent.done) {
    --unsent_;
  } else {
    compose(sent, index);
  }
}

void RoutedExchange::begin_step() {
  const Step &step = this_step();
  for (std::size_t i = 0; i < step.receives; ++i) {
    Arriving &arriving = receives_[step.first_receive + i];
    arriving.state = Arriving::State::held_back;
    arriving.to = nullptr;
    if (arriving.before == none) expect(arriving);
  }
  if (static_cast<std::int64_t>(memory().padding.size()) < largest_) memory().padding.resize(largest_);
  unheard_ = step.receives;
  unsent_ = step.sends;
  for (std::size_t i = 0; i < step.sends; ++i) begin_send(step.first_send + i);
}

// Of this rank's blocks for others, to begin with.
void RoutedExchange::find_largest() {
  largest_ = 0;
  for (int to = 0; to < static_cast<int>(own_blocks_.size()); ++to) {
    if (to != rank()) largest_ = std::max(largest_, own_blocks_[to].bytes);
  }
}

// The block, and as much more as makes it as long as the largest: something that has been written, but nobody reads it.
void RoutedExchange::pad(std::span<BlockData> pieces, const BlockData &block) {
  pieces[0] = block;
  pieces[1] = {memory().padding.data(), largest_ - block.bytes};
}

void RoutedExchange::compose(Sent &sent, std::size_t index) {
  const std::span<BlockData> pieces =
      std::span(pieces_).subspan(sent.first * pieces_each_ + index, sent.count * pieces_each_ + 1);
  const std::span<std::int64_t> words = head(sent_heads_, sent.first, sent.count, index);
  if (words_before_ > 0) words[0] = figures().word();
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
bool RoutedExchange::send_on() {
  if (unsent_ == 0) return true;
  const Step &step = this_step();
  for (std::size_t i = 0; i < step.sends; ++i) {
    Sent &sent = sends_[step.first_send + i];
    if (sent.done) continue;
    const bool next = sent.before == none || sends_[sent.before].done;
    sent.done = next && sent.link->send(sent.message);
    if (sent.done) --unsent_;
  }
  return unsent_ == 0;
}

void RoutedExchange::expect(Arriving &arriving) const {
  arriving.link->expect(arriving.count + words_before_);
  arriving.state = Arriving::State::expected;
}

// The lengths of a message, once its head is there. It is looked for again where nothing else can be done before it
// comes.
bool RoutedExchange::read_head(const Arriving &arriving, Looks &looks) {
  const bool is_alone = unheard_ == 1 && unsent_ == 0 && this_step().receives == 1;
  Looks once;
  Looks &these = is_alone ? looks : once;
  const std::span<std::int64_t> lengths(&lengths_[arriving.first], arriving.count);
  if (words_before_ == 0) return arriving.link->arrived(lengths, these);
  const auto index = static_cast<std::size_t>(&arriving - receives_.data());
  const std::span<std::int64_t> words = head(heads_, arriving.first, arriving.count, index);
  if (!arriving.link->arrived(words, these)) return false;
  figures_so_far().include(words[0]);
  if (form_.pads) largest_ = std::max(largest_, words[1]);
  std::ranges::copy(words.last(arriving.count), lengths.begin());
  return true;
}

// Whether the lengths of a message are known.
bool RoutedExchange::learn(Arriving &arriving, Looks &looks) {
  if (arriving.state == Arriving::State::held_back) {
    if (receives_[arriving.before].state != Arriving::State::taken) return false;
    expect(arriving);
  }
  if (arriving.state != Arriving::State::expected) return true;
  if (!read_head(arriving, looks)) return false;
  --unheard_;
  arriving.state = Arriving::State::known;
  return true;
}

// Gives the blocks of a message a place to rest.
void RoutedExchange::place(Arriving &arriving) {
  arriving.bytes = 0;
  for (std::size_t i = 0; i < arriving.count; ++i) arriving.bytes += carried_bytes(arriving.first + i);
  arriving.to = memory().arena.take(arriving.bytes);
  const std::byte *at = arriving.to;
  for (std::size_t i = 0; i < arriving.count; ++i) {
    at_[arriving.first + i] = at;
    at += carried_bytes(arriving.first + i);
  }
}

// Whether a message that has its place has been taken.
bool RoutedExchange::take(Arriving &arriving) {
  if (arriving.state == Arriving::State::taken) return true;
  if (!arriving.link->take(arriving.to, arriving.bytes)) return false;
  arriving.state = Arriving::State::taken;
  return true;
}

// True once all messages of the step have been taken.
bool RoutedExchange::receive_on(Looks &looks) {
  const Step &step = this_step();
  bool all = true;
  for (std::size_t i = 0; i < step.receives; ++i) {
    Arriving &arriving = receives_[step.first_receive + i];
    const bool known = learn(arriving, looks);
    if (known && arriving.to == nullptr) place(arriving);
    all = known && take(arriving) && all;
  }
  return all;
}

// After the last step.
void RoutedExchange::deliver() {
  for (int source = 0; source < static_cast<int>(final_.size()); ++source) {
    if (final_[source] != none) reception().bytes_from(source) = lengths_[final_[source]];
  }
  reception().place();
  for (int source = 0; source < static_cast<int>(final_.size()); ++source) {
    const std::int64_t bytes = reception().bytes_from(source);
    if (source == rank() || bytes == 0) continue;
    copy_bytes(reception().place_of(source), at_[final_[source]], static_cast<std::size_t>(bytes));
  }
}

bool RoutedExchange::advance(Looks &looks) {
  while (!complete()) {
    const bool sent = send_on();
    if (!receive_on(looks) || !sent) return false;
    if (step() + 1 == steps()) deliver();
    end_step();
    if (!complete()) begin_step();
  }
  return true;
}

std::uint64_t RoutedExchange::moved() const {
  std::uint64_t sum = 0;
  if (complete()) return sum;
  const Step &step = this_step();
  for (std::size_t i = 0; i < step.receives; ++i) sum += receives_[step.first_receive + i].link->moved();
  for (std::size_t i = 0; i < step.sends; ++i) sum += sends_[step.first_send + i].link->moved();
  return sum;
}

void RoutedExchange::name_missing(std::set<int> &ranks) const {
  if (complete()) return;
  const Step &step = this_step();
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
