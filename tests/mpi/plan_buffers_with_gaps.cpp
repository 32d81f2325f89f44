// Buffers that the plan allocates, of blocks that are strips of a matrix: rows as long as the strip is wide, with those
// of the other blocks between them. Ranks of a node copy the rows from where they lie.

#include <gtest/gtest.h>

#include <cstring>
#include <rondo/rondo.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/mpi/session.hpp"
#include "tests/mpi/type.hpp"

namespace rondo {
namespace {

constexpr int rows = 8;

// One strip for each rank, side by side in every row.
struct Strips {
  int width;               // ints of a row of each
  bool reversed = false;   // that of the last rank lies first
  bool same = false;       // all ranks get the first, where it is sent
  bool one_piece = false;  // each strip lies in one piece, one behind the other

  [[nodiscard]] int stride() const { return one_piece ? width : width * world_ranks(); }
  // Elements are strips.
  [[nodiscard]] Type type() const {
    if (one_piece) return contiguous(rows * width);
    return resized(vector(rows, width, stride()), 0, width * int_size);
  }
  [[nodiscard]] int place(int peer) const { return same ? 0 : reversed ? world_ranks() - 1 - peer : peer; }
  // Where an element of the strip for this rank lies.
  [[nodiscard]] int at(int peer, int row, int column) const {
    return place(peer) * (one_piece ? rows * width : width) + row * stride() + column;
  }
  [[nodiscard]] std::vector<int> places() const {
    std::vector<int> all;
    for (int peer = 0; peer < world_ranks(); ++peer) all.push_back(place(peer));
    return all;
  }
};

int value(int source, int destination, int row, int column, int round) {
  return 1'000'003 * round + 10'007 * source + 101 * destination + 997 * row + column;
}

class Exchange {
 public:
  Exchange(const Strips &send, const Strips &receive, const Hints &hints, void *receive_buffer = RONDO_PLAN_BUFFER)
      : send_(send), receive_(receive) {
    const Type sent = send.type();
    const Type received = receive.type();
    const std::vector<int> counts(static_cast<std::size_t>(world_ranks()), 1);
    RONDO_Request request = RONDO_REQUEST_NULL;
    detail::check(RONDO_Alltoallv_init(RONDO_PLAN_BUFFER, counts.data(), send.places().data(), sent, receive_buffer,
                                       counts.data(), receive.places().data(), received, MPI_COMM_WORLD, hints.info(),
                                       &request));
    plan = Request(request);
  }

  void fill(int round) const {
    int *const sent = plan.send_buffer<int>();
    for_each(send_, [&](int peer, int row, int column) {
      const int destination = send_.same ? 0 : peer;
      sent[send_.at(peer, row, column)] = value(world_rank(), destination, row, column, round);
    });
  }
  void expect(int round) const {
    const int *const received = plan.receive_buffer<int>();
    for_each(receive_, [&](int peer, int row, int column) {
      const int destination = send_.same ? 0 : world_rank();
      if (testing::Test::HasFailure()) return;  // one tells enough
      if (received[receive_.at(peer, row, column)] == value(peer, destination, row, column, round)) return;
      ADD_FAILURE() << "row " << row << ", column " << column << " from rank " << peer << " in round " << round;
    });
  }
  void expect_restarts() {
    for (int round = 1; round <= 3; ++round) {
      fill(round);
      plan.run();
      expect(round);
    }
  }

  Request plan;

 private:
  template <class Work>
  void for_each(const Strips &strips, Work &&work) const {
    for (int peer = 0; peer < world_ranks(); ++peer) {
      for (int row = 0; row < rows; ++row) {
        for (int column = 0; column < strips.width; ++column) work(peer, row, column);
      }
    }
  }

