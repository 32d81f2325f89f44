#pragma once

#include <sys/types.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "varying/link.hpp"
#include "varying/metadata.hpp"
#include "varying/peer_memory.hpp"
#include "varying/send_memory.hpp"
#include "varying/slot_reader.hpp"
#include "varying/slot_writer.hpp"
#include "wire/bell.hpp"
#include "wire/run_walk.hpp"

namespace rondo::internal {

// The other end of a link through shared memory.
struct SlotPeer {
  int rank;
  Bell *bell;
  pid_t process = 0;
  // Each of the two processes can read the other's memory, and reads data of so many bytes from where it lies.
  std::int64_t least_read = std::numeric_limits<std::int64_t>::max();
  // In which this process may have what it sends; null: in none.
  SendMemory *send_memory = nullptr;
  // Neither process takes turns on a core with others.
  bool has_core = false;
};

// A link through memory that both ranks share. Where a head is the length of an only block, it is not told: it is that
// of the message.
class SlotLink final : public Link {
 public:
  // `out` is memory to the other rank, `in` from it, which this rank has cleared. Where there is a mark, as there is
  // for both ranks or for none, what is sent has its value of then; what comes with an earlier one is passed over.
  SlotLink(const SlotMemory &out, const SlotMemory &in, const SlotPlaces &places, const SlotPeer &peer,
           Metadata metadata, const std::uint64_t *mark = nullptr)
      : trays_(out, in, places),
        writer_(out, places, trays_, mark, peer.has_core ? TrayWait::usual : std::chrono::microseconds::zero()),
        reader_(in, places, trays_, mark),
        peer_(peer),
        metadata_(metadata) {}

  void prepare_send() override { writer_.fetch_for_next(); }

  bool send(Outgoing &message) override {
    return metadata_ == Metadata::joined ? send_data(message) : send_in_two(message);
  }

  bool send_block(const BlockData &block) override {
    if (metadata_ != Metadata::joined || block.bytes >= peer_.least_read || may_stay(block) ||
        !writer_.write_whole(block, reader_))
      return false;
    peer_.bell->ring();
    return true;
  }

  // Takes a block that is there, if it is as long as expected and nothing of it has been taken yet.
  Whole take_block(std::byte *to, std::int64_t bytes, Looks &looks) {
    if (metadata_ != Metadata::joined) return Whole::another;
    const Whole found = reader_.read_whole(to, bytes, looks);
    if (found == Whole::taken) peer_.bell->ring();
    return found;
  }

  void expect(std::size_t) override {}
  void prepare_look() override { reader_.fetch_slot(); }

  bool arrived(std::span<std::int64_t> head) override {
    Looks once;
    return arrived(head, once);
  }
  bool arrived(std::span<std::int64_t> head, Looks &looks) override {
    if (!reader_.arrived(looks)) return false;
    if (reader_.has_other_mark()) [[unlikely]]
      if (!pass_over_earlier()) return false;
    const bool is_length_of_message = metadata_ == Metadata::joined && head.size() == 1;
    if (!is_length_of_message || reader_.tells_places()) return read_from_message(head);
    head.front() = reader_.bytes();
    return true;
  }

  const std::byte *take_in_place() override { return reader_.tells_places() ? find_in_place() : nullptr; }

  bool take(std::byte *to, std::int64_t bytes) override {
    if (metadata_ == Metadata::separate && !reader_.arrived()) return false;
    if (taken_ == 0 && reader_.read_at_once(to, bytes)) {
      end_message();
      return true;
    }
    if (reader_.tells_places()) return take_told(to, bytes);
    taken_ += reader_.read(to + taken_, bytes - taken_);
    if (taken_ < bytes) return told_writer();
    end_message();
    return true;
  }

  // As take(), to the runs that are walked.
  bool take_runs(RunWalk &to, std::int64_t bytes) {
    if (metadata_ == Metadata::separate && !reader_.arrived()) return false;
    if (reader_.tells_places()) return read_from_process(to, bytes);
    while (taken_ < bytes) {
      const std::int64_t read = reader_.read(to.address(), std::min(to.left(), bytes - taken_));
      if (read == 0) return told_writer();
      to.pass(read);
      taken_ += read;
      if (reader_.has_emptied_tray()) return told_writer();
    }
    end_message();
    return true;
  }

