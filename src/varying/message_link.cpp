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

std::int64_t MessageLink::length_bytes(std::size_t blocks) const {
  return static_cast<std::int64_t>(blocks * (separate_ ? sizeof(ShortLength) : sizeof(std::int64_t)));
}

std::byte *MessageLink::stage(std::int64_t bytes) {
  reserve(staged_, bytes);
  return staged_.data();
}

void MessageLink::begin_send(Outgoing &message) {
  const std::int64_t lengths = length_bytes(message.blocks().size());
  const std::int64_t data = message.data_bytes();
  const bool joined = !separate_ && data <= send_limit_.bytes();
  const BlockData *const in_place = joined ? nullptr : only_block(message);
  std::byte *const staged = stage(in_place != nullptr ? lengths : lengths + data);
  if (separate_) {
    std::byte *to = staged;
    for (const BlockData &block : message.blocks()) {
      const auto length = static_cast<ShortLength>(block.bytes);
      std::memcpy(to, &length, sizeof(length));
      to += sizeof(length);
    }
    message.leave_lengths_out();
  } else {
    message.write(staged, lengths);
  }
  if (in_place == nullptr) message.write(staged + lengths, data);
  wire_.send(staged, joined ? lengths + data : lengths, peer_, sending_);
  if (!joined) wire_.send(in_place != nullptr ? in_place->data : staged + lengths, data, peer_, sending_);
  send_limit_.follow(data);
}

bool MessageLink::send(Outgoing &message) {
  if (!send_begun_) {
    begin_send(message);
    send_begun_ = true;
  }
  if (sending_.count > 0) return false;
  send_begun_ = false;
  return true;
}

void MessageLink::expect(std::size_t blocks) {
  blocks_ = blocks;
  const std::int64_t most = length_bytes(blocks) + (separate_ ? 0 : receive_limit_.bytes());
  reserve(first_, most);
  wire_.receive(first_.data(), most, peer_, first_pending_);
}

bool MessageLink::arrived(std::span<std::int64_t> lengths) {
  if (first_pending_.count > 0) return false;
  if (!separate_) {
    std::memcpy(lengths.data(), first_.data(), lengths.size_bytes());
  } else {
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      ShortLength length = 0;
      std::memcpy(&length, first_.data() + i * sizeof(length), sizeof(length));
      lengths[i] = length;
    }
  }
  ++arrivals_;
  return true;
}

bool MessageLink::take(std::byte *to, std::int64_t bytes) {
  if (!separate_ && bytes <= receive_limit_.bytes()) {
    std::memcpy(to, first_.data() + length_bytes(blocks_), static_cast<std::size_t>(bytes));
  } else {
    if (!data_begun_) {
      wire_.receive(to, bytes, peer_, data_pending_);
      data_begun_ = true;
    }
    if (data_pending_.count > 0) return false;
    data_begun_ = false;
  }
  receive_limit_.follow(bytes);
  ++arrivals_;
  return true;
}

}  // namespace rondo::internal
