// Messages are found again by the same arguments, and by no others.

#include "call/message_cache.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "exchange/error.hpp"
#include "with_mpi.hpp"

namespace rondo::internal::call {
namespace {

class MessageCache : public test::WithMpi {
 protected:
  // Of rank 0 among so many, in the order of their counts: one element to and from each.
  template <class Count>
  void expect_that_each_count_matters(int ranks) {
    const Peers peers{.rank = 0, .ranks = ranks, .neighbors = nullptr};
    const auto entries = static_cast<std::size_t>(ranks);
    std::vector<Count> counts(entries, 1);
    std::vector<Count> displs(entries);
    for (std::size_t i = 0; i < entries; ++i) displs[i] = static_cast<Count>(4 * i);
    std::vector<int> sent(4 * entries);
    std::vector<int> received(4 * entries);
    const SideArguments send{sent.data(), counts.data(), displs.data(), &type, sizeof(Count), sizeof(Count), false};
    SideArguments receive = send;
    receive.buffer = received.data();
    const CallArguments arguments{send, receive};
    call::MessageCache cache(1 << 20);

    EXPECT_FALSE(cache.find(arguments, peers).hit) << ranks;
    EXPECT_TRUE(cache.find(arguments, peers).hit) << ranks;
    for (auto *all : {&counts, &displs}) {
      for (Count &one : *all) {
        ++one;
        EXPECT_FALSE(cache.find(arguments, peers).hit) << ranks << ", " << &one - all->data();
        --one;
        EXPECT_TRUE(cache.find(arguments, peers).hit) << ranks << ", " << &one - all->data();
      }
    }
  }

  const MPI_Datatype type = MPI_INT;
};

// A call between four ranks whose counts are told by a number.
struct NumberedCall {
  explicit NumberedCall(int number) : counts{1, number % 7, 3, number}, displs{0, 10, 20, 30} {}

  std::vector<int> counts;
  std::vector<int> displs;
  std::vector<int> sent = std::vector<int>(200);
  std::vector<int> received = std::vector<int>(200);

