#pragma once

#include <cstdint>
#include <vector>

#include "varying/link.hpp"
#include "varying/message_wire.hpp"
#include "varying/metadata.hpp"
#include "varying/raw_memory.hpp"

namespace rondo::internal {

// The most data that goes in one message with its lengths, from one rank to another. Both follow it alike, as it
// depends on the messages between the two alone: it is a little more than the last had, grows at once, and shrinks
// slowly.
class JoinedLimit {
 public:
  [[nodiscard]] std::int64_t bytes() const { return bytes_; }
  // A message with so much data has passed.
  void follow(std::int64_t data_bytes);

 private:
  static constexpr std::int64_t least = 256;
  static constexpr std::int64_t most = 16384;

  std::int64_t bytes_ = least;
};

// A link by messages of MPI. One message has lengths and data, where there is no more data than the limit; else a
// second one follows, exactly as long as the data.
class MessageLink final : public Link {
 public:
  MessageLink(MessageWire &wire, int peer, Metadata metadata) : wire_(wire), peer_(peer), metadata_(metadata) {}

  bool send(Outgoing &message) override;
  void expect(std::size_t words) override;
  bool arrived(std::span<std::int64_t> head) override;
  bool take(std::byte *to, std::int64_t bytes) override;
  [[nodiscard]] std::uint64_t moved() const override { return moved_; }

 private:
  void begin_send(Outgoing &message);
  void send_joined(Outgoing &message);
  std::byte *stage(std::int64_t bytes);
  // Of the first message, without the data that comes with it.
  [[nodiscard]] std::int64_t first_bytes(std::size_t words) const;
  bool receive_second();

  MessageWire &wire_;
  const int peer_;
  const Metadata metadata_;

  RawMemory staged_;               // what is being sent
  std::vector<std::byte> told_{};  // the first of two messages
  MessageWire::Pending sending_;
  bool send_begun_ = false;
  JoinedLimit send_limit_;

  RawMemory first_;  // where the first message of what is expected comes to
  MessageWire::Pending first_pending_;
  std::size_t words_ = 0;  // of its head
  std::size_t most_words_ = 0;
  RawMemory second_;  // where the second one comes to that has a head
  MessageWire::Pending data_pending_;
  bool data_begun_ = false;
  JoinedLimit receive_limit_;
  std::uint64_t moved_ = 0;
};

}  // namespace rondo::internal