  // Takes what is there already with an earlier mark.
  void pass_over() {
    if (reader_.arrived() && reader_.has_other_mark()) pass_over_earlier();
    ahead_ = false;
  }
  // Whether the last look has found a message with a later mark: the one that was expected will not come.
  [[nodiscard]] bool was_ahead() { return std::exchange(ahead_, false); }

  void withdraw() override { writer_.withdraw(); }
  // Whether the other has.
  [[nodiscard]] bool withdrawn() const { return reader_.withdrawn(); }

  [[nodiscard]] std::uint64_t moved() const override {
    const std::uint64_t copied = writer_.moved() + reader_.moved() + static_cast<std::uint64_t>(taken_);
    return long_data_ == LongData::read_by_peer ? copied + writer_.read_by_other() : copied;
  }

 private:
  static constexpr std::int64_t word = sizeof(std::int64_t);

  // Shorter data is copied in less time than its reader fetches it from where it lies.
  static constexpr std::int64_t least_in_place = 4096;

  // What is before a list of blocks of the process, and says that it is one.
  static constexpr std::int64_t listed_bytes = sizeof(std::int64_t);

  // How the data of a long message goes. `offered` is the first that stays where it is, if the other process can map
  // that; `shown` are those after it.
  enum class LongData : std::uint8_t { undecided, in_slots, read_by_peer, offered, shown };
  // Whether the other process has mapped this one's SendMemory.
  enum class Mapped : std::uint8_t { not_yet, yes, never };

  bool write(std::int64_t bytes, Outgoing &message) {
    const bool all = writer_.write(bytes, reader_, [&](std::byte *to, std::int64_t part) { message.write(to, part); });
    peer_.bell->ring();
    return all;
  }
  // Whether the other process can read the block where it lies, and ought to.
  [[nodiscard]] bool may_stay(const BlockData &block) const {
    return block.bytes >= least_in_place && peer_.send_memory != nullptr && mapped_ != Mapped::never &&
           peer_.send_memory->has(peer_.rank, block);
  }
  bool told_writer() {
    peer_.bell->ring();
    return false;
  }
  void end_message() {
    taken_ = head_read_ = 0;
    size_read_ = false;
    reader_.end();
    peer_.bell->ring();
  }
  bool send_data(Outgoing &message) {
    return message.data_bytes() >= std::min(least_in_place, peer_.least_read) ? send_long(message)
                                                                              : send_copied(message);
  }
  bool send_copied(Outgoing &message);
  bool send_long(Outgoing &message);
  LongData show(Outgoing &message);
  LongData tell_places(Outgoing &message);
  LongData tell_shared(Outgoing &message, const BlockData &block);
  [[nodiscard]] SharedBlock told_shared() const;
  const std::byte *find_in_place();
  bool copy_has_come();
  bool take_told(std::byte *to, std::int64_t bytes);
  bool learn_answer(Outgoing &message);
  template <class ReadSome>
  bool read_places(std::int64_t bytes, ReadSome &&read_some);
  [[nodiscard]] std::span<const std::byte> list_of_blocks() const { return reader_.rest().subspan(listed_bytes); }
  bool read_from_process(RunWalk &to, std::int64_t bytes);
  bool send_in_two(Outgoing &message);
  bool read_from_message(std::span<std::int64_t> head);
  bool read_head(std::span<std::int64_t> head);
  bool read_short_lengths(std::span<std::int64_t> lengths);
  bool read_after_size(std::span<std::int64_t> head);
  bool pass_over_earlier();

  Trays trays_;
  SlotWriter writer_;
  SlotReader reader_;
  const SlotPeer peer_;
  const Metadata metadata_;
  PeerMemory peer_memory_{};
  Mapped mapped_ = Mapped::not_yet;
  bool copy_is_due_ = false;                  // of a message that this process could not take where it lies
  std::size_t words_of_head_ = 0;             // which it had
  LongData long_data_ = LongData::undecided;  // of the long message that is being sent
  std::vector<std::byte> first_{};            // the first of the two messages that are being sent
  std::int64_t first_written_ = 0;            // bytes of it
  bool first_sent_ = false;
  bool ahead_ = false;
  bool size_read_ = false;      // the first of the two messages that are being received
  std::int64_t head_read_ = 0;  // bytes
  std::int64_t taken_ = 0;      // bytes of the data that is being taken
};

}  // namespace rondo::internal
