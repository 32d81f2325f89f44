#include "varying/direct_exchange.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>
#include <span>
#include <vector>

#include "varying/slot_link.hpp"

namespace rondo::internal {

namespace {

// Whether all messages of this rank are of the same step.
bool is_one_step(const Route &route) {
  int steps = 0;
  for (int step = 0; step < route.steps(); ++step) {
    const bool has_any = !route.sends.messages(step).empty() || !route.receives.messages(step).empty();
    steps += has_any ? 1 : 0;
  }
  return steps <= 1;
}

// Whether each message has one block, which goes all its way in it, and another peer than those before it.
template <class GoesAllItsWay>
bool are_direct(const Traffic &side, GoesAllItsWay &&goes_all_its_way) {
  std::set<int> peers;
  return std::ranges::all_of(side.messages(), [&](const Message &message) {
    return message.count == 1 && goes_all_its_way(side.blocks()[message.first], message.peer) &&
           peers.insert(message.peer).second;
  });
}

// All links are of the one class: where that is known, their functions are compiled into those of the exchange.
template <class OneLink>
class DirectExchange final : public VaryingExchange {
 public:
  DirectExchange(const Route &route, std::span<Link *const> links, VaryingMemory &memory, const MessageForm &form)
      : VaryingExchange(route, memory), words_(form.words_before() + 1) {
    for (const Message &message : route.sends.messages()) sends_.push_back({link_to(links, message), message.peer});
    for (const Message &message : route.receives.messages()) {
      receives_.push_back({link_to(links, message), message.peer});
    }
    set_steps(sends_.size() + receives_.size() > 0 ? 1 : 0);
  }

  void prepare_start() const override {
    constexpr std::size_t few = 16;  // whose lines have room in the caches until they are written to
    if (sends_.size() > few) return;
    for (const Sent &sent : sends_) sent.link->prepare_send();
  }

  // This and advance() are each compiled in one piece: the calls within them would take as long as what they call does.
  [[gnu::flatten]] void start(std::span<const BlockData> blocks, const VaryingFigures &figures) override {
    begin_steps(figures);
    unheard_ = receives_.size();
    unsent_ = sends_.size();
    placed_ = false;
    for (Arriving &arriving : receives_) {
      arriving.link->expect(words_);
      arriving.known = arriving.taken = false;
    }
    for (Sent &sent : sends_) {
      sent.done = words_ == 1 && sent.link->send_block(blocks[sent.peer]);
      if (sent.done) {
        --unsent_;
      } else {
        compose(sent, blocks[sent.peer]);
      }
    }
    if (unsent_ > 0) send_unsent();
    reception().begin(blocks[rank()], memory().lasts(rank(), blocks[rank()]));
    if (complete()) reception().place();
  }

  [[gnu::flatten]] bool advance(Looks &looks) override {
    if (complete()) return true;
    const bool sent = unsent_ == 0 || send_unsent();
    if (!placed_) {
      if (!learn_all(looks)) return false;
      reception().place();
      placed_ = true;
    }
    if (!take_all() || !sent) return false;
    end_step();
    return true;
  }

  [[nodiscard]] std::uint64_t moved() const override {
    std::uint64_t sum = 0;
    if (complete()) return sum;
    for (const Arriving &arriving : receives_) sum += arriving.link->moved();
    for (const Sent &sent : sends_) sum += sent.link->moved();
    return sum;
  }

  void name_missing(std::set<int> &ranks) const override {
    if (complete()) return;
    for (const Arriving &arriving : receives_) {
      if (!arriving.taken) ranks.insert(arriving.peer);
    }
    for (const Sent &sent : sends_) {
      if (!sent.done) ranks.insert(sent.peer);
    }
  }

 private:
  // What goes before the length, at most, and the length.
  using Head = std::array<std::int64_t, 2>;

