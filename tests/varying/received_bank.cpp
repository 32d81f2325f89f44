// The two buffers for what starts bring.

#include "varying/received_bank.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <random>

namespace rondo::internal {
namespace {

// What a start brings: the bytes of blocks of lower ranks, of the own one, and of those of higher ranks.
struct Brought {
  std::int64_t before;
  std::int64_t own;
  std::int64_t after;

  [[nodiscard]] std::int64_t all() const { return before + own + after; }
};

struct Start {
  const std::byte *data = nullptr;
  std::int64_t bytes = 0;
  std::byte value{};
  bool own_stayed = false;  // where it was copied first

  [[nodiscard]] bool is_whole() const {
    return std::all_of(data, data + bytes, [this](std::byte one) { return one == value; });
  }
};

// As an exchange does it: the own block first, if it has a place, and the others when their lengths are known.
Start run(ReceivedBanks &banks, const Brought &brought, std::byte value) {
  std::byte *const own = banks.begin(brought.own);
  if (own != nullptr) std::fill_n(own, brought.own, value);
  std::byte *const data = banks.place(brought.before, brought.own + brought.after);
  const bool stayed = own == data + brought.before;
  if (!stayed) std::fill_n(data + brought.before, brought.own, value);
  std::fill_n(data, brought.before, value);
  std::fill_n(data + brought.before + brought.own, brought.after, value);
  return {data, brought.all(), value, stayed};
}

TEST(ReceivedBanks, KeepWhatAStartHasBroughtUntilTheNextButOne) {
  std::mt19937 random(3);
  const auto draw = [&](std::int64_t most) { return static_cast<std::int64_t>(random() % (most + 1)); };
  for (int round = 0; round < 50; ++round) {
    ReceivedBanks banks;
    Start last;
    for (int start = 0; start < 40; ++start) {
      const std::int64_t most = draw(5) == 0 ? 20'000 : 500;
      const Start now = run(banks, {draw(most), draw(most), draw(most)}, static_cast<std::byte>(start + 1));
      EXPECT_TRUE(now.is_whole()) << round << ", " << start;
      EXPECT_TRUE(last.is_whole()) << round << ", " << start;
      last = now;
    }
  }
}

TEST(ReceivedBanks, TakeNoMemoryForAStartThatIsNoLargerThanOneBeforeHoweverItIsDivided) {
  std::mt19937 random(4);
  ReceivedBanks banks;
  run(banks, {0, 30'000, 0}, std::byte{1});
  const std::int64_t bytes = banks.bytes();
  for (int start = 0; start < 200; ++start) {
    const auto before = static_cast<std::int64_t>(random() % 30'001);
    const auto own = static_cast<std::int64_t>(random() % (30'001 - before));
    const Start now = run(banks, {before, own, 30'000 - before - own}, std::byte{2});
    EXPECT_TRUE(now.is_whole()) << start;
    EXPECT_EQ(banks.bytes(), bytes) << start;
  }
}

// Where so much memory is asked for, sanitizers end the program.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(ReceivedBanks, LeaveBothBuffersWhereThereIsNoMemoryForTheNext) {
  ReceivedBanks banks;
  std::fill_n(banks.next(100), 100, std::byte{1});
  std::byte *const last = banks.next(100);
  EXPECT_THROW(banks.next(std::int64_t{1} << 60), std::bad_alloc);
  EXPECT_NE(banks.next(100), last);
}
#endif

TEST(ReceivedBanks, GiveTheOwnBlockAPlaceWhereItStaysOnceTheyKnowHowMuchMayComeBeforeIt) {
  ReceivedBanks banks;
  run(banks, {4096, 4096, 4096}, std::byte{1});
  for (const Brought &brought : {Brought{4096, 4096, 4096}, {0, 4096, 4096}, {100, 50, 0}, {4096, 0, 4096}}) {
    EXPECT_TRUE(run(banks, brought, std::byte{2}).own_stayed) << brought.before;
  }
}

TEST(ReceivedBanks, BeginWithACacheLineWhereAllBlocksAreOfWholeOnes) {
  ReceivedBanks banks;
  for (int start = 0; start < 4; ++start) {
    const Start now = run(banks, {1024, 64, 128}, std::byte{1});
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(now.data) % 64, 0U);
  }
}

}  // namespace
}  // namespace rondo::internal
