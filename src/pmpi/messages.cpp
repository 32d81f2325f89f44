#include "pmpi/messages.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "exchange/error.hpp"
#include "exchange/exchange.hpp"
#include "pmpi/known_type.hpp"
#include "wire/device_memory.hpp"

namespace rondo::internal::pmpi {

namespace {

// No object lies in the first page: an address there comes of a null buffer.
constexpr std::uintptr_t first_page = 4096;

void check(const Message &message, const void *buffer, const char *side) {
  const std::int64_t first = checked_add(reinterpret_cast<std::intptr_t>(buffer), message.offset, "an address") +
                             message.shape.true_lower_bound;
  if (static_cast<std::uintptr_t>(first) >= first_page) return;
  throw Error(Fault::buffer, fmt::format("the {} buffer is null, but the {} count for rank {} is {}", side, side,
                                         message.peer, message.count))
      .with_peer(message.peer)
      .with_values(message.count);
}

struct SideReader {
  const SideArguments &given;
  bool each_type;
  int rank;
  const char *name;
  std::vector<Message> &to_others;
  std::vector<Message> &to_self;

  // Looks the type of all entries up once.
  [[nodiscard]] const DatatypeShape *common_shape() const { return each_type ? nullptr : &known_type(*given.types); }

  void read(int entry, int peer, const DatatypeShape *common) const {
    if (peer == MPI_PROC_NULL) return;
    const std::int64_t count = given.count(entry);
    if (count == 0) return;
    if (count < 0) {
      throw Error(Fault::count, fmt::format("the {} count for rank {} is negative: {}", name, peer, count))
          .with_peer(peer)
          .with_values(count);
    }
    const MPI_Datatype type = each_type ? given.types[entry] : *given.types;
    const DatatypeShape &shape = common != nullptr ? *common : known_type(type);
    const std::int64_t unit = each_type ? 1 : shape.extent;
    Message message{.peer = peer,
                    .count = count,
                    .type = type,
                    .offset = checked_multiply(given.displacement(entry), unit, "a displacement"),
                    .bytes = checked_multiply(count, shape.size, "a block"),
                    .shape = shape};
    if (message.bytes == 0) return;
    check(message, given.buffer, name);
    // Memory of a GPU is the MPI library's to read and write, as data with gaps is.
    if (is_device_memory(message.data(given.buffer))) message.shape.dense = false;
    (peer == rank ? to_self : to_others).push_back(message);
  }
};

// Each rank begins with the one after it, so that not all send to the same one first.
void read_all_ranks(const SideReader &side, const Peers &peers) {
  const DatatypeShape *common = side.common_shape();
  for (int k = 0; k < peers.ranks; ++k) {
    const int peer = (peers.rank + k) % peers.ranks;
    side.read(peer, peer, common);
  }
}

void check_own(const Messages &messages) {
  std::int64_t sent = 0;
  std::int64_t received = 0;
  for (const Message &message : messages.own_sends) sent += message.bytes;
  for (const Message &message : messages.own_receives) received += message.bytes;
  if (sent == received) return;
  throw Error(Fault::mismatch,
              fmt::format("a rank sends {} bytes to itself, but receives {} from itself", sent, received))
      .with_values(sent, received);
}

Extent span_of(const Message &message) {
  const Extent span = message.shape.span(message.count);
  return {message.offset + span.offset, span.length};
}

Extent reach(const std::vector<Message> &to_others, const std::vector<Message> &to_self) {
  std::int64_t begin = INT64_MAX;
  std::int64_t end = INT64_MIN;
  for (const auto *messages : {&to_others, &to_self}) {
    for (const Message &message : *messages) {
      begin = std::min(begin, span_of(message).offset);
      end = std::max(end, span_of(message).end());
    }
  }
  return begin < end ? Extent{begin, end - begin} : Extent{};
}

// Of the messages without gaps.
std::vector<NamedExtent> runs(const std::vector<Message> &messages, std::int64_t shift) {
  std::vector<NamedExtent> extents;
  for (const Message &message : messages) {
    if (!message.shape.dense) continue;
    const Extent span = span_of(message);
    extents.push_back({{span.offset + shift, span.length}, message.peer});
  }
  return extents;
}

}  // namespace

int Peers::destinations() const {
  return neighbors == nullptr ? ranks : static_cast<int>(neighbors->destinations.size());
}

int Peers::sources() const {
  return neighbors == nullptr ? ranks : static_cast<int>(neighbors->sources.size());
}

Messages read_messages(const CallArguments &arguments, const Peers &peers) {
  Messages messages;
  messages.in_place = arguments.in_place();
  const SideReader send{messages.in_place ? arguments.receive : arguments.send,
                        arguments.each_type,
                        peers.rank,
                        "send",
                        messages.sends,
                        messages.own_sends};
  const SideReader receive{arguments.receive, arguments.each_type, peers.rank,
                           "receive",         messages.receives,   messages.own_receives};
  if (peers.neighbors == nullptr) {
    read_all_ranks(send, peers);
    read_all_ranks(receive, peers);
  } else {
    const Neighbors &neighbors = *peers.neighbors;
    const DatatypeShape *common = send.common_shape();
    for (int i = 0; i < peers.destinations(); ++i) {
      send.read(i, neighbors.destinations[static_cast<std::size_t>(i)], common);
    }
    common = receive.common_shape();
    for (const int i : neighbors.matching) receive.read(i, neighbors.sources[static_cast<std::size_t>(i)], common);
  }
  if (messages.in_place) {
    messages.own_sends.clear();
    messages.own_receives.clear();
  }
  check_own(messages);
  for (const auto *sends : {&messages.sends, &messages.own_sends}) {
    for (const Message &message : *sends) messages.sent_bytes += message.bytes;
  }
  messages.sent = reach(messages.sends, messages.own_sends);
  messages.received = reach(messages.receives, messages.own_receives);
  return messages;
}

void check_apart(const Messages &messages, const void *send, const void *receive) {
  const std::int64_t shift = reinterpret_cast<std::intptr_t>(send) - reinterpret_cast<std::intptr_t>(receive);
  if (messages.in_place || messages.sent.offset + shift >= messages.received.end() ||
      messages.received.offset >= messages.sent.end() + shift) {
    return;
  }
  // A block that goes from a rank to itself may stay where it is: there are programs that mean that.
  rondo::internal::check_apart(runs(messages.sends, shift), runs(messages.receives, 0));
}

}  // namespace rondo::internal::pmpi