  struct Sent {
    OneLink *link;
    int peer;
    bool done = false;
    // Of a block that could not be sent at once.
    Head head{};
    std::array<BlockData, 2> pieces{};
    Outgoing message{};
  };
  struct Arriving {
    OneLink *link;
    int peer;
    bool known = false;  // its length
    bool taken = false;
    Head head{};  // where there is more in it than that: it may come bit by bit
  };

  static OneLink *link_to(std::span<Link *const> links, const Message &message) {
    return static_cast<OneLink *>(links[message.peer]);
  }

  void compose(Sent &sent, const BlockData &block) {
    sent.head = {figures().word(), block.bytes};
    const std::span<std::int64_t> told = std::span(sent.head).last(words_);
    sent.pieces = {
        BlockData{reinterpret_cast<const std::byte *>(told.data()), static_cast<std::int64_t>(told.size_bytes())},
        block};
    sent.message = Outgoing(sent.pieces, block.bytes);
  }

  bool send_unsent() {
    for (Sent &sent : sends_) {
      if (sent.done) continue;
      sent.done = sent.link->send(sent.message);
      if (sent.done) --unsent_;
    }
    return unsent_ == 0;
  }

  // Blocks lie in rank order, so where one belongs is known when the lengths of all are. Looks that follow each other
  // would each wait for a line of another rank's: so all lines are on their way at once.
  bool learn_all(Looks &looks) {
    if (unheard_ > 1) {
      for (const Arriving &arriving : receives_) arriving.link->prepare_look();
    }
    for (Arriving &arriving : receives_) {
      if (arriving.known) continue;
      Looks once;
      const bool is_alone = unheard_ == 1 && unsent_ == 0;
      arriving.known = read_head(arriving, is_alone ? looks : once);
      if (arriving.known) --unheard_;
    }
    return unheard_ == 0;
  }

  bool read_head(Arriving &arriving, Looks &looks) {
    std::int64_t &length = reception().bytes_from(arriving.peer);
    if (words_ == 1) return arriving.link->arrived({&length, 1}, looks);
    if (!arriving.link->arrived(arriving.head, looks)) return false;
    figures_so_far().include(arriving.head[0]);
    length = arriving.head[1];
    return true;
  }

  bool take_all() {
    bool all = true;
    for (Arriving &arriving : receives_) {
      if (arriving.taken) continue;
      arriving.taken = take(arriving);
      all = all && arriving.taken;
    }
    return all;
  }

  bool take(const Arriving &arriving) {
    const int peer = arriving.peer;
    if (const std::byte *const in_place = arriving.link->take_in_place()) [[unlikely]] {
      reception().stays(peer, in_place);
      return true;
    }
    return arriving.link->take(reception().place_of(peer), reception().bytes_from(peer));
  }

  const std::size_t words_;  // of a head
  std::vector<Sent> sends_{};
  std::vector<Arriving> receives_{};
  std::size_t unsent_ = 0;
  std::size_t unheard_ = 0;  // those whose lengths are not known
  bool placed_ = false;      // all that comes
};

}  // namespace

bool is_direct(const Route &route, const MessageForm &form) {
  if (form.pads || !is_one_step(route)) return false;
  return are_direct(route.sends, [](const auto &block, int peer) { return block.part == peer; }) &&
         are_direct(route.receives,
                    [&](const auto &block, int peer) { return block.source == peer && block.part == route.rank; });
}

std::unique_ptr<VaryingExchange> make_direct_exchange(const Route &route, std::span<Link *const> links,
                                                      VaryingMemory &memory, const MessageForm &form) {
  const bool by_slots = std::all_of(links.begin(), links.end(), [](Link *link) {
    return link == nullptr || dynamic_cast<SlotLink *>(link) != nullptr;
  });
  if (by_slots) return std::make_unique<DirectExchange<SlotLink>>(route, links, memory, form);
  return std::make_unique<DirectExchange<Link>>(route, links, memory, form);
}

}  // namespace rondo::internal