  [[nodiscard]] CallArguments arguments() {
    static const MPI_Datatype type = MPI_INT;  // the address of an object, in Open MPI
    const SideArguments send{sent.data(), counts.data(), displs.data(), &type, sizeof(int), sizeof(int), false};
    SideArguments receive = send;
    receive.buffer = received.data();
    return {send, receive};
  }
};

constexpr Peers four{.rank = 0, .ranks = 4, .neighbors = nullptr};

std::vector<std::int64_t> bytes_of(const Messages &messages) {
  std::vector<std::int64_t> bytes;
  for (const Message &message : messages.sends) bytes.push_back(message.bytes);
  for (const Message &message : messages.receives) bytes.push_back(message.bytes);
  return bytes;
}

TEST_F(MessageCache, GivesTheMessagesOfTheArgumentsHoweverManyThereHaveBeen) {
  call::MessageCache cache(1 << 20);
  for (int i = 0; i < 2000; ++i) {
    NumberedCall call(1 + i * i % 101);
    const auto found = cache.find(call.arguments(), four);
    EXPECT_EQ(bytes_of(*found.messages), bytes_of(read_messages(call.arguments(), four))) << i;
  }
}

TEST_F(MessageCache, FindsAgainWhatIsUsedAgainAmongManyThatAreNot) {
  call::MessageCache cache(1 << 20);
  NumberedCall often(1);
  EXPECT_FALSE(cache.find(often.arguments(), four).hit);
  for (int i = 2; i < 100; ++i) {
    NumberedCall once(i);
    EXPECT_FALSE(cache.find(once.arguments(), four).hit) << i;
    EXPECT_TRUE(cache.find(often.arguments(), four).hit) << i;
  }
}

// Whatever the number of calls from one that is new to the next, but for 17: the distance of looks.
TEST_F(MessageCache, FindsAgainMostOfWhatIsRepeatedBetweenCallsThatAreNew) {
  for (int period = 3; period <= 32; ++period) {
    if (period == 17) continue;
    for (int before = 16; before < 33; ++before) {
      call::MessageCache cache(1 << 20);
      int next = 1;
      const auto find = [&](NumberedCall call) { return cache.find(call.arguments(), four).hit; };
      for (int i = 0; i < before; ++i) find(NumberedCall(++next));
      int found = 0;
      for (int i = 0; i < 1000; ++i) {
        found += find(NumberedCall(i % period == 0 ? ++next : 1)) ? 1 : 0;
      }
      EXPECT_GT(found, 500) << period << ", " << before;
    }
  }
}

TEST_F(MessageCache, LeavesMessagesAsTheyAreThatSomebodyHas) {
  call::MessageCache cache(1 << 20);
  std::vector<std::shared_ptr<const Messages>> held;
  std::vector<std::vector<std::int64_t>> bytes;
  for (int i = 1; i < 100; ++i) {
    NumberedCall call(i);
    held.push_back(cache.find(call.arguments(), four).messages);
    bytes.push_back(bytes_of(*held.back()));
  }
  for (std::size_t i = 0; i < held.size(); ++i) EXPECT_EQ(bytes_of(*held[i]), bytes[i]) << i;
}

// As the interposer does where threads call at once: what is found is held under a lock, and given up without it.
TEST_F(MessageCache, WritesNothingThatAnotherThreadHolds) {
  call::MessageCache cache(1 << 20);
  NumberedCall first(1);
  cache.find(first.arguments(), four);  // no thread has to ask MPI for the type
  std::mutex mutex;
  const auto find_many = [&](int begin) {
    for (int i = 0; i < 2000; ++i) {
      NumberedCall call(begin + i % 40);
      std::shared_ptr<const Messages> held;
      {
        const std::lock_guard lock(mutex);
        held = cache.find(call.arguments(), four).messages;
      }
      EXPECT_EQ(held->sends.back().bytes, 4 * (begin + i % 40));
    }
  };
  std::thread other(find_many, 1);
  find_many(30);
  other.join();
}

TEST_F(MessageCache, HasForgottenWhatWasThereBeforeBadArguments) {
  call::MessageCache cache(1 << 20);
  for (int i = 1; i < 40; ++i) {
    NumberedCall good(i);
    EXPECT_FALSE(cache.find(good.arguments(), four).hit) << i;
    NumberedCall bad(i);
    bad.counts[2] = -1;
    EXPECT_THROW(cache.find(bad.arguments(), four), Error);
    EXPECT_EQ(bytes_of(*cache.find(good.arguments(), four).messages), bytes_of(read_messages(good.arguments(), four)));
  }
}

TEST_F(MessageCache, KeepsNothingWithoutRoom) {
  call::MessageCache cache(0);
  NumberedCall call(5);
  for (int i = 0; i < 3; ++i) {
    const auto found = cache.find(call.arguments(), four);
    EXPECT_FALSE(found.hit);
    EXPECT_EQ(bytes_of(*found.messages), bytes_of(read_messages(call.arguments(), four)));
  }
}

TEST_F(MessageCache, ForgetsTheCallsOfAType) {
  call::MessageCache cache(1 << 20);
  for (int i = 1; i < 10; ++i) {
    NumberedCall call(i);
    cache.find(call.arguments(), four);
  }
  cache.forget(MPI_DOUBLE);
  NumberedCall call(4);
  EXPECT_TRUE(cache.find(call.arguments(), four).hit);
  cache.forget(MPI_INT);
  EXPECT_FALSE(cache.find(call.arguments(), four).hit);
}

TEST_F(MessageCache, TellsApartWhatDiffersInOneEntry) {
  for (int ranks = 1; ranks <= 7; ++ranks) {
    expect_that_each_count_matters<int>(ranks);
    expect_that_each_count_matters<MPI_Count>(ranks);
  }
}

}  // namespace
}  // namespace rondo::internal::call
