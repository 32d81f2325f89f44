#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "call/message_reader.hpp"
#include "wire/given_side.hpp"
#include "wire/type_cache.hpp"

namespace rondo::internal::call {

namespace {

// No product of a plain call overflows: counts and displacements have 31 bits, and there are fewer ranks than that.
constexpr std::int64_t largest_type = 256;

// Writes a list of messages anew, over those of an earlier call.
class Rewriting {
 public:
  // There may be so many, seldom more.
  Rewriting(std::vector<Message> &list, std::size_t most)
      : list_(list), most_(most), next_(list.data()), end_(list.data() + list.size()) {}
  // The next message, which is to be written to.
  Message &next() {
    if (next_ == end_) [[unlikely]] {
      next_ = append(list_, most_);
      end_ = next_ + 1;
    }
    return *next_++;
  }
  // All have been written.
  void end() {
    if (next_ != end_) list_.resize(static_cast<std::size_t>(next_ - list_.data()));
  }

 private:
  // Not a member: what is here stays in registers then.
  [[gnu::noinline]] static Message *append(std::vector<Message> &list, std::size_t most) {
    list.reserve(most);
    return &list.emplace_back();
  }

  std::vector<Message> &list_;
  const std::size_t most_;
  Message *next_;
  Message *end_;
};

// The blocks of one side, in both directions alike.
class PlainSide {
 public:
  PlainSide(const SideArguments &given, const Element &element)
      : size_(element.shape.size),
        element_(&element),
        counts_(static_cast<const int *>(given.counts)),
        displs_(static_cast<const int *>(given.displs)) {}

  // Of all entries; the ranks that they are for are cyclic. False where a count is bad.
  template <class Ranks>
  bool read(const Ranks &ranks, int own, std::vector<Message> &to_others, std::vector<Message> &to_self) {
    return displs_ == nullptr ? read_entries<true>(ranks, own, to_others, to_self)
                              : read_entries<false>(ranks, own, to_others, to_self);
  }

  // Of the one block that is for all of so many ranks.
  bool read_for_all(int ranks, int own, std::vector<Message> &to_others, std::vector<Message> &to_self) {
    Rewriting others(to_others, static_cast<std::size_t>(ranks));
    Rewriting self(to_self, 1);
    Sums sums;
    if (counts_[0] < 0) return false;
    if (counts_[0] > 0) {
      for (int peer = own + 1; peer < ranks; ++peer) write(others.next(), peer, counts_[0], 0, sums);
      for (int peer = 0; peer < own; ++peer) write(others.next(), peer, counts_[0], 0, sums);
      const std::int64_t bytes = write(self.next(), own, counts_[0], 0, sums);
      if (ranks > 1) sums.longest = bytes;
    }
    others.end();
    self.end();
    sums_ = sums;
    return true;
  }

  // Between the first and the last byte, from the buffer.
  [[nodiscard]] Extent reach() const {
    if (sums_.end < sums_.begin) return {};
    return {sums_.begin + element_->shape.true_lower_bound, sums_.end - sums_.begin};
  }
  // Of the longest block of another rank's, and of all.
  [[nodiscard]] std::int64_t longest() const { return sums_.longest; }
  [[nodiscard]] std::int64_t bytes() const { return sums_.bytes; }

 private:
  // What follows from the blocks: they lie from `begin` to `end`, but for the type's lower bound.
  struct Sums {
    std::int64_t begin = INT64_MAX;
    std::int64_t end = INT64_MIN;
    std::int64_t longest = 0;
    std::int64_t bytes = 0;
  };

  template <bool one_count, class Ranks>
  bool read_entries(const Ranks &ranks, int own, std::vector<Message> &to_others, std::vector<Message> &to_self) {
    const int entries = static_cast<int>(ranks.size());
    Rewriting others(to_others, ranks.size());
    Rewriting self(to_self, 1);
    Sums sums;
    const auto read_one = [&](int entry) {
      const int peer = ranks[entry];
      const std::int64_t count = counts_[one_count ? 0 : entry];
      const std::int64_t place = one_count ? count * entry : displs_[entry];
      if (count > 0) {
        if (peer == own) [[unlikely]] {
          write(self.next(), peer, count, place, sums);
        } else {
          sums.longest = std::max(sums.longest, write(others.next(), peer, count, place, sums));
        }
      }
      return count >= 0;
    };
    const int first = first_after(ranks, own);
    for (int entry = first; entry < entries; ++entry) {
      if (!read_one(entry)) return false;
    }
    for (int entry = 0; entry < first; ++entry) {
      if (!read_one(entry)) return false;
    }
    others.end();
    self.end();
    sums_ = sums;
    return true;
  }
  // Each rank begins with the one after it, so that not all send to the same one first, and ends with itself.
  template <class Ranks>
  static int first_after(const Ranks &ranks, int own) {
    const auto comes_before = [own](int one, int other) {
      return (one > own) == (other > own) ? one < other : one > own;
    };
    int first = 0;
    for (int i = 1; i < static_cast<int>(ranks.size()); ++i) {
      if (comes_before(ranks[i], ranks[first])) first = i;
    }
    return first;
  }
  static int first_after(const FirstNumbers &ranks, int own) {
    return own + 1 < static_cast<int>(ranks.size()) ? own + 1 : 0;
  }

