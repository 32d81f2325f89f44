#include "call/messages.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "wire/device_memory.hpp"
#include "wire/given_side.hpp"

namespace rondo::internal::call {

namespace {

// The entries of one side: whom each is for, and the order in which those of the same rank are matched.
struct Entries {
  std::span<const int> peers;
  std::span<const int> matching;
};

template <class Count, class Displacement>
Side read_arrays(const SideArguments &given, const char *name, bool each_type, int ranks, const Entries &entries) {
  const auto *counts = static_cast<const Count *>(given.counts);
  const auto *displs = static_cast<const Displacement *>(given.displs);
  if (each_type) {
    return GivenSide<Count, Displacement, EachType>{name, given.buffer, counts, displs, {given.types}}.read(
        ranks, entries.peers, entries.matching);
  }
  return GivenSide<Count, Displacement>{name, given.buffer, counts, displs, *given.types}.read(ranks, entries.peers,
                                                                                               entries.matching);
}

// Of a side that has one for all of its blocks.
std::int64_t one_count(const SideArguments &given) {
  return given.width != sizeof(int) ? *static_cast<const MPI_Count *>(given.counts)
                                    : *static_cast<const int *>(given.counts);
}

Side read_side(const SideArguments &given, const char *name, bool each_type, int ranks, const Entries &entries) {
  const bool is_wide = given.width != sizeof(int);
  if (given.displs == nullptr) {
    return UniformSide{given.buffer, one_count(given), *given.types}.read(ranks, entries.peers, entries.matching);
  }
  if (is_wide) return read_arrays<MPI_Count, MPI_Aint>(given, name, each_type, ranks, entries);
  return given.displ_width == sizeof(int) ? read_arrays<int, int>(given, name, each_type, ranks, entries)
                                          : read_arrays<int, MPI_Aint>(given, name, each_type, ranks, entries);
}

Message message_of(const Side &side, const Part &part, bool may_be_on_device) {
  Message message{.peer = part.peer,
                  .count = part.count,
                  .type = side.types[part.type].type,
                  .offset = side.offset(part),
                  .bytes = side.bytes(part),
                  .shape = side.shape(part),
                  .runs = runs_in(side.types[part.type].runs)};
  // Rondo does not read or write memory of a GPU. Treated as data with gaps, it is left to MPI.
  if (may_be_on_device && is_device_memory(message.data(side.buffer))) {
    message.shape.dense = false;
    message.runs = {};
  }
  message.by_runs = !message.runs.empty() && worth_copying(message.count * std::ssize(message.runs), message.bytes);
  return message;
}

// Each rank begins with the one after it, so that not all send to the same one first.
void add_messages(const Side &side, int rank, std::vector<Message> &to_others, std::vector<Message> &to_self) {
  const auto own =
      std::partition_point(side.parts.begin(), side.parts.end(), [&](const Part &part) { return part.peer < rank; });
  const bool may_be_on_device = may_have_device_memory();
  const auto add = [&](const Part &part) {
    if (side.bytes(part) == 0) return;
    (part.peer == rank ? to_self : to_others).push_back(message_of(side, part, may_be_on_device));
  };
  to_others.reserve(side.parts.size());
  std::for_each(own, side.parts.end(), add);
  std::for_each(side.parts.begin(), own, add);
}

// What has gaps is unpacked when the call has waited, with types that are still there then.
void hold_types(Messages &messages) {
  std::map<MPI_Datatype, MPI_Datatype> known;
  for (Message &message : messages.receives) {
    if (message.shape.dense) continue;
    auto found = known.find(message.type);
    if (found == known.end()) {
      found = known.emplace(message.type, messages.held.emplace_back(message.type).type()).first;
    }
    message.type = found->second;
  }
}

// Of an all-gather: its block goes to all.
void add_gathered(Messages &messages, int ranks) {
  const Side &side = messages.send;
  const bool may_be_on_device = may_have_device_memory();
  for (const Part &part : side.parts) {  // one, or none where this rank has no entry
    if (side.bytes(part) == 0) continue;
    Message message = message_of(side, part, may_be_on_device);
    for (int distance = 1; distance < ranks; ++distance) {
      message.peer = (messages.rank + distance) % ranks;
      messages.sends.push_back(message);
    }
    message.peer = messages.rank;
    messages.own_sends.push_back(message);
  }
}

// What is sent, with what it has to do with what is received.
Side read_send(const CallArguments &arguments, const Peers &peers, const Entries &entries, Messages &messages) {
  if (messages.in_place) return arguments.gathers ? take_own(messages.receive, peers.rank) : messages.receive;
  const SideArguments &given = arguments.send;
  Side send = arguments.gathers ? side_for_all(given.buffer, one_count(given), *given.types)
                                : read_side(given, "send", arguments.each_type, peers.ranks, entries);
  check_side_by_cache(send, "send");
  check_own_block(send, messages.receive, peers.rank);
  return send;
}

// Of a neighbour that is named several times, each block for itself is as long as where it is received.
void check_own_messages(const Messages &messages) {
  const std::size_t pairs = std::min(messages.own_sends.size(), messages.own_receives.size());
  for (std::size_t i = 0; i < pairs; ++i) {
    check_sizes_meet(messages.rank, messages.own_sends[i].bytes, messages.rank, messages.own_receives[i].bytes);
  }
}

Entries sources_of(const Peers &peers, std::span<const int> all) {
  if (peers.neighbors == nullptr) return {all, all};
  return {peers.neighbors->sources, peers.neighbors->matching};
}

}  // namespace

int Peers::destinations() const {
  return neighbors == nullptr ? ranks : static_cast<int>(neighbors->destinations.size());
}

int Peers::sources() const {
  return neighbors == nullptr ? ranks : static_cast<int>(neighbors->sources.size());
}

std::size_t Messages::memory() const {
  return (send.parts.size() + receive.parts.size()) * sizeof(Part) +
         (send.types.size() + receive.types.size()) * sizeof(SideType) +
         (sends.size() + receives.size() + own_sends.size() + own_receives.size()) * sizeof(Message);
}

Messages read_messages(const CallArguments &arguments, const Peers &peers) {
  const std::vector<int> in_order = every_rank(std::max(peers.ranks, peers.destinations()));
  const std::span<const int> all(in_order.data(), static_cast<std::size_t>(peers.ranks));
  Messages messages{.rank = peers.rank,
                    .in_place = arguments.in_place(),
                    .repeated = peers.neighbors != nullptr && peers.neighbors->repeated};
  messages.receive = read_side(arguments.receive, "recv", arguments.each_type, peers.ranks, sources_of(peers, all));
  check_side_by_cache(messages.receive, "receive");
  const Entries entries = peers.neighbors == nullptr ? Entries{all, all}
                                                     : Entries{peers.neighbors->destinations,
                                                               {in_order.data(), peers.neighbors->destinations.size()}};
  messages.send = read_send(arguments, peers, entries, messages);
  if (arguments.gathers) {
    add_gathered(messages, peers.ranks);
  } else {
    add_messages(messages.send, peers.rank, messages.sends, messages.own_sends);
  }
  add_messages(messages.receive, peers.rank, messages.receives, messages.own_receives);
  if (messages.in_place) {
    messages.own_sends.clear();
    messages.own_receives.clear();
  }
  check_own_messages(messages);
  for (const auto *sends : {&messages.sends, &messages.own_sends}) {
    for (const Message &message : *sends) messages.sent_bytes += message.bytes;
  }
  messages.lies_ready = !messages.overwritten();
  for (const auto *messages_of : {&messages.sends, &messages.receives}) {
    for (const Message &message : *messages_of) {
      messages.lies_ready = messages.lies_ready && message.shape.dense;
      messages.longest = std::max(messages.longest, message.bytes);
    }
  }
  for (const Message &message : messages.sends) {
    const bool runs = message.by_runs && messages.may_send_runs();
    messages.most_pieces += 1 + (runs ? static_cast<std::size_t>(message.count) * message.runs.size() : 1);
  }
  for (const Message &message : messages.receives) messages.walks += message.by_runs ? 1 : 0;
  hold_types(messages);
  messages.sent = reach(messages.send);
  messages.received = reach(messages.receive);
  return messages;
}

// In most calls the two buffers do not overlap at all; only where they do are the blocks compared.
void check_apart(const Messages &messages, void *send, void *receive) {
  const std::int64_t shift = reinterpret_cast<std::intptr_t>(send) - reinterpret_cast<std::intptr_t>(receive);
  if (messages.in_place || messages.sent.offset + shift >= messages.received.end() ||
      messages.received.offset >= messages.sent.end() + shift) {
    return;
  }
  Side from = messages.send;
  Side to = messages.receive;
  from.buffer = send;
  to.buffer = receive;
  // The runs of types with gaps are too many to be compared in each call.
  for (Side *side : {&from, &to}) {
    for (SideType &used : side->types) used.runs = nullptr;
  }
  check_apart(from, to, messages.rank);
}

}  // namespace rondo::internal::call
