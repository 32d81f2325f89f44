// The board of a node with threads as its ranks: what is shown is seen by all, round after round, whoever is late.

#include "wire/board.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "wire/segment.hpp"

namespace rondo::internal {
namespace {

// Runs work(board, rank) for each rank of a node, each in a thread of its own.
void on_all(int ranks, const Patience &patience, const std::function<void(Board &, int)> &work) {
  const Lease memory(private_region(Board::bytes(ranks)));
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      Board board(memory.data(), ranks, rank, patience);
      work(board, rank);
    });
  }
}

class Boards : public testing::TestWithParam<int> {};

TEST_P(Boards, ShowToAllWhatEachBrings) {
  const int ranks = GetParam();
  std::vector<int> wrong(static_cast<std::size_t>(ranks));

  on_all(ranks, Patience::of(ranks, 2), [&](Board &board, int rank) {
    for (std::int64_t round = 0; round < 200; ++round) {
      const std::int64_t own[] = {round * 100 + rank, -rank};
      board.show(own, nullptr, nullptr);
      for (int peer = 0; peer < ranks; ++peer) {
        wrong[static_cast<std::size_t>(rank)] += board.figures(peer)[0] == round * 100 + peer ? 0 : 1;
      }
      wrong[static_cast<std::size_t>(rank)] += board.maximum(0) == round * 100 + ranks - 1 ? 0 : 1;
      wrong[static_cast<std::size_t>(rank)] += board.maximum(1) == 0 && board.rank_at_fault() < 0 ? 0 : 1;
    }
  });

  EXPECT_EQ(wrong, std::vector<int>(static_cast<std::size_t>(ranks)));
}
INSTANTIATE_TEST_SUITE_P(, Boards, testing::Values(1, 2, 3, 7), testing::PrintToStringParamName());

TEST(Board, TellsTheFaultOfTheLowestRankAndForgetsItInTheNextRound) {
  std::vector<std::string> heard(4);
  std::vector<int> after(4);

  on_all(4, Patience::of(4, 2), [&](Board &board, int rank) {
    const Telegram own = Telegram::of(Error(Fault::count, "count of rank " + std::to_string(rank)), rank);
    board.show({}, rank == 1 || rank == 3 ? &own : nullptr, nullptr);
    heard[static_cast<std::size_t>(rank)] = board.telegram(board.rank_at_fault()).error().message();
    board.show({}, nullptr, nullptr);
    after[static_cast<std::size_t>(rank)] = board.rank_at_fault();
  });

  EXPECT_EQ(heard, std::vector<std::string>(4, "count of rank 1"));
  EXPECT_EQ(after, std::vector<int>(4, -1));
}

// The last rank comes long after the others have given up.
TEST(Board, IsGivenUpByAllWhereARankDoesNotCome) {
  std::vector<std::string> faults(3);
  std::atomic<int> failed{0};

  on_all(3, Patience::of(3, 2), [&](Board &board, int rank) {
    board.show({}, nullptr, nullptr);
    while (rank == 2 && failed < 2) std::this_thread::yield();
    for (int attempt = 0; attempt < 2; ++attempt) {
      try {
        board.show({}, nullptr, nullptr, std::chrono::milliseconds(20));
      } catch (const Error &error) {
        faults[static_cast<std::size_t>(rank)] += std::to_string(error.value) + "+" + std::to_string(error.other) + " ";
      }
    }
    ++failed;
  });

  EXPECT_EQ(faults, std::vector<std::string>(3, "2+0 2+0 "));
}

TEST(Board, EndsForAllOrForNoneWhereARankComesAsTheOthersGiveUp) {
  for (int delay = 0; delay < 60; ++delay) {
    std::atomic<int> failed{0};

    on_all(3, Patience::of(3, 2), [&](Board &board, int rank) {
      if (rank == 1) std::this_thread::sleep_for(std::chrono::microseconds(2000 + 20 * delay));
      try {
        board.show({}, nullptr, nullptr, std::chrono::microseconds(1500));
      } catch (const Error &) {
        ++failed;
      }
    });

    EXPECT_TRUE(failed == 0 || failed == 3) << failed;
  }
}

// Who waits sleeps by then.
TEST(Board, WaitsForARankThatIsLate) {
  constexpr Patience soon_asleep{.spins = 1, .looks = 1, .yields = 1};
  std::vector<std::int64_t> seen(3);

  on_all(3, soon_asleep, [&](Board &board, int rank) {
    if (rank == 2) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const std::int64_t own = rank + 1;
    board.show({&own, 1}, nullptr, nullptr);
    seen[static_cast<std::size_t>(rank)] = board.figures(2)[0];
  });

  EXPECT_EQ(seen, std::vector<std::int64_t>(3, 3));
}

// Rank 1 comes only when what rank 0 has to do meanwhile has been done.
TEST(Board, LetsAWaitingRankDoWhatOthersWaitFor) {
  static std::atomic<bool> done;
  done = false;

  on_all(2, Patience::of(2, 2), [&](Board &board, int rank) {
    while (rank == 1 && !done) std::this_thread::yield();
    board.show({}, nullptr, [] { done = true; });
  });

  EXPECT_TRUE(done);
}

}  // namespace
}  // namespace rondo::internal
