#include "call/message_reader.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "wire/device_memory.hpp"
#include "wire/given_side.hpp"

namespace rondo::internal::call {

namespace {

template <class Count, class Displacement, class Ranks, class Matching>
void read_arrays(const SideArguments &given, const char *name, bool each_type, int ranks, const Ranks &peers,
                 const Matching &matching, Side &side) {
  const auto *counts = static_cast<const Count *>(given.counts);
  const auto *displs = static_cast<const Displacement *>(given.displs);
  if (each_type) {
    GivenSide<Count, Displacement, EachType>{name, given.buffer, counts, displs, {given.types}}.read_into(
        side, ranks, peers, matching);
  } else {
    GivenSide<Count, Displacement>{name, given.buffer, counts, displs, *given.types}.read_into(side, ranks, peers,
                                                                                               matching);
  }
}

// Of a side that has one for all of its blocks.
std::int64_t one_count(const SideArguments &given) {
  return number_at(given.counts, given.width, 0);
}

// Whom each entry is for, and the order in which those of the same rank are matched, are lists of numbers.
template <class Ranks, class Matching>
void read_side(const SideArguments &given, const char *name, bool each_type, int ranks, const Ranks &peers,
               const Matching &matching, Side &side) {
  const bool is_wide = given.width != sizeof(int);
  if (given.displs == nullptr) {
    return UniformSide{given.buffer, one_count(given), *given.types}.read_into(side, ranks, peers, matching);
  }
  if (is_wide) return read_arrays<MPI_Count, MPI_Aint>(given, name, each_type, ranks, peers, matching, side);
  return given.displ_width == sizeof(int)
             ? read_arrays<int, int>(given, name, each_type, ranks, peers, matching, side)
             : read_arrays<int, MPI_Aint>(given, name, each_type, ranks, peers, matching, side);
}

void read_receive(const CallArguments &arguments, const Peers &peers, Side &side) {
  const auto read = [&](const auto &sources, const auto &matching) {
    read_side(arguments.receive, "recv", arguments.each_type, peers.ranks, sources, matching, side);
  };
  if (peers.neighbors == nullptr) {
    read(FirstNumbers(peers.ranks), FirstNumbers(peers.ranks));
  } else {
    read(peers.neighbors->sources, peers.neighbors->matching);
  }
  check_side_by_cache(side, "receive");
}

// The messages of one side. Those of one datatype have one element, or two where some lie on a device.
class Blocks {
 public:
  Blocks(const Side &side, bool may_be_on_device, std::vector<Element> &elements)
      : side_(side), may_be_on_device_(may_be_on_device), elements_(elements), known_(side.types.size()) {
    elements.reserve(2 * known_.size());  // those on devices, too
  }

  Message message(const Part &part) {
    const std::int64_t offset = side_.offset(part);
    const Element &element = element_of(part, offset);
    const std::int64_t bytes = side_.bytes(part);
    return {.peer = part.peer,
            .by_runs = !element.runs.empty() && worth_copying(part.count * std::ssize(element.runs), bytes),
            .element = &element,
            .count = part.count,
            .offset = offset,
            .bytes = bytes};
  }

  // Each rank begins with the one after it, so that not all send to the same one first.
  void add_all(int rank, std::vector<Message> &to_others, std::vector<Message> &to_self) {
    const auto &parts = side_.parts;
    const auto own =
        std::partition_point(parts.begin(), parts.end(), [&](const Part &part) { return part.peer < rank; });
    const auto add = [&](const Part &part) {
      if (side_.bytes(part) > 0) (part.peer == rank ? to_self : to_others).push_back(message(part));
    };
    to_others.reserve(parts.size());
    std::for_each(own, parts.end(), add);
    std::for_each(parts.begin(), own, add);
  }

 private:
  struct Known {
    const Element *ordinary = nullptr;
    const Element *on_device = nullptr;
  };

  // Rondo does not read or write memory of a GPU. Treated as data with gaps, it is left to MPI.
  const Element &element_of(const Part &part, std::int64_t offset) {
    const SideType &type = side_.types[part.type];
    const std::byte *const data = static_cast<std::byte *>(side_.buffer) + offset + type.shape.true_lower_bound;
    const bool on_device = may_be_on_device_ && is_device_memory(data);
    const Element *&known = on_device ? known_[part.type].on_device : known_[part.type].ordinary;
    if (known == nullptr) {
      Element &fresh = elements_.emplace_back(Element{type.type, type.shape});
      if (on_device) {
        fresh.shape.dense = false;
      } else {
        fresh.runs = runs_in(type.runs);
      }
      known = &fresh;
    }
    return *known;
  }

