#pragma once

// One message of an exchange whose counts come with the data: a head with the lengths of its blocks, in the route's
// order, and then the blocks.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "wire/copy.hpp"

namespace rondo::internal {

// Bytes that are to be sent.
struct BlockData {
  const std::byte *data = nullptr;
  std::int64_t bytes = 0;
};

// A message on its way out. It is written bit by bit where there is room for a part of it only.
class Outgoing {
 public:
  Outgoing() = default;
  // The first piece is the head, of 8-byte words, the last of which are the lengths of the others, which have so many
  // bytes in all. What the pieces point to stays until the message is sent.
  Outgoing(std::span<const BlockData> pieces, std::int64_t data_bytes) : pieces_(pieces), data_bytes_(data_bytes) {}

  [[nodiscard]] std::span<const BlockData> blocks() const { return pieces_.subspan(1); }
  [[nodiscard]] std::int64_t head_bytes() const { return pieces_.front().bytes; }
  [[nodiscard]] std::int64_t data_bytes() const { return data_bytes_; }
  [[nodiscard]] std::int64_t all_bytes() const { return head_bytes() + data_bytes_; }

  // The head need not be written. To be called before the first write.
  void leave_head_out() { piece_ = std::max<std::size_t>(piece_, 1); }

  // From the first byte on, once more.
  void begin_again() {
    piece_ = 0;
    in_piece_ = 0;
  }
  // Copies the next so many bytes, of which so many are left.
  void write(std::byte *to, std::int64_t bytes) {
    while (bytes > 0) {
      const BlockData &piece = pieces_[piece_];
      const std::int64_t run = std::min(bytes, piece.bytes - in_piece_);
      if (run > 0) copy_bytes(to, piece.data + in_piece_, static_cast<std::size_t>(run));
      to += run;
      bytes -= run;
      in_piece_ += run;
      if (in_piece_ < piece.bytes) continue;
      in_piece_ = 0;
      ++piece_;
    }
  }

 private:
  std::span<const BlockData> pieces_{};
  std::int64_t data_bytes_ = 0;
  std::size_t piece_ = 0;  // the next to be written, and how much of it has been
  std::int64_t in_piece_ = 0;
};

}  // namespace rondo::internal
