// Buffers that the plan allocates: RONDO_PLAN_BUFFER and RONDO_Request_buffers.

#include <gtest/gtest.h>

#include <rondo/rondo.hpp>
#include <vector>

#include "tests/mpi/refusal.hpp"
#include "tests/mpi/session.hpp"

namespace rondo {
namespace {

using Owns = bool (*)(int rank);  // whether the plan allocates a rank's buffer

bool plan_owns(int) {
  return true;
}
bool caller_owns(int) {
  return false;
}
bool plan_owns_of_even_ranks(int rank) {
  return rank % 2 == 0;
}

struct Setting {
  const char *name;
  Owns send;
  Owns receive;
  const char *algorithm = "";
  const char *wire = "auto";
};

std::string name_of(const testing::TestParamInfo<Setting> &info) {
  return info.param.name;
}

// An alltoallv whose blocks differ in size, with gaps; some of the buffers are the plan's.
class Case {
 public:
  Case(const Setting &setting, int most) : first_(most > 100 ? 0 : -3) {
    const int ranks = world_ranks();
    int sent = first_;
    int received = first_;
    for (int peer = 0; peer < ranks; ++peer) {
      send_counts_.push_back(count(world_rank(), peer, most));
      receive_counts_.push_back(count(peer, world_rank(), most));
      send_displacements_.push_back(sent);
      receive_displacements_.push_back(received);
      sent += send_counts_.back() + 1;
      received += receive_counts_.back() + 1;
    }
    send_memory_.resize(static_cast<std::size_t>(sent - first_));
    receive_memory_.resize(static_cast<std::size_t>(received - first_));
    Hints hints{{"rondo_wire", setting.wire}};
    if (*setting.algorithm != '\0') hints.set("rondo_algorithm", setting.algorithm);
    RONDO_Request request = RONDO_REQUEST_NULL;
    void *send = setting.send(world_rank()) ? RONDO_PLAN_BUFFER : send_memory_.data() - first_;
    void *receive = setting.receive(world_rank()) ? RONDO_PLAN_BUFFER : receive_memory_.data() - first_;
    detail::check(RONDO_Alltoallv_init(send, send_counts_.data(), send_displacements_.data(), MPI_INT, receive,
                                       receive_counts_.data(), receive_displacements_.data(), MPI_INT, MPI_COMM_WORLD,
                                       hints.info(), &request));
    plan_ = Request(request);
    send_ = plan_.send_buffer<int>();
    receive_ = plan_.receive_buffer<int>();
    EXPECT_EQ(send_ == send, !setting.send(world_rank()));
    EXPECT_EQ(receive_ == receive, !setting.receive(world_rank()));
  }

  void expect_zero() const {
    for (int peer = 0; peer < world_ranks(); ++peer) {
      const auto at = static_cast<std::size_t>(peer);
      for (int i = 0; i < send_counts_[at]; ++i) ASSERT_EQ(send_[send_displacements_[at] + i], 0);
      for (int i = 0; i < receive_counts_[at]; ++i) ASSERT_EQ(receive_[receive_displacements_[at] + i], 0);
    }
  }

  void expect_restarts() {
    for (int round = 1; round <= 5; ++round) {
      for (int peer = 0; peer < world_ranks(); ++peer) {
        const auto at = static_cast<std::size_t>(peer);
        for (int i = 0; i < send_counts_[at]; ++i) {
          send_[send_displacements_[at] + i] = value(world_rank(), peer, i, round);
        }
      }
      plan_.run();
      for (int peer = 0; peer < world_ranks(); ++peer) {
        const auto at = static_cast<std::size_t>(peer);
        for (int i = 0; i < receive_counts_[at]; ++i) {
          ASSERT_EQ(receive_[receive_displacements_[at] + i], value(peer, world_rank(), i, round))
              << "element " << i << " from rank " << peer << " in round " << round;
        }
      }
    }
  }

 private:
  static int count(int source, int destination, int most) { return most - (3 * source + destination) % 5 * (most / 9); }
  static int value(int source, int destination, int index, int round) {
    return 1000003 * round + 10007 * source + 101 * destination + index;
  }

