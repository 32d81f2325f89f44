#pragma once

#include <cstdint>
#include <vector>

#include "varying/link.hpp"
#include "varying/metadata.hpp"
#include "varying/slots.hpp"
#include "wire/bell.hpp"

namespace rondo::internal {

// A link through memory that both ranks share. Where a head is the length of an only block, it is not told: it is that
// of the message.
class SlotLink final : public Link {
 public:
  // `out` is memory of SlotPlaces to the other rank, `in` from it, which this rank has cleared. `bell` is the other's.
  SlotLink(std::byte *out, std::byte *in, const SlotPlaces &places, Bell &bell, Metadata metadata)
      : writer_(out, places), reader_(in, places), bell_(bell), separate_(metadata == Metadata::separate) {}

  bool send(Outgoing &message) override {
    if (separate_) return send_separately(message);
    if (message.head_bytes() > word) return write(message.all_bytes(), message);
    message.leave_head_out();
    return write(message.data_bytes(), message);
  }

  void expect(std::size_t) override {}

  bool arrived(std::span<std::int64_t> head) override {
    if (!reader_.arrived()) return false;
    if (separate_) return read_short_lengths(head);
    if (head.size() > 1) return read_head(head);
    head.front() = reader_.bytes();
    return true;
  }

  bool take(std::byte *to, std::int64_t bytes) override {
    if (separate_ && !reader_.arrived()) return false;
    taken_ += reader_.read(to + taken_, bytes - taken_);
    if (taken_ < bytes) return told_writer();
    taken_ = head_read_ = 0;
    reader_.end();
    bell_.ring();
    return true;
  }

  [[nodiscard]] std::uint64_t moved() const override { return writer_.moved() + reader_.moved(); }

  void fetch_for_next() const override { writer_.fetch(); }

 private:
  static constexpr std::int64_t word = sizeof(std::int64_t);

  bool write(std::int64_t bytes, Outgoing &message) {
    const bool all = writer_.write(bytes, reader_, [&](std::byte *to, std::int64_t part) { message.write(to, part); });
    bell_.ring();
    return all;
  }
  bool told_writer() {
    bell_.ring();
    return false;
  }
  bool send_separately(Outgoing &message);
  bool read_head(std::span<std::int64_t> head);
  bool read_short_lengths(std::span<std::int64_t> lengths);

  SlotWriter writer_;
  SlotReader reader_;
  Bell &bell_;
  const bool separate_;
  std::vector<ShortLength> short_lengths_{};  // of the message that is being sent
  std::int64_t lengths_written_ = 0;          // bytes of them
  bool lengths_sent_ = false;
  std::int64_t head_read_ = 0;  // bytes
  std::int64_t taken_ = 0;      // bytes of the data that is being taken
};

}  // namespace rondo::internal
