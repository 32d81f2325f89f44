#include "varying/slot_link.hpp"

namespace rondo::internal {

bool SlotLink::send_separately(Outgoing &message) {
  if (!lengths_sent_) {
    if (short_lengths_.empty()) {
      for (const BlockData &block : message.blocks()) short_lengths_.push_back(static_cast<ShortLength>(block.bytes));
    }
    const BlockData lengths{reinterpret_cast<const std::byte *>(short_lengths_.data()),
                            static_cast<std::int64_t>(short_lengths_.size() * sizeof(ShortLength))};
    if (!writer_.write(lengths.bytes, reader_, [&](std::byte *to, std::int64_t part) {
          copy_bytes(to, lengths.data + lengths_written_, static_cast<std::size_t>(part));
          lengths_written_ += part;
        })) {
      return false;
    }
    lengths_sent_ = true;
  }
  message.leave_head_out();
  if (!write(message.data_bytes(), message)) return false;
  short_lengths_.clear();
  lengths_written_ = 0;
  lengths_sent_ = false;
  return true;
}

bool SlotLink::read_head(std::span<std::int64_t> head) {
  const std::span<std::byte> bytes = std::as_writable_bytes(head);
  const auto all = static_cast<std::int64_t>(bytes.size());
  head_read_ += reader_.read(bytes.data() + head_read_, all - head_read_);
  return head_read_ == all;
}

// They are read into the end of the array and spread from there.
bool SlotLink::read_short_lengths(std::span<std::int64_t> lengths) {
  const std::span<std::byte> half = std::as_writable_bytes(lengths).last(lengths.size() * sizeof(ShortLength));
  const auto all = static_cast<std::int64_t>(half.size());
  head_read_ += reader_.read(half.data() + head_read_, all - head_read_);
  if (head_read_ < all) return false;
  lengthen(half.data(), lengths);
  reader_.end();
  return true;
}

}  // namespace rondo::internal
