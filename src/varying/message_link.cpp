#include "varying/message_link.hpp"

#include <algorithm>
#include <cstring>

namespace rondo::internal {

namespace {

void reserve(RawMemory &memory, std::int64_t bytes) {
  if (memory.size() < bytes) memory = RawMemory(std::max(bytes, memory.size() + memory.size() / 2));
}

// The only block with data; null where there are several.
const BlockData *only_block(const Outgoing &message) {
  const BlockData *only = nullptr;
  for (const BlockData &block : message.blocks()) {
    if (block.bytes == 0) continue;
    if (only != nullptr) return nullptr;
    only = &block;
  }
  return only;
}

}  // namespace

void JoinedLimit::follow(std::int64_t data_bytes) {
  const std::int64_t room = std::clamp(data_bytes + data_bytes / 4, least, most);
  bytes_ = std::max(room, bytes_ - bytes_ / 8);
}

std::int64_t MessageLink::head_bytes(std::size_t words) const {
  return static_cast<std::int64_t>(words * (separate_ ? sizeof(ShortLength) : sizeof(std::int64_t)));
}

std::byte *MessageLink::stage(std::int64_t bytes) {
  reserve(staged_, bytes);
  return staged_.data();
}

void MessageLink::begin_send(Outgoing &message) {
  const std::int64_t head = separate_ ? head_bytes(message.blocks().size()) : message.head_bytes();
  const std::int64_t data = message.data_bytes();
  const bool joined = !separate_ && data <= send_limit_.bytes();
  const BlockData *const in_place = joined ? nullptr : only_block(message);
  send_limit_.follow(data);
  // Enough for later messages, too, of no more data and perhaps in one piece.
  std::byte *const staged = stage(std::max(in_place != nullptr ? head : head + data, head + send_limit_.bytes()));
  if (separate_) {
    std::byte *to = staged;
    for (const BlockData &block : message.blocks()) {
      const auto length = static_cast<ShortLength>(block.bytes);
      std::memcpy(to, &length, sizeof(length));
      to += sizeof(length);
    }
    message.leave_head_out();
  } else {
    message.write(staged, head);
  }
  if (in_place == nullptr) message.write(staged + head, data);
  wire_.send(staged, joined ? head + data : head, peer_, sending_);
  if (!joined) wire_.send(in_place != nullptr ? in_place->data : staged + head, data, peer_, sending_);
}

bool MessageLink::send(Outgoing &message) {
  if (!send_begun_) {
    begin_send(message);
    send_begun_ = true;
  }
  if (sending_.count > 0) return false;
  ++moved_;
  send_begun_ = false;
  return true;
}

void MessageLink::expect(std::size_t words) {
  words_ = words;
  most_words_ = std::max(most_words_, words);
  const std::int64_t most = head_bytes(words) + (separate_ ? 0 : receive_limit_.bytes());
  reserve(first_, most);
  wire_.receive(first_.data(), most, peer_, first_pending_);
}

bool MessageLink::arrived(std::span<std::int64_t> head) {
  if (first_pending_.count > 0) return false;
  if (!separate_) {
    std::memcpy(head.data(), first_.data(), head.size_bytes());
  } else {
    lengthen(first_.data(), head);
  }
  ++moved_;
  return true;
}

bool MessageLink::take(std::byte *to, std::int64_t bytes) {
  if (!separate_ && bytes <= receive_limit_.bytes()) {
    if (bytes > 0) std::memcpy(to, first_.data() + head_bytes(words_), static_cast<std::size_t>(bytes));
  } else {
    if (!data_begun_) {
      wire_.receive(to, bytes, peer_, data_pending_);
      data_begun_ = true;
    }
    if (data_pending_.count > 0) return false;
    data_begun_ = false;
  }
  receive_limit_.follow(bytes);
  // Now, as a later start may take no memory that is no larger than this one.
  if (!separate_) reserve(first_, head_bytes(most_words_) + receive_limit_.bytes());
  ++moved_;
  return true;
}

}  // namespace rondo::internal