  Strips send_;
  Strips receive_;
};

// Long rows are taken by their receivers; the longest are more than inboxes hold.
struct Setting {
  const char *name;
  int width;
  Hints hints{};
};

void PrintTo(const Setting &setting, std::ostream *out) {
  *out << setting.name;
}

class PlanBuffersWithGaps : public testing::TestWithParam<Setting> {};
INSTANTIATE_TEST_SUITE_P(, PlanBuffersWithGaps,
                         testing::Values(Setting{"short_rows", 3}, Setting{"rows_that_are_not_long", 8000},
                                         Setting{"long_rows", 9000}, Setting{"very_long_rows", 60'000},
                                         Setting{"rings", 60'000, {{"rondo_long_messages", "rings"}}},
                                         Setting{"attached", 60'000, {{"rondo_long_messages", "attach"}}},
                                         Setting{"linear", 9000, {{"rondo_algorithm", "linear"}}},
                                         Setting{"tuna", 9000, {{"rondo_algorithm", "tuna"}}},
                                         Setting{"two_phase_bruck", 9000, {{"rondo_algorithm", "two_phase_bruck"}}},
                                         Setting{"packed", 9000, {{"rondo_wire", "packed"}}},
                                         Setting{"datatype", 9000, {{"rondo_wire", "datatype"}}},
                                         Setting{"native", 9000, {{"rondo_algorithm", "native"}}},
                                         Setting{"nodes_of_two", 9000, {{"rondo_node_size", "2"}}}),
                         [](const auto &setting) { return std::string(setting.param.name); });

TEST_P(PlanBuffersWithGaps, AreExchanged) {
  const Strips strips{GetParam().width};

  Exchange(strips, strips, GetParam().hints).expect_restarts();
}

TEST_P(PlanBuffersWithGaps, OnOneSideOnly) {
  const Strips strips{.width = GetParam().width};
  const Strips pieces{.width = GetParam().width, .one_piece = true};

  Exchange(strips, pieces, GetParam().hints).expect_restarts();
  Exchange(pieces, strips, GetParam().hints).expect_restarts();
}

// Where the others find the rows is no part of what plans of the same counts have in common.
TEST_P(PlanBuffersWithGaps, ElsewhereInTheNextPlan) {
  const Strips strips{.width = GetParam().width};
  const Strips reversed{.width = GetParam().width, .reversed = true};

  for (int repetition = 0; repetition < 2; ++repetition) {
    Exchange first(strips, strips, GetParam().hints);
    Exchange second(reversed, strips, GetParam().hints);

    second.expect_restarts();
    first.expect_restarts();
  }
}

// The ranks without gaps may have seen the same plan before, the others not.
TEST_P(PlanBuffersWithGaps, OfSomeRanks) {
  const Strips strips{.width = GetParam().width};
  const Strips pieces{.width = GetParam().width, .one_piece = true};
  for (int repetition = 0; repetition < 3; ++repetition) {
    Exchange(pieces, pieces, GetParam().hints).expect_restarts();
    Exchange(world_rank() % 2 == 0 ? strips : pieces, pieces, GetParam().hints).expect_restarts();
  }
}

// Receivers may not take the cache lines of what others read, too.
TEST_P(PlanBuffersWithGaps, TheSameRowsToAll) {
  const Strips same{.width = GetParam().width, .same = true};
  const Strips strips{.width = GetParam().width};

  Exchange(same, strips, GetParam().hints).expect_restarts();
}

// A transform's two arrays: each is the send buffer of one plan, in which the other receives.
TEST_P(PlanBuffersWithGaps, OfTwoPlansThatReceiveInEachOthers) {
  const Strips x{.width = GetParam().width};
  const Strips y{.width = GetParam().width, .one_piece = true};
  std::vector<int> until_rebound(static_cast<std::size_t>(GetParam().width) * rows * world_ranks());
  Exchange forward(x, y, GetParam().hints, until_rebound.data());
  Exchange backward(y, x, GetParam().hints, forward.plan.send_buffer<int>());
  forward.plan.rebind(RONDO_PLAN_BUFFER, backward.plan.send_buffer<int>());

  for (int round = 1; round <= 3; ++round) {
    int *const array = forward.plan.send_buffer<int>();
    forward.fill(round);
    const std::vector<int> before(array, array + until_rebound.size());
    forward.plan.run();
    forward.expect(round);
    std::memset(array, 0, until_rebound.size() * sizeof(int));
    backward.plan.run();
    EXPECT_EQ(std::memcmp(array, before.data(), until_rebound.size() * sizeof(int)), 0) << "in round " << round;
  }
  EXPECT_EQ(until_rebound, std::vector<int>(until_rebound.size())) << "a buffer that was never started with";
}

TEST(PlanBuffersOfEqualPlans, AreReused) {
  const Strips strips{9000};
  const auto reused = [&] {
    Exchange exchange(strips, strips, {{"rondo_algorithm", "spread_out"}});
    exchange.expect_restarts();
    return exchange.plan.report().reused != 0;
  };

  EXPECT_FALSE(reused());
  EXPECT_TRUE(reused());
}

// The other ranks then have what is alike.
TEST(PlanBuffersOfEqualPlans, ButForOneRanksPlaces) {
  const Strips strips{9000};
  const Strips reversed{.width = 9000, .reversed = true};
  for (int repetition = 0; repetition < 2; ++repetition) {
    Exchange(strips, strips, {}).expect_restarts();
    Exchange(world_rank() == 0 ? reversed : strips, strips, {}).expect_restarts();
  }
}

// What lies between the blocks is the caller's, while an exchange is under way, too.
TEST(PlanBuffersBetweenBlocks, MayBeWrittenDuringAnExchange) {
  const Strips strips{20'000};
  const std::vector<int> counts(static_cast<std::size_t>(world_ranks()), 1);
  const Type half = resized(vector(rows, strips.width / 2, strips.stride()), 0, strips.width * int_size);
  RONDO_Request request = RONDO_REQUEST_NULL;
  detail::check(RONDO_Alltoallv_init(RONDO_PLAN_BUFFER, counts.data(), strips.places().data(), half, RONDO_PLAN_BUFFER,
                                     counts.data(), strips.places().data(), half, MPI_COMM_WORLD, MPI_INFO_NULL,
                                     &request));
  Request plan(request);
  int *const sent = plan.send_buffer<int>();
  const int *const received = plan.receive_buffer<int>();
  const int between = strips.width / 2;  // columns from there on are in no block
  for (int round = 1; round <= 20; ++round) {
    const auto for_each = [&](int first, int end, auto &&work) {
      for (int peer = 0; peer < world_ranks(); ++peer) {
        for (int row = 0; row < rows - 1; ++row) {
          for (int column = first; column < end; ++column) work(peer, row, column);
        }
      }
    };
    for_each(0, between, [&](int peer, int row, int column) {
      sent[strips.at(peer, row, column)] = value(world_rank(), peer, row, column, round);
    });
    plan.start();
    for_each(between, strips.width, [&](int peer, int row, int column) {
      sent[strips.at(peer, row, column)] = value(0, peer, row, column, round);
    });
    plan.wait();
    const auto expect = [](int found, int expected) {
      if (found != expected && !testing::Test::HasFailure()) ADD_FAILURE() << found << " instead of " << expected;
    };
    for_each(0, between, [&](int peer, int row, int column) {
      expect(received[strips.at(peer, row, column)], value(peer, world_rank(), row, column, round));
    });
    for_each(between, strips.width, [&](int peer, int row, int column) {
      expect(sent[strips.at(peer, row, column)], value(0, peer, row, column, round));
    });
  }
}

}  // namespace
}  // namespace rondo
