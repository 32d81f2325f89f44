#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "call/message_reader.hpp"
#include "wire/given_side.hpp"
#include "wire/type_cache.hpp"

namespace rondo::internal::call {

namespace {

// No product of a plain call overflows: counts and displacements have 31 bits, and there are fewer ranks than that.
constexpr std::int64_t largest_type = 256;

// The blocks of one side, in both directions alike.
class PlainSide {
 public:
  PlainSide(const SideArguments &given, const DatatypeShape &shape, std::vector<Element> &elements)
      : size_(shape.size),
        lower_bound_(shape.true_lower_bound),
        element_(&elements.emplace_back(Element{*given.types, shape})),
        counts_(static_cast<const int *>(given.counts)),
        displs_(static_cast<const int *>(given.displs)) {}

  // Of all entries; the ranks that they are for are cyclic. False where a count is bad.
  template <class Ranks>
  bool read(const Ranks &ranks, int own, std::vector<Message> &to_others, std::vector<Message> &to_self) {
    const int entries = static_cast<int>(ranks.size());
    to_others.reserve(static_cast<std::size_t>(entries));
    int entry = first_after(ranks, own);
    for (int i = 0; i < entries; ++i) {
      const int peer = ranks[entry];
      const std::int64_t count = counts_[displs_ == nullptr ? 0 : entry];
      if (count < 0) return false;
      const std::int64_t place = displs_ == nullptr ? count * entry : displs_[entry];
      if (count > 0) {
        const std::int64_t bytes = add(peer, count, place, peer == own ? to_self : to_others);
        if (peer != own) longest_ = std::max(longest_, bytes);
      }
      if (++entry == entries) entry = 0;
    }
    return true;
  }

  // Of the one block that is for all of so many ranks.
  bool read_for_all(int ranks, int own, std::vector<Message> &to_others, std::vector<Message> &to_self) {
    if (counts_[0] < 0) return false;
    if (counts_[0] == 0) return true;
    to_others.reserve(static_cast<std::size_t>(ranks));
    for (int peer = own + 1; peer < ranks; ++peer) add(peer, counts_[0], 0, to_others);
    for (int peer = 0; peer < own; ++peer) add(peer, counts_[0], 0, to_others);
    const std::int64_t bytes = add(own, counts_[0], 0, to_self);
    if (ranks > 1) longest_ = bytes;
    return true;
  }

  // Between the first and the last byte, from the buffer.
  [[nodiscard]] Extent reach() const { return end_ < begin_ ? Extent{} : Extent{begin_ + lower_bound_, end_ - begin_}; }
  // Of the longest block of another rank's, and of all.
  [[nodiscard]] std::int64_t longest() const { return longest_; }
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }

 private:
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

  // Gives the bytes of the block.
  std::int64_t add(int peer, std::int64_t count, std::int64_t place, std::vector<Message> &messages) {
    const std::int64_t bytes = count * size_;
    const std::int64_t offset = place * size_;
    messages.push_back(
        {.peer = peer, .by_runs = false, .element = element_, .count = count, .offset = offset, .bytes = bytes});
    begin_ = std::min(begin_, offset);
    end_ = std::max(end_, offset + bytes);
    bytes_ += bytes;
    return bytes;
  }

  const std::int64_t size_;  // of an element, and its extent
  const std::int64_t lower_bound_;
  const Element *const element_;
  const int *const counts_;
  const int *const displs_;  // null: one count for all, one after the other
  std::int64_t begin_ = INT64_MAX;
  std::int64_t end_ = INT64_MIN;
  std::int64_t longest_ = 0;
  std::int64_t bytes_ = 0;
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

}  // namespace

// Compiled in one piece: it is part of every call of a program whose counts are new each time.
[[gnu::flatten]] bool MessageReader::read_plain(const CallArguments &arguments, const Peers &peers,
                                                Messages &messages) {
  if (!is_plain(arguments, peers)) return false;
  const KnownType *const received = kept_type(*arguments.receive.types, "receive");
  const MPI_Datatype sent_type = *arguments.send.types;
  const KnownType *const sent = sent_type == *arguments.receive.types ? received : kept_type(sent_type, "send");
  if (received == nullptr || sent == nullptr || !is_plain(received->shape) || !is_plain(sent->shape)) return false;
  messages.start_anew(arguments, peers);
  PlainSide send(arguments.send, sent->shape, messages.sent_elements);
  PlainSide receive(arguments.receive, received->shape, messages.received_elements);
  const auto read_sends = [&](const auto &ranks) {
    return send.read(ranks, peers.rank, messages.sends, messages.own_sends);
  };
  const auto read_receives = [&](const auto &ranks) {
    return receive.read(ranks, peers.rank, messages.receives, messages.own_receives);
  };
  const FirstNumbers all(peers.ranks);
  messages.for_all = arguments.gathers;
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
