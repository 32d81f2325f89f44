#include "call/messages.hpp"

#include <algorithm>

#include "wire/side.hpp"

namespace rondo::internal::call {

namespace {

// The blocks of one direction as a side whose displacements are bytes. Without the runs of types with gaps, which are
// too many to be compared in each call.
Side side_of(const std::vector<Message> &to_others, const std::vector<Message> &own, void *buffer, bool for_all) {
  Side side{.buffer = buffer, .for_all = for_all, .unit = Side::Unit::bytes};
  const auto add = [&](const std::vector<Message> &messages) {
    for (const Message &message : messages) {
      side.parts.push_back(
          {for_all ? 0 : message.peer, message.count, message.offset, static_cast<std::int32_t>(side.types.size())});
      side.types.push_back({message.element->type, message.element->shape});
    }
  };
  add(own);
  if (!for_all) add(to_others);
  return side;
}

}  // namespace

int Peers::destinations() const {
  return neighbors == nullptr ? ranks : static_cast<int>(neighbors->destinations.size());
}

int Peers::sources() const {
  return neighbors == nullptr ? ranks : static_cast<int>(neighbors->sources.size());
}

std::size_t Messages::memory() const {
  return (sends.capacity() + receives.capacity() + own_sends.capacity() + own_receives.capacity()) * sizeof(Message) +
         (sent_elements.capacity() + received_elements.capacity()) * sizeof(Element);
}

void Messages::start_anew(const CallArguments &arguments, const Peers &peers) {
  belong_to(arguments, peers);
  for (auto *some : {&sends, &receives, &own_sends, &own_receives}) some->clear();
  sent_elements.clear();
  received_elements.clear();
  held.clear();
  runs.clear();
  plain.reset();
}

void Messages::sum_up() {
  lies_ready = !overwritten();
  longest = sent_bytes = 0;
  most_pieces = walks = 0;
  const auto look_at = [this](const Message &message) {
    lies_ready = lies_ready && message.element->shape.dense;
    longest = std::max(longest, message.bytes);
  };
  for (const Message &message : sends) {
    look_at(message);
    sent_bytes += message.bytes;
    const bool by_runs = message.by_runs && may_send_runs();
    most_pieces += 1 + (by_runs ? static_cast<std::size_t>(message.count) * message.element->runs.size() : 1);
  }
  for (const Message &message : own_sends) sent_bytes += message.bytes;
  for (const Message &message : receives) {
    look_at(message);
    walks += message.by_runs ? 1 : 0;
  }
}

// In most calls the two buffers do not overlap at all; only where they do are the blocks compared.
void check_apart(const Messages &messages, void *send, void *receive) {
  const std::int64_t shift = reinterpret_cast<std::intptr_t>(send) - reinterpret_cast<std::intptr_t>(receive);
  if (messages.in_place || messages.sent.offset + shift >= messages.received.end() ||
      messages.received.offset >= messages.sent.end() + shift) {
    return;
  }
  const Side from = side_of(messages.sends, messages.own_sends, send, messages.for_all);
  const Side to = side_of(messages.receives, messages.own_receives, receive, false);
  check_apart(from, to, messages.rank);
}

}  // namespace rondo::internal::call