  // Gives the bytes of the block. (Its fields are written one by one where they are to be: a copy of what has just been
  // written so would wait for that.)
  std::int64_t write(Message &message, int peer, std::int64_t count, std::int64_t place, Sums &sums) const {
    const std::int64_t bytes = count * size_;
    const std::int64_t offset = place * size_;
    message.peer = peer;
    message.by_runs = false;
    message.element = element_;
    message.count = count;
    message.offset = offset;
    message.bytes = bytes;
    sums.begin = std::min(sums.begin, offset);
    sums.end = std::max(sums.end, offset + bytes);
    sums.bytes += bytes;
    return bytes;
  }

  const std::int64_t size_;  // of an element, and its extent
  const Element *const element_;
  const int *const counts_;
  const int *const displs_;  // null: one count for all, one after the other
  Sums sums_;
};

bool is_plain(const CallArguments &arguments, const Peers &peers) {
  const auto has_ints = [](const SideArguments &side) {
    return side.width == sizeof(int) && (side.displs == nullptr || side.displ_width == sizeof(int));
  };
  const bool cyclic = peers.neighbors == nullptr || peers.neighbors->cyclic;
  return cyclic && !arguments.each_type && !arguments.in_place() && arguments.send.buffer != nullptr &&
         arguments.receive.buffer != nullptr && has_ints(arguments.send) && has_ints(arguments.receive);
}

bool is_plain(const DatatypeShape &shape) {
  return shape.dense && shape.size > 0 && shape.size <= largest_type && shape.extent == shape.size &&
         std::abs(shape.true_lower_bound) <= INT32_MAX;
}

// Makes the messages those of a plain call, which have one element on either side. Those of an earlier call with the
// same types are left: they are written over. False where a type is not small and without gaps.
bool begin_plain(const CallArguments &arguments, const Peers &peers, Messages &messages) {
  const PlainTypes types{*arguments.send.types, *arguments.receive.types, types_freed()};
  if (messages.plain == types) {
    messages.belong_to(arguments, peers);
    return true;
  }
  const KnownType *const received = kept_type(types.received, "receive");
  const KnownType *const sent = types.sent == types.received ? received : kept_type(types.sent, "send");
  if (received == nullptr || sent == nullptr || !is_plain(received->shape) || !is_plain(sent->shape)) return false;
  messages.start_anew(arguments, peers);
  messages.sent_elements.push_back({types.sent, sent->shape});
  messages.received_elements.push_back({types.received, received->shape});
  messages.plain = types;
  return true;
}

}  // namespace

// Compiled in one piece: it is part of every call of a program whose counts are new each time.
[[gnu::flatten]] bool MessageReader::read_plain(const CallArguments &arguments, const Peers &peers,
                                                Messages &messages) {
  if (!is_plain(arguments, peers)) return false;
  if (!begin_plain(arguments, peers, messages)) return false;
  PlainSide send(arguments.send, messages.sent_elements.front());
  PlainSide receive(arguments.receive, messages.received_elements.front());
  const auto read_sends = [&](const auto &ranks) {
    return send.read(ranks, peers.rank, messages.sends, messages.own_sends);
  };
  const auto read_receives = [&](const auto &ranks) {
    return receive.read(ranks, peers.rank, messages.receives, messages.own_receives);
  };
  const FirstNumbers all(peers.ranks);
  const bool good =
      arguments.gathers
          ? send.read_for_all(peers.ranks, peers.rank, messages.sends, messages.own_sends) && read_receives(all)
      : peers.neighbors == nullptr
          ? read_sends(all) && read_receives(all)
          : read_sends(peers.neighbors->destinations) && read_receives(peers.neighbors->sources);
  const auto own_bytes = [](const std::vector<Message> &own) { return own.empty() ? 0 : own.front().bytes; };
  if (!good || own_bytes(messages.own_sends) != own_bytes(messages.own_receives)) return false;
  messages.sum_up_plain(send.bytes(), std::max(send.longest(), receive.longest()));
  messages.sent = send.reach();
  messages.received = receive.reach();
  return true;
}

}  // namespace rondo::internal::call
