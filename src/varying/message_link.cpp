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

std::int64_t MessageLink::first_bytes(std::size_t words) const {
  if (metadata_ == Metadata::size_first) return sizeof(std::int64_t);
  return static_cast<std::int64_t>(words *
                                   (metadata_ == Metadata::separate ? sizeof(ShortLength) : sizeof(std::int64_t)));
}

std::byte *MessageLink::stage(std::int64_t bytes) {
  reserve(staged_, bytes);
  return staged_.data();
}

void MessageLink::begin_send(Outgoing &message) {
  if (metadata_ == Metadata::joined) return send_joined(message);
  told_.clear();
  write_first(metadata_, message, told_);
  wire_.send(told_.data(), static_cast<std::int64_t>(told_.size()), peer_, sending_);
  if (metadata_ == Metadata::separate) message.leave_head_out();
  const std::int64_t bytes = metadata_ == Metadata::separate ? message.data_bytes() : message.all_bytes();
  const BlockData *const in_place = metadata_ == Metadata::separate ? only_block(message) : nullptr;
  if (in_place != nullptr) return wire_.send(in_place->data, bytes, peer_, sending_);
  message.write(stage(bytes), bytes);
  wire_.send(staged_.data(), bytes, peer_, sending_);
}

void MessageLink::send_joined(Outgoing &message) {
  const std::int64_t head = message.head_bytes();
  const std::int64_t data = message.data_bytes();
  const bool joined = data <= send_limit_.bytes();
  const BlockData *const in_place = joined ? nullptr : only_block(message);
  send_limit_.follow(data);
  // Enough for later messages, too, of no more data and perhaps in one piece.
  std::byte *const staged = stage(std::max(in_place != nullptr ? head : head + data, head + send_limit_.bytes()));
  message.write(staged, head);
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
  const std::int64_t most = first_bytes(words) + (metadata_ == Metadata::joined ? receive_limit_.bytes() : 0);
  reserve(first_, most);
  wire_.receive(first_.data(), most, peer_, first_pending_);
}

bool MessageLink::arrived(std::span<std::int64_t> head) {
  if (first_pending_.count > 0) return false;
  if (metadata_ == Metadata::size_first && !receive_second()) return false;
  if (metadata_ == Metadata::separate) {
    lengthen(first_.data(), head);
  } else {
    std::memcpy(head.data(), metadata_ == Metadata::joined ? first_.data() : second_.data(), head.size_bytes());
  }
  ++moved_;
  return true;
}

// Of which the first one tells how long it is.
bool MessageLink::receive_second() {
  if (!data_begun_) {
    std::int64_t size = 0;
    std::memcpy(&size, first_.data(), sizeof(size));
    reserve(second_, size);
    wire_.receive(second_.data(), size, peer_, data_pending_);
    data_begun_ = true;
  }
  return data_pending_.count == 0;
}

bool MessageLink::take(std::byte *to, std::int64_t bytes) {
  const auto copy = [&](const std::byte *from) {
    if (bytes > 0) std::memcpy(to, from, static_cast<std::size_t>(bytes));
  };
  if (metadata_ == Metadata::size_first) {
    copy(second_.data() + words_ * sizeof(std::int64_t));
    data_begun_ = false;
  } else if (metadata_ == Metadata::joined && bytes <= receive_limit_.bytes()) {
    copy(first_.data() + first_bytes(words_));
  } else {
    if (!data_begun_) {
      wire_.receive(to, bytes, peer_, data_pending_);
      data_begun_ = true;
    }
    if (data_pending_.count > 0) return false;
    data_begun_ = false;
  }
  ++moved_;
  if (metadata_ != Metadata::joined) return true;
  receive_limit_.follow(bytes);
  // Now, as a later start may take no memory that is no larger than this one.
  reserve(first_, first_bytes(most_words_) + receive_limit_.bytes());
  return true;
}

}  // namespace rondo::internal
