#include "varying/slot_link.hpp"

#include <fmt/format.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>

#include "exchange/error.hpp"
#include "wire/agreement.hpp"
#include "wire/attach.hpp"

namespace rondo::internal {

namespace {

// Blocks that are shorter on average cost more to be read one by one than they cost in slots.
constexpr std::int64_t least_average = 4096;

// What a message that says where its data lies has after its head: a SharedBlock, which begins with a number above 0;
// or 0, if the data lies elsewhere in the process, and a list of blocks.
constexpr std::int64_t listed = 0;
static_assert(offsetof(SharedBlock, bytes) == 0);

bool is_shared(std::span<const std::byte> where) {
  std::int64_t first = listed;
  std::memcpy(&first, where.data(), sizeof(first));
  return first != listed;
}

// A block is memory of one kind: its ends stand for what is between.
bool peer_can_read(std::span<const BlockData> blocks) {
  std::array<const std::byte *, 256> ends;
  std::size_t count = 0;
  for (const BlockData &block : blocks) {
    if (block.bytes == 0) continue;
    ends[count++] = block.data;
    ends[count++] = block.data + block.bytes - 1;
    if (count < ends.size()) continue;
    if (!others_can_read(ends)) return false;
    count = 0;
  }
  return others_can_read(std::span(ends).first(count));
}

// After so much the writer is told that the reader gets on, and after so much the reader does other things.
constexpr std::int64_t most_at_once = std::int64_t{1} << 20;
constexpr std::int64_t most_of_a_take = std::int64_t{16} << 20;

// Of the blocks that these places of a process tell of, as if they lay one after the other: copies so many bytes at
// most from the `skipped`-th on, and gives how many.
std::int64_t read_some(pid_t process, std::span<const std::byte> places, std::int64_t skipped, std::byte *to) {
  std::array<iovec, 64> from;
  std::size_t count = 0;
  std::int64_t length = 0;
  for (; count < from.size() && length < most_at_once && !places.empty(); places = places.subspan(sizeof(BlockData))) {
    BlockData block;
    std::memcpy(&block, places.data(), sizeof(block));
    const std::int64_t before = std::min(skipped, block.bytes);
    skipped -= before;
    if (before == block.bytes) continue;
    const std::int64_t part = std::min(block.bytes - before, most_at_once - length);
    from[count++] = {const_cast<std::byte *>(block.data + before), static_cast<std::size_t>(part)};
    length += part;
  }
  const iovec target{to, static_cast<std::size_t>(length)};
  read_process(process, {&target, 1}, std::span(from).first(count));
  return length;
}

}  // namespace

// Through the slots.
bool SlotLink::send_copied(Outgoing &message) {
  const bool needs_head = metadata_ == Metadata::size_first || message.head_bytes() > word;
  if (metadata_ != Metadata::separate && needs_head) return write(message.all_bytes(), message);
  message.leave_head_out();
  return write(message.data_bytes(), message);
}

bool SlotLink::send_long(Outgoing &message) {
  if (long_data_ == LongData::undecided) {
    long_data_ = show(message);
    if (long_data_ == LongData::undecided) return false;
  }
  if (long_data_ == LongData::offered && !learn_answer(message)) return false;
  const bool sent =
      long_data_ == LongData::shown || (long_data_ == LongData::in_slots ? send_copied(message) : writer_.all_taken());
  if (sent) long_data_ = LongData::undecided;
  return sent;
}

// Whether the other process can map what this one has shown it, once it has said so. If it cannot, the same message
// goes in slots, and so do all others.
bool SlotLink::learn_answer(Outgoing &message) {
  if (!writer_.all_taken()) return false;
  mapped_ = writer_.is_refused() ? Mapped::never : Mapped::yes;
  long_data_ = mapped_ == Mapped::yes ? LongData::shown : LongData::in_slots;
  message.begin_again();
  return true;
}

// How the message goes: in slots where the other process cannot read the data, or ought not to. Undecided as long as
// there is no room for what tells where it lies.
SlotLink::LongData SlotLink::show(Outgoing &message) {
  const std::span<const BlockData> blocks = message.blocks();
  const bool is_one = metadata_ == Metadata::joined && blocks.size() == 1;
  if (is_one && may_stay(blocks.front())) return tell_shared(message, blocks.front());
  return message.data_bytes() >= peer_.least_read ? tell_places(message) : LongData::in_slots;
}

// At the first message the other process maps the file, which has to be there until then, and says whether it could.
SlotLink::LongData SlotLink::tell_shared(Outgoing &message, const BlockData &block) {
  const std::int64_t head = message.head_bytes();
  const std::int64_t bytes = head + static_cast<std::int64_t>(sizeof(SharedBlock));
  if (!writer_.fits(bytes)) return LongData::in_slots;
  if (!writer_.is_free(bytes, reader_)) return LongData::undecided;
  const SharedBlock shared = peer_.send_memory->shared(peer_.rank, block);
  writer_.write_places(bytes, reader_, [&](std::byte *to, std::int64_t) {
    message.write(to, head);
    std::memcpy(to + head, &shared, sizeof(shared));
  });
  peer_.bell->ring();
  return mapped_ == Mapped::yes ? LongData::shown : LongData::offered;
}

SlotLink::LongData SlotLink::tell_places(Outgoing &message) {
  std::int64_t count = 0;
  for (const BlockData &block : message.blocks()) count += block.bytes > 0 ? 1 : 0;
  const std::int64_t head = metadata_ == Metadata::separate ? 0 : message.head_bytes();
  const std::int64_t bytes = head + listed_bytes + count * static_cast<std::int64_t>(sizeof(BlockData));
  if (!writer_.fits(bytes) || message.data_bytes() < count * least_average) return LongData::in_slots;
  if (!writer_.is_free(bytes, reader_)) return LongData::undecided;
  if (!peer_can_read(message.blocks())) return LongData::in_slots;
  writer_.write_places(bytes, reader_, [&](std::byte *to, std::int64_t) {
    if (head > 0) message.write(to, head);
    to += head;
    std::memcpy(to, &listed, sizeof(listed));
    to += listed_bytes;
    for (const BlockData &block : message.blocks()) {
      if (block.bytes == 0) continue;
      std::memcpy(to, &block, sizeof(block));
      to += sizeof(block);
    }
  });
  peer_.bell->ring();
  return LongData::read_by_peer;
}

// Tells the other that the data has been taken even if it cannot be read: nobody reads its memory any more.
// read_some() copies some bytes from the taken_-th on, and gives how many.
template <class ReadSome>
bool SlotLink::read_places(std::int64_t bytes, ReadSome &&read_some) {
  const std::int64_t end = std::min(bytes, taken_ + most_of_a_take);
  const std::optional<Error> fault = fault_of([&] {
    while (taken_ < end) {
      const std::int64_t read = read_some();
      taken_ += read;
      reader_.count_read(read);
    }
  });
  const bool withdrawn = reader_.withdrawn();
  if (!fault && !withdrawn && taken_ < bytes) return told_writer();
  end_message();
  if (withdrawn) {
    throw Error(Fault::stalled, fmt::format("rank {} has given up an exchange", peer_.rank)).with_peer(peer_.rank);
  }
  if (fault) throw unreadable(peer_.rank, *fault);
  return true;
}

SharedBlock SlotLink::told_shared() const {
  SharedBlock shared;
  std::memcpy(&shared, reader_.rest().data(), sizeof(shared));
  return shared;
}

// Of a message that says where its data lies: null where it cannot stay there. What this process cannot map comes once
// more, in slots.
const std::byte *SlotLink::find_in_place() {
  if (copy_is_due_ || !is_shared(reader_.rest())) return nullptr;
  const std::byte *const found = peer_memory_.find(told_shared());
  if (found == nullptr) {
    reader_.refuse();
    copy_is_due_ = true;
  }
  end_message();
  return found;
}

// Its head is known already.
bool SlotLink::copy_has_come() {
  if (!reader_.arrived()) return false;
  std::array<std::int64_t, 2> head{};
  if (words_of_head_ > 1 && !read_head(std::span(head).first(words_of_head_))) return false;
  copy_is_due_ = false;
  return true;
}

// Of a message that has said where its data lies.
bool SlotLink::take_told(std::byte *to, std::int64_t bytes) {
  if (const std::byte *const from = find_in_place()) {
    copy_bytes(to, from, static_cast<std::size_t>(bytes));
    return true;
  }
  if (copy_is_due_) return copy_has_come() && take(to, bytes);
  return read_places(bytes, [&] { return read_some(peer_.process, list_of_blocks(), taken_, to + taken_); });
}

// Run by run it would take a multiple of the time.
bool SlotLink::read_from_process(RunWalk &to, std::int64_t bytes) {
  const auto between = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(most_at_once));
  return read_places(bytes, [&] {
    const std::int64_t read = read_some(peer_.process, list_of_blocks(), taken_, between.get());
    to.fill(between.get(), read);
    return read;
  });
}