  int first_;
  std::vector<int> send_counts_, send_displacements_, receive_counts_, receive_displacements_;
  std::vector<int> send_memory_, receive_memory_;
  Request plan_;
  int *send_ = nullptr;
  int *receive_ = nullptr;
};

class PlanBuffers : public testing::TestWithParam<Setting> {};
INSTANTIATE_TEST_SUITE_P(
    , PlanBuffers,
    testing::Values(Setting{"both", plan_owns, plan_owns}, Setting{"send_only", plan_owns, caller_owns},
                    Setting{"receive_only", caller_owns, plan_owns},
                    Setting{"of_some_ranks", plan_owns_of_even_ranks, plan_owns_of_even_ranks},
                    Setting{"linear", plan_owns, plan_owns, "linear"}, Setting{"tuna", plan_owns, plan_owns, "tuna"},
                    Setting{"tuna_of_some_ranks", plan_owns_of_even_ranks, plan_owns, "tuna"},
                    Setting{"two_phase_bruck", plan_owns, plan_owns, "two_phase_bruck"},
                    Setting{"packed", plan_owns, plan_owns, "linear", "packed"},
                    Setting{"native", plan_owns, plan_owns, "native"},
                    Setting{"native_of_some_ranks", plan_owns_of_even_ranks, caller_owns, "native"}),
    name_of);

TEST_P(PlanBuffers, ShortBlocks) {
  Case(GetParam(), 9).expect_restarts();
}

TEST_P(PlanBuffers, LongBlocks) {
  Case(GetParam(), 5000).expect_restarts();
}

TEST_P(PlanBuffers, VeryLongBlocks) {
  Case(GetParam(), 420'000).expect_restarts();
}

// A plan before has left its data in the memory that the next one gets.
TEST_P(PlanBuffers, AreZeroAtFirst) {
  Case(GetParam(), 5000).expect_restarts();

  Case(GetParam(), 5000).expect_zero();
}

TEST(PlanBuffersOf, ATypeWithGaps) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_vector(3, 1, 2, MPI_INT, &type);
  MPI_Type_commit(&type);
  const std::vector<int> counts(static_cast<std::size_t>(world_ranks()), 1);
  std::vector<int> displacements;
  for (int peer = 0; peer < world_ranks(); ++peer) displacements.push_back(peer);
  RONDO_Request request = RONDO_REQUEST_NULL;

  detail::check(RONDO_Alltoallv_init(RONDO_PLAN_BUFFER, counts.data(), displacements.data(), type, RONDO_PLAN_BUFFER,
                                     counts.data(), displacements.data(), type, MPI_COMM_WORLD, MPI_INFO_NULL,
                                     &request));
  MPI_Type_free(&type);
  Request plan(request);
  for (int i = 0; i < 5 * world_ranks(); ++i) plan.send_buffer<int>()[i] = 100 * world_rank() + i;
  plan.run();

  for (int peer = 0; peer < world_ranks(); ++peer) {
    for (int i = 0; i < 5; ++i) {
      const int expected = i % 2 == 0 ? 100 * peer + 5 * world_rank() + i : 0;
      EXPECT_EQ(plan.receive_buffer<int>()[5 * peer + i], expected) << "from rank " << peer << " at " << i;
    }
  }
}

TEST(PlanBuffersOf, AnExchangeInPlace) {
  const int count = 3;
  RONDO_Request request = RONDO_REQUEST_NULL;
  detail::check(RONDO_Alltoall_init(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, RONDO_PLAN_BUFFER, count, MPI_INT,
                                    MPI_COMM_WORLD, MPI_INFO_NULL, &request));
  Request plan(request);
  EXPECT_EQ(plan.send_buffer<int>(), plan.receive_buffer<int>());
  for (int i = 0; i < count * world_ranks(); ++i) plan.receive_buffer<int>()[i] = 100 * world_rank() + i;
  plan.run();

  for (int i = 0; i < count * world_ranks(); ++i) {
    EXPECT_EQ(plan.receive_buffer<int>()[i], 100 * (i / count) + count * world_rank() + i % count);
  }
}

TEST(PlanBuffersOf, TheCppCall) {
  const std::vector<int> counts(static_cast<std::size_t>(world_ranks()), 1);
  std::vector<int> displacements;
  for (int peer = 0; peer < world_ranks(); ++peer) displacements.push_back(peer);

  Request plan = alltoallv_init<double, double>({elements_of_plan<const double>(), counts, displacements},
                                                {elements_of_plan<double>(), counts, displacements}, MPI_COMM_WORLD);
  for (int peer = 0; peer < world_ranks(); ++peer) plan.send_buffer<double>()[peer] = world_rank() + 0.5 * peer;
  plan.run();

  for (int peer = 0; peer < world_ranks(); ++peer) {
    EXPECT_EQ(plan.receive_buffer<double>()[peer], peer + 0.5 * world_rank());
  }
}

TEST(PlanBuffersOf, ANullRequestIsRefused) {
  void *buffer = nullptr;

  const Refusal refusal = refused(RONDO_Request_buffers(RONDO_REQUEST_NULL, &buffer, &buffer));

  EXPECT_EQ(refusal.code, RONDO_ERR_REQUEST);
  EXPECT_EQ(buffer, nullptr);
}

}  // namespace
}  // namespace rondo
