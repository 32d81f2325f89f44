#include "cli/memory.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "cli/exchanges.hpp"

namespace rondo::internal::cli {
namespace {

// Two ranks whose exchange is done by hand.
class Memory : public testing::Test {
 protected:
  Memory() {
    for (RankMemory *memory : {&first, &second}) memory->prepare(1);
    for (std::size_t source = 0; source < 2; ++source) {
      for (std::size_t destination = 0; destination < 2; ++destination) {
        const Extent from = all[source].send[destination];
        const Extent to = all[destination].receive[source];
        std::memcpy(at(destination).spaces().receive + to.offset, at(source).spaces().send + from.offset,
                    static_cast<std::size_t>(from.length));
      }
    }
  }

  RankMemory &at(std::size_t rank) { return rank == 0 ? first : second; }
  void spoil(std::byte *byte) { *byte = ~*byte; }

  std::vector<Exchange> all = exchanges(parse_problem("alltoallv p=2 dist=constant max=10 gap=4"));
  RankMemory first{all[0]};
  RankMemory second{all[1], 16};
};

TEST_F(Memory, DoneRightHasNoFault) {
  EXPECT_EQ(first.fault(), "");
  EXPECT_EQ(second.fault(), "");
}

TEST_F(Memory, NothingDoneIsAFault) {
  first.prepare(2);

  EXPECT_EQ(first.fault(), "run 3, rank 0: byte 0 of the block from rank 0 is wrong");
}

TEST_F(Memory, DataOfAnEarlierRoundIsAFault) {
  const auto before = std::vector<std::byte>(first.received().begin(), first.received().end());
  first.prepare(2);
  std::memcpy(first.spaces().receive - 32, before.data(), before.size());

  EXPECT_NE(first.fault(), "");
}

TEST_F(Memory, AWrongByteIsFound) {
  spoil(second.spaces().receive + all[1].receive[0].offset + 7);

  EXPECT_EQ(second.fault(), "run 2, rank 1: byte 7 of the block from rank 0 is wrong");
}

TEST_F(Memory, AByteBetweenBlocksIsFound) {
  spoil(second.spaces().receive + all[1].receive[0].end());

  EXPECT_EQ(second.fault(), "run 2, rank 1: byte 14 of the receive space, which is no block's, was written");
}

TEST_F(Memory, AByteBehindTheReceiveSpaceIsFound) {
  spoil(second.spaces().receive + all[1].receive[1].end());

  EXPECT_EQ(second.fault(), "run 2, rank 1: byte 28 of the receive space, which is no block's, was written");
}

TEST_F(Memory, AWrittenSendSpaceIsFound) {
  spoil(const_cast<std::byte *>(first.spaces().send) + 4);

  EXPECT_EQ(first.fault(), "run 2, rank 0: byte 4 of the send space was written");
}

TEST_F(Memory, AByteBesideScratchIsFound) {
  spoil(second.spaces().scratch + 16);

  EXPECT_EQ(second.fault(), "run 2, rank 1: wrote behind scratch");
}

}  // namespace
}  // namespace rondo::internal::cli