// The first says how long the blocks are, or the second message as a whole.
bool SlotLink::send_in_two(Outgoing &message) {
  if (!first_sent_) {
    if (first_.empty()) write_first(metadata_, message, first_);
    if (!writer_.write(static_cast<std::int64_t>(first_.size()), reader_, [&](std::byte *to, std::int64_t part) {
          copy_bytes(to, first_.data() + first_written_, static_cast<std::size_t>(part));
          first_written_ += part;
        })) {
      return false;
    }
    first_sent_ = true;
  }
  if (!send_data(message)) return false;
  first_.clear();
  first_written_ = 0;
  first_sent_ = false;
  return true;
}

bool SlotLink::read_from_message(std::span<std::int64_t> head) {
  words_of_head_ = head.size();
  if (metadata_ == Metadata::separate) return read_short_lengths(head);
  if (metadata_ == Metadata::size_first) return read_after_size(head);
  return read_head(head);
}

bool SlotLink::read_head(std::span<std::int64_t> head) {
  const std::span<std::byte> bytes = std::as_writable_bytes(head);
  const auto all = static_cast<std::int64_t>(bytes.size());
  head_read_ += reader_.read(bytes.data() + head_read_, all - head_read_);
  return head_read_ == all;
}

// What the first message says is not needed here, as the second one's slot says it, too.
bool SlotLink::read_after_size(std::span<std::int64_t> head) {
  if (!size_read_) {
    std::int64_t size = 0;
    reader_.read(reinterpret_cast<std::byte *>(&size), sizeof(size));
    reader_.end();
    size_read_ = true;
  }
  return reader_.arrived() && read_head(head);
}

// Takes what has another mark than is expected, as far as that is earlier; says whether the expected one is there then.
bool SlotLink::pass_over_earlier() {
  std::array<std::byte, 4096> nowhere;
  do {
    if (!reader_.has_other_mark()) return true;
    ahead_ = reader_.has_later_mark();
    if (ahead_) return false;
    while (!reader_.tells_places() && taken_ < reader_.bytes()) {
      const std::int64_t read = reader_.read(nowhere.data(), static_cast<std::int64_t>(nowhere.size()));
      taken_ += read;
      if (read == 0) return told_writer();
    }
    end_message();
  } while (reader_.arrived());
  return false;
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