  const Side &side_;
  const bool may_be_on_device_;
  std::vector<Element> &elements_;
  std::vector<Known> known_;  // of each of the side's types
};

// What comes from others and has gaps is unpacked when the call has waited, with types that are still there then.
void hold_types(Messages &messages) {
  std::vector<bool> held(messages.received_elements.size());
  for (const Message &message : messages.receives) {
    const auto index = static_cast<std::size_t>(message.element - messages.received_elements.data());
    Element &element = messages.received_elements[index];
    if (element.shape.dense || held[index]) continue;
    element.type = messages.held.emplace_back(element.type).type();
    held[index] = true;
  }
}

// Of an all-gather: its block goes to all.
void add_gathered(const Side &side, int ranks, bool may_be_on_device, Messages &messages) {
  Blocks blocks(side, may_be_on_device, messages.sent_elements);
  for (const Part &part : side.parts) {  // one, or none where this rank has no entry
    if (side.bytes(part) == 0) continue;
    Message message = blocks.message(part);
    for (int distance = 1; distance < ranks; ++distance) {
      message.peer = (messages.rank + distance) % ranks;
      messages.sends.push_back(message);
    }
    message.peer = messages.rank;
    messages.own_sends.push_back(message);
  }
}

// What is sent, with what it has to do with what is received.
void read_send(const CallArguments &arguments, const Peers &peers, Side &receive, Side &send) {
  if (arguments.in_place()) {
    send = arguments.gathers ? take_own(receive, peers.rank) : receive;
    return;
  }
  const SideArguments &given = arguments.send;
  const auto read = [&](const auto &destinations, const auto &matching) {
    read_side(given, "send", arguments.each_type, peers.ranks, destinations, matching, send);
  };
  if (arguments.gathers) {
    read_for_all(send, given.buffer, one_count(given), *given.types);
  } else if (peers.neighbors == nullptr) {
    read(FirstNumbers(peers.ranks), FirstNumbers(peers.ranks));
  } else {
    read(peers.neighbors->destinations, FirstNumbers(peers.destinations()));
  }
  check_side_by_cache(send, "send");
  check_own_block(send, receive, peers.rank);
}

// Of a neighbour that is named several times, each block for itself is as long as where it is received.
void check_own_messages(const Messages &messages) {
  const std::size_t pairs = std::min(messages.own_sends.size(), messages.own_receives.size());
  for (std::size_t i = 0; i < pairs; ++i) {
    check_sizes_meet(messages.rank, messages.own_sends[i].bytes, messages.rank, messages.own_receives[i].bytes);
  }
}

// Whether a block may lie where a GPU's runtime has allocated memory. From a null buffer types tell where blocks lie.
bool blocks_may_be_on_device(const CallArguments &arguments) {
  if (arguments.send.buffer == nullptr || arguments.receive.buffer == nullptr) return may_have_device_memory();
  return arguments.may_be_on_device;
}

// The runs that messages refer to.
void keep_runs(const Side &side, Messages &messages) {
  for (const SideType &used : side.types) {
    if (used.runs) messages.runs.push_back(used.runs);
  }
}

}  // namespace

void MessageReader::read(const CallArguments &arguments, const Peers &peers, Messages &messages) {
  const bool on_device = blocks_may_be_on_device(arguments);
  if (on_device || !read_plain(arguments, peers, messages)) read_any(arguments, peers, on_device, messages);
}

void MessageReader::read_any(const CallArguments &arguments, const Peers &peers, bool on_device, Messages &messages) {
  messages.start_anew(arguments, peers);
  read_receive(arguments, peers, receive_);
  read_send(arguments, peers, receive_, send_);
  messages.for_all = send_.for_all;
  if (arguments.gathers) {
    add_gathered(send_, peers.ranks, on_device, messages);
  } else {
    Blocks(send_, on_device, messages.sent_elements).add_all(peers.rank, messages.sends, messages.own_sends);
  }
  Blocks(receive_, on_device, messages.received_elements).add_all(peers.rank, messages.receives, messages.own_receives);
  if (messages.in_place) {
    messages.own_sends.clear();
    messages.own_receives.clear();
  }
  check_own_messages(messages);
  messages.sum_up();
  hold_types(messages);
  keep_runs(send_, messages);
  keep_runs(receive_, messages);
  messages.sent = reach(send_);
  messages.received = reach(receive_);
}

Messages read_messages(const CallArguments &arguments, const Peers &peers) {
  Messages messages;
  MessageReader().read(arguments, peers, messages);
  return messages;
}

}  // namespace rondo::internal::call
