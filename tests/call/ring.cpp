#include "call/ring.hpp"

#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

namespace rondo::internal::call {
namespace {

constexpr std::uint64_t capacity = 4 * line;
constexpr std::uint64_t more = capacity + 44;

class Ring : public testing::Test {
 protected:
  std::uint64_t write(const std::vector<std::byte> &message) { return writer.write(message.data(), message.size()); }

  static std::vector<std::byte> message_of(std::size_t bytes, int first) {
    std::vector<std::byte> message(bytes);
    for (std::size_t i = 0; i < bytes; ++i) message[i] = static_cast<std::byte>(first + static_cast<int>(i));
    return message;
  }

  RingCounts counts{};
  std::array<std::byte, capacity> bytes{};
  RingWriter writer{&counts, bytes.data(), capacity};
  RingReader reader{&counts, bytes.data(), capacity};
};

TEST_F(Ring, TakesNothingFromAnEmptyOne) {
  std::byte to{};

  EXPECT_EQ(reader.read(&to, 1), 0U);
}

TEST_F(Ring, BeginsEachMessageAtACacheLine) {
  write(message_of(3, 1));
  write(message_of(5, 10));

  EXPECT_EQ(counts.written.load(), 2 * line);
  EXPECT_EQ(bytes[line], static_cast<std::byte>(10));
}

TEST_F(Ring, WritesWhatThereIsRoomFor) {
  EXPECT_EQ(write(message_of(more, 0)), capacity);
  EXPECT_EQ(write(message_of(1, 0)), 0U);
}

TEST_F(Ring, IsFullThoughTheLastLineHasRoom) {
  write(message_of(capacity - 1, 0));

  EXPECT_EQ(write(message_of(1, 0)), 0U);
}

TEST_F(Ring, HasRoomAgainForWhatWasTaken) {
  const std::vector<std::byte> message = message_of(more, 0);
  std::vector<std::byte> to(more);
  write(message);

  EXPECT_EQ(reader.read(to.data(), more), capacity);
  EXPECT_EQ(writer.write(message.data() + capacity, more - capacity), more - capacity);
  EXPECT_EQ(reader.read(to.data() + capacity, more - capacity), more - capacity);
  EXPECT_EQ(to, message);
}

// Many messages of all sizes, of which neither end knows when the other comes.
TEST_F(Ring, BringsAStreamFromOneThreadToAnother) {
  constexpr int messages = 5000;
  const auto size_of = [](int number) { return 1 + static_cast<std::size_t>(number) * 7919 % (3 * capacity); };

  std::jthread writes([&] {
    for (int number = 0; number < messages; ++number) {
      const std::vector<std::byte> message = message_of(size_of(number), number);
      for (std::uint64_t done = 0; done < message.size();) {
        const std::uint64_t written = writer.write(message.data() + done, message.size() - done);
        if (written == 0) std::this_thread::yield();
        done += written;
      }
    }
  });
  int wrong = 0;
  for (int number = 0; number < messages; ++number) {
    std::vector<std::byte> to(size_of(number));
    for (std::uint64_t done = 0; done < to.size();) {
      const std::uint64_t taken = reader.read(to.data() + done, to.size() - done);
      if (taken == 0) std::this_thread::yield();
      done += taken;
    }
    wrong += to != message_of(to.size(), number) ? 1 : 0;
  }

  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace rondo::internal::call
