#pragma once

// What tests of slots share: messages that go bit by bit, and both directions between two processes in this one.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "varying/raw_memory.hpp"
#include "varying/slot_reader.hpp"
#include "varying/slot_writer.hpp"

namespace rondo::internal {

// Lengths are for cache lines of 64 bytes; where these are longer, so is what a slot holds.
constexpr std::int64_t scale = cache_line / 64;
constexpr SlotPlaces places = SlotPlaces::within(4096 * scale);
constexpr std::int64_t longest_short = SlotPlaces::slot_bytes - 8;
constexpr std::int64_t by_tray = 400 * scale;

inline std::vector<std::byte> message_of(std::int64_t bytes, int first) {
  std::vector<std::byte> message(static_cast<std::size_t>(bytes));
  for (std::size_t i = 0; i < message.size(); ++i) message[i] = static_cast<std::byte>(first + static_cast<int>(i));
  return message;
}

// Reads a message as a whole, by one look.
inline Whole read_whole(SlotReader &reader, std::byte *to, std::int64_t bytes) {
  Looks once;
  return reader.read_whole(to, bytes, once);
}

// The writing of one message, bit by bit.
struct Sending {
  // True once all of it has been written. `heard` is the writer's reader of the other direction.
  bool go_on(SlotWriter &writer, const SlotReader &heard) {
    return writer.write(static_cast<std::int64_t>(message.size()), heard, [&](std::byte *to, std::int64_t part) {
      std::copy_n(message.data() + done, part, to);
      done += static_cast<std::size_t>(part);
    });
  }

  std::vector<std::byte> message;
  std::size_t done = 0;
};

// The reading of one.
struct Receiving {
  // True once all of it has been read.
  bool go_on(SlotReader &reader) {
    if (!has_arrived) {
      if (!reader.arrived()) return false;
      has_arrived = true;
      message.resize(static_cast<std::size_t>(reader.bytes()));
    }
    done +=
        static_cast<std::size_t>(reader.read(message.data() + done, static_cast<std::int64_t>(message.size() - done)));
    if (done < message.size()) return false;
    reader.end();
    return true;
  }

  std::vector<std::byte> message{};
  std::size_t done = 0;
  bool has_arrived = false;
};

// A message on its way from a writer to a reader; `heard` is the writer's reader of the other direction.
struct Way {
  void go_on() { is_sent = is_sent || sending.go_on(writer, heard); }
  void take() { is_taken = is_taken || receiving.go_on(reader); }

  SlotWriter &writer;
  SlotReader &reader;
  const SlotReader &heard;
  Sending sending;
  Receiving receiving{};
  bool is_sent = false;
  bool is_taken = false;
};

// All go on, by turns, until they have come.
template <class... Ways>
testing::AssertionResult comes(Ways &...ways) {
  for (int looks = 0; looks < 100000 && !(ways.is_taken && ...); ++looks) {
    (ways.go_on(), ...);
    (ways.take(), ...);
  }
  if (!(ways.is_taken && ...)) return testing::AssertionFailure() << "nothing moves any more";
  return ((ways.receiving.message == ways.sending.message) && ...) ? testing::AssertionSuccess()
                                                                   : testing::AssertionFailure() << "other data comes";
}

// Both directions between two processes, of which the second sends nothing unless a test has it do so.
class Slots : public testing::Test {
 protected:
  bool send(std::int64_t bytes) {
    Sending sending{message_of(bytes, sent++)};
    return sending.go_on(writer, back);
  }
  // Whether the next message is there, as a whole, and what was sent.
  bool receive() {
    Receiving receiving;
    if (!receiving.go_on(reader)) return false;
    return receiving.message == message_of(static_cast<std::int64_t>(receiving.message.size()), received++);
  }

  bool answer(std::int64_t bytes) {
    Sending sending{message_of(bytes, 1)};
    return sending.go_on(answers, reader);
  }
  bool take_answer() {
    if (!back.arrived()) return false;
    std::vector<std::byte> to(static_cast<std::size_t>(back.bytes()));
    return read_whole(back, to.data(), back.bytes()) == Whole::taken;
  }
  // Where the next message lies, which is there.
  const std::byte *place_of_next() { return reader.arrived() ? reader.rest().data() : nullptr; }
  const std::byte *place_of_next_answer() { return back.arrived() ? back.rest().data() : nullptr; }

  struct Memory {
    Memory() : bytes(places.bytes()) { SlotEnd::clear(bytes.data(), places); }
    RawMemory bytes;
  };
  Memory there;
  Memory again;
  const SlotMemory memory_there = places.in(there.bytes.data());
  const SlotMemory memory_back = places.in(again.bytes.data());
  Trays trays{memory_there, memory_back, places};
  Trays trays_of_other{memory_back, memory_there, places};
  SlotWriter writer{memory_there, places, trays};
  SlotReader reader{memory_there, places, trays_of_other};
  SlotWriter answers{memory_back, places, trays_of_other};
  SlotReader back{memory_back, places, trays};
  int sent = 0;
  int received = 0;
};

}  // namespace rondo::internal
