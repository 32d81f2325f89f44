// Messages are found again by the same arguments, and by no others.

#include "call/message_cache.hpp"

#include <gtest/gtest.h>

#include <vector>

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

TEST_F(MessageCache, TellsApartWhatDiffersInOneEntry) {
  for (int ranks = 1; ranks <= 7; ++ranks) {
    expect_that_each_count_matters<int>(ranks);
    expect_that_each_count_matters<MPI_Count>(ranks);
  }
}

}  // namespace
}  // namespace rondo::internal::call
