// Where memory runs out on one rank, at whichever allocation, all ranks return RONDO_ERR_NO_MEMORY and nothing is left
// behind: no memory, no object of MPI's, no rank that waits.

#include "tests/mpi/comparison.hpp"
#include "tests/mpi/each_for_itself.hpp"
#include "tests/mpi/failing_memory.hpp"
#include "tests/mpi/refusal.hpp"

namespace rondo {
namespace {

using failing_memory::Lasting;
using failing_memory::live;
using failing_memory::mpi_objects;
using failing_memory::never;
using failing_memory::pretended_node;
using failing_memory::Shortage;

// ---- What is tried -------------------------------------------------------------------------------------------

struct Init {
  const char *name;
  Way way;
  int (*call)(MPI_Comm comm, MPI_Info info, RONDO_Request *request);
  int expected = MPI_SUCCESS;  // with all the memory that it takes
  bool does_without = false;   // some of what it takes memory for it can do without

  int operator()(MPI_Comm comm, RONDO_Request *request) const { return call(comm, by(way).info(), request); }
};

constexpr std::size_t most_ranks = 4;
std::array<int, most_ranks * 64> sent{};
std::array<int, most_ranks * 64> received{};

template <std::size_t size>
constexpr std::array<int, most_ranks> steps_of() {
  std::array<int, most_ranks> displacements{};
  for (std::size_t i = 0; i < most_ranks; ++i) displacements[i] = static_cast<int>(i * size);
  return displacements;
}

int alltoallv(MPI_Comm comm, MPI_Info info, RONDO_Request *request) {
  constexpr std::array<int, most_ranks> counts{5, 5, 5, 5};
  constexpr auto displacements = steps_of<8>();
  return RONDO_Alltoallv_init(sent.data(), counts.data(), displacements.data(), MPI_INT, received.data(), counts.data(),
                              displacements.data(), MPI_INT, comm, info, request);
}

// Elements with gaps, of a type that each call makes itself.
int alltoallv_of_columns(MPI_Comm comm, MPI_Info info, RONDO_Request *request) {
  constexpr std::array<int, most_ranks> counts{2, 2, 2, 2};
  constexpr auto displacements = steps_of<2>();
  MPI_Datatype columns = MPI_DATATYPE_NULL;
  PMPI_Type_vector(3, 2, 4, MPI_INT, &columns);
  PMPI_Type_commit(&columns);
  const int code = RONDO_Alltoallv_init(sent.data(), counts.data(), displacements.data(), columns, received.data(),
                                        counts.data(), displacements.data(), columns, comm, info, request);
  PMPI_Type_free(&columns);
  return code;
}

int alltoallw(MPI_Comm comm, MPI_Info info, RONDO_Request *request) {
  constexpr std::array<int, most_ranks> counts{2, 2, 2, 2};
  constexpr auto displacements = steps_of<128>();
  MPI_Datatype columns = MPI_DATATYPE_NULL;
  PMPI_Type_vector(3, 2, 4, MPI_INT, &columns);
  PMPI_Type_commit(&columns);
  const std::array<MPI_Datatype, most_ranks> types{columns, columns, columns, columns};
  const int code = RONDO_Alltoallw_init(sent.data(), counts.data(), displacements.data(), types.data(), received.data(),
                                        counts.data(), displacements.data(), types.data(), comm, info, request);
  PMPI_Type_free(&columns);
  return code;
}

int measured(MPI_Comm comm, MPI_Info, RONDO_Request *request) {
  const Hints hints{{"rondo_tune", "measure"}};
  return alltoallv(comm, hints.info(), request);
}

int with_profile(MPI_Comm comm, MPI_Info, RONDO_Request *request) {
  const Hints hints{{"rondo_profile", "none.json"}};
  return alltoallv(comm, hints.info(), request);
}

int measured_columns(MPI_Comm comm, MPI_Info, RONDO_Request *request) {
  const Hints hints{{"rondo_tune", "measure"}};
  return alltoallv_of_columns(comm, hints.info(), request);
}

int plan_buffers(MPI_Comm comm, MPI_Info info, RONDO_Request *request) {
  return RONDO_Alltoall_init(RONDO_PLAN_BUFFER, 5, MPI_INT, RONDO_PLAN_BUFFER, 5, MPI_INT, comm, info, request);
}

// Both neighbours on a ring.
int neighbors(MPI_Comm comm, MPI_Info info, RONDO_Request *request) {
  constexpr std::array<int, 2> counts{5, 5};
  constexpr auto displacements = steps_of<8>();
  return RONDO_Neighbor_alltoallv_init(sent.data(), counts.data(), displacements.data(), MPI_INT, received.data(),
                                       counts.data(), displacements.data(), MPI_INT, comm, info, request);
}

int allgather(MPI_Comm comm, MPI_Info info, RONDO_Request *request) {
  return RONDO_Allgather_init(sent.data(), 5, MPI_INT, received.data(), 5, MPI_INT, comm, info, request);
}

// Between rank 0 and the others: a communicator of its own for each init.
int allgather_between_groups(MPI_Comm comm, MPI_Info info, RONDO_Request *request) {
  if (world_ranks() == 1) return allgather(comm, info, request);
  const bool first = world_rank() == 0;
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm inter = MPI_COMM_NULL;
  PMPI_Comm_split(comm, first ? 0 : 1, world_rank(), &own);
  PMPI_Intercomm_create(own, 0, comm, first ? 1 : 0, 3, &inter);
  const int code = RONDO_Allgather_init(sent.data(), 5, MPI_INT, received.data(), 5, MPI_INT, inter, info, request);
  PMPI_Comm_free(&inter);
  PMPI_Comm_free(&own);
  return code;
}

int varying(MPI_Comm comm, MPI_Info info, RONDO_Request *request) {
  return RONDO_Alltoallv_varying_init(MPI_INT, MPI_INT, comm, info, request);
}

int negative_count(MPI_Comm comm, MPI_Info info, RONDO_Request *request) {
  return RONDO_Alltoall_init(sent.data(), world_rank() == 0 ? -1 : 5, MPI_INT, received.data(), 5, MPI_INT, comm, info,
                             request);
}

// From rank 0 to rank 1.
int sizes_that_differ(MPI_Comm comm, MPI_Info info, RONDO_Request *request) {
  constexpr std::array<int, most_ranks> counts{5, 5, 5, 5};
  constexpr auto displacements = steps_of<8>();
  std::array<int, most_ranks> sendcounts = counts;
  if (world_rank() == 0) sendcounts[1] = 4;
  return RONDO_Alltoallv_init(sent.data(), sendcounts.data(), displacements.data(), MPI_INT, received.data(),
                              counts.data(), displacements.data(), MPI_INT, comm, info, request);
}

int hints_that_differ(MPI_Comm comm, MPI_Info, RONDO_Request *request) {
  const Hints hints{{"rondo_radix", std::to_string(2 + world_rank())}};
  return alltoallv(comm, hints.info(), request);
}

const std::vector<Init> inits = {
    {"Direct", {"spread_out", "packed"}, alltoallv},
    {"Forwarding", {"tuna", "packed"}, alltoallv},
    {"Padded", {"padded_bruck", "packed"}, alltoallv},
    {"DirectShared", {"spread_out", "shared"}, alltoallv},
    {"ForwardingShared", {"tuna", "shared"}, alltoallv},
    {"PlanBuffers", {"spread_out", "shared"}, plan_buffers},
    {"Chosen", {""}, alltoallv},
    {"Measured", {""}, measured},
    {"MeasuredColumns", {""}, measured_columns},
    {"WithProfile", {""}, with_profile},
    {"Native", {"native"}, alltoallv},
    {"ColumnsPacked", {"spread_out", "packed"}, alltoallv_of_columns},
    {"ColumnsAsDatatypes", {"tuna", "datatype"}, alltoallv_of_columns},
    {"Alltoallw", {"spread_out", "datatype"}, alltoallw},
    {"Neighbors", {"spread_out"}, neighbors},
    {"Allgather", {""}, allgather},
    {"AllgatherNative", {"native"}, allgather},
    {"AllgatherBetweenGroups", {""}, allgather_between_groups},
    {"AllgatherBetweenGroupsNative", {"native"}, allgather_between_groups},
    {"VaryingChosen", {""}, varying},
    {"VaryingByMessages", {"spread_out", "packed"}, varying},
    {"VaryingForwardingShared", {"tuna", "shared"}, varying},
    {"NegativeCount", {""}, negative_count, RONDO_ERR_COUNT},
    {"SizesThatDiffer", {"tuna", "packed"}, sizes_that_differ, RONDO_ERR_MISMATCH},
    {"SharedSizesThatDiffer", {"spread_out", "shared"}, sizes_that_differ, RONDO_ERR_MISMATCH},
    {"HintsThatDiffer", {""}, hints_that_differ, RONDO_ERR_HINT},
    {"NoSuchAlgorithm", {"no_such"}, alltoallv, RONDO_ERR_ALGORITHM},
};

// ---- Trying ----------------------------------------------------------------------------------------------------

bool ranks_share_memory() {
  return world_ranks() > 1 && pretended_node() != 1;
}

long most(long mine) {
  long all = 0;
  MPI_Allreduce(&mine, &all, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  return all;
}

// A communicator on which nothing has been planned, with a ring as its topology.
class FreshRing {
 public:
  FreshRing() {
    const int ranks = world_ranks();
    const int periodic = 1;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &comm_);
  }
  ~FreshRing() { PMPI_Comm_free(&comm_); }
  FreshRing(const FreshRing &) = delete;
  FreshRing &operator=(const FreshRing &) = delete;
  [[nodiscard]] MPI_Comm comm() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

// One init in which the rank's allocation after `succeeding` fails; whether it did.
bool try_with(const Init &init, MPI_Comm comm, long succeeding, Lasting how, int faulty) {
  SCOPED_TRACE(init.name);
  RONDO_Request request = RONDO_REQUEST_NULL;
  int code = MPI_SUCCESS;
  {
    const Shortage shortage(world_rank() == faulty ? succeeding : never, how);
    code = init(comm, &request);
  }
  RONDO_Error_values values{};
  RONDO_Error_last(&values, sizeof(values));
  const bool failed = most(failing_memory::refused) > 0;
  EXPECT_EQ(most(code), -most(-code)) << "not the same on all ranks, after " << succeeding << " allocations";
  if (!failed || code != RONDO_ERR_NO_MEMORY) {
    EXPECT_EQ(code, init.expected) << "after " << succeeding << " allocations: " << rondo::refused(code).message;
  } else {
    EXPECT_EQ(values.rank, faulty) << "after " << succeeding << " allocations";
  }
  EXPECT_EQ(request == RONDO_REQUEST_NULL, code != MPI_SUCCESS);
  if (failed && init.expected == MPI_SUCCESS && !init.does_without) {
    EXPECT_EQ(code, RONDO_ERR_NO_MEMORY) << "after " << succeeding << " allocations";
  }
  if (request != RONDO_REQUEST_NULL) RONDO_Request_free(&request);
  return failed;
}

class OutOfMemory : public testing::TestWithParam<std::tuple<Init, int, Lasting>> {
 protected:
  void SetUp() override {
    if (faulty() >= world_ranks()) GTEST_SKIP() << "there is no such rank";
    const std::string_view name = init().name;
    if (name.ends_with("Differ") && world_ranks() == 1) GTEST_SKIP() << "nobody differs";
    if (name == "SharedSizesThatDiffer" && !ranks_share_memory()) GTEST_SKIP() << "nobody shares";
  }
  [[nodiscard]] const Init &init() const { return std::get<0>(GetParam()); }
  [[nodiscard]] int faulty() const { return std::get<1>(GetParam()); }
  [[nodiscard]] Lasting how() const { return std::get<2>(GetParam()); }
};

TEST_P(OutOfMemory, IsToldByAllRanksAtEveryAllocation) {
  {
    const FreshRing ring;  // what lists of the library's own take once
    try_with(init(), ring.comm(), never, how(), faulty());
  }
  const long memory = live;
  const long objects = mpi_objects;
  long allocations = 0;
  {
    const FreshRing ring;
    while (!HasFailure() && try_with(init(), ring.comm(), allocations, how(), faulty())) ++allocations;
    // The same init again, for which the communicator's duplicate is there.
    for (long n = 0; !HasFailure() && n < allocations && try_with(init(), ring.comm(), n, how(), faulty());) ++n;
  }

  EXPECT_GT(allocations, each_for_itself ? 10 : 5);
  // Ranks that are known keep what their inits have worked out.
  EXPECT_TRUE(live == memory || !each_for_itself) << live - memory << " allocations that have not been freed";
  EXPECT_EQ(mpi_objects, objects) << "objects of MPI's that have not been freed";
}

std::string trial_name(const testing::TestParamInfo<OutOfMemory::ParamType> &test) {
  const auto &[init, faulty, how] = test.param;
  return std::string(init.name) + "_rank_" + std::to_string(faulty) +
         (how == Lasting::yes ? "_from_there_on" : "_once");
}
INSTANTIATE_TEST_SUITE_P(, OutOfMemory,
                         testing::Combine(testing::ValuesIn(inits), testing::Values(0, 1),
                                          testing::Values(Lasting::yes)),
                         trial_name);

// What goes on after a shortage, as if there had been none.
const std::vector<Init> some_inits = {
    {"Padded", {"padded_bruck", "packed"}, alltoallv},
    {"ForwardingShared", {"tuna", "shared"}, alltoallv},
    {"Native", {"native"}, alltoallv},
    {"Measured", {""}, measured, MPI_SUCCESS, true},
    {"MeasuredColumns", {""}, measured_columns, MPI_SUCCESS, true},
};
INSTANTIATE_TEST_SUITE_P(ForAMoment, OutOfMemory,
                         testing::Combine(testing::ValuesIn(some_inits), testing::Values(0, 1),
                                          testing::Values(Lasting::no)),
                         trial_name);

// ---- After a shortage ------------------------------------------------------------------------------------------

TEST(AfterAShortage, TheNextInitPlansWhatItShould) {
  const FreshRing ring;
  for (const Init &init : inits) try_with(init, ring.comm(), 3, Lasting::yes, world_ranks() - 1);
  Comparison comparison(sends(varied), receives(varied), ring.comm());

  Request plan = comparison.plan(by("tuna"));

  comparison.expect_restarts(plan);
}

// All ranks have the same regions after an init that has failed on one, whatever it would have given back.
TEST(AfterAShortage, MemoryIsSharedAsBefore) {
  const FreshRing ring;
  Comparison small(sends(three), receives(three), ring.comm());
  Comparison large(sends(long_and_short), receives(long_and_short), ring.comm());
  const auto make_both = [&](const Hints &hints) {
    Request one = small.plan(hints);
    Request other = large.plan(hints);
    small.expect_restarts(one, 1);
    large.expect_restarts(other, 1);
  };
  Hints keeping_nothing = by("spread_out");
  keeping_nothing.set("rondo_shared_limit", "0");
  make_both(by("spread_out"));
  make_both(by("spread_out"));
  // Like an earlier one, but for what it keeps.
  small.plan(keeping_nothing);
  large.plan(keeping_nothing);
  make_both(by("spread_out"));
  for (long n = 0; n < 40; ++n) {
    RONDO_Request request = RONDO_REQUEST_NULL;
    {
      const Shortage shortage(world_rank() == world_ranks() - 1 ? n : never, Lasting::yes);
      small.init(&request, keeping_nothing);
    }
    if (request != RONDO_REQUEST_NULL) RONDO_Request_free(&request);
    make_both(by("spread_out"));
  }
}

class RebindWithoutMemory : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(
    , RebindWithoutMemory,
    testing::ValuesIn(std::vector<Way>{
        {"spread_out", "packed"}, {"tuna", "datatype"}, {"tuna", "shared"}, {"padded_bruck", "packed"}, {"native"}}),
    way_name);

TEST_P(RebindWithoutMemory, LeavesThePlanAsItWas) {
  Comparison comparison = Comparison::of(very_long_and_short);
  GuardedBuffer elsewhere = comparison.send_buffer;
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(comparison.init(&request, by(GetParam())), MPI_SUCCESS);
  bool any_failed = true;
  for (long n = 0; any_failed && !HasFailure(); ++n) {
    int code = MPI_SUCCESS;
    {
      const Shortage shortage(world_rank() == 0 ? n : never, Lasting::yes);
      code = RONDO_Rebind(&request, elsewhere.base(), comparison.receive_buffer.base());
    }
    const bool failed = failing_memory::refused > 0;
    any_failed = most(failed ? 1 : 0) > 0;
    EXPECT_EQ(code, failed ? RONDO_ERR_NO_MEMORY : MPI_SUCCESS);
    if (!failed) {
      EXPECT_EQ(RONDO_Rebind(&request, comparison.send_base(), comparison.receive_buffer.base()), MPI_SUCCESS);
    }
    comparison.prepare(static_cast<int>(n));
    EXPECT_EQ(RONDO_Start(&request), MPI_SUCCESS);
    EXPECT_EQ(RONDO_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
    comparison.expect_equal("after " + std::to_string(n) + " allocations");
  }
  RONDO_Request_free(&request);
}

// A stall is told and its plan is freed whatever memory there is: rank 1 never starts.
TEST(StallWithoutMemory, IsToldAndItsPlanIsFreed) {
  if (world_ranks() == 1) GTEST_SKIP() << "there is nobody to wait for";
  constexpr long most_allocations = 12;
  for (long n = 0; n < most_allocations; ++n) {
    Comparison comparison = Comparison::of(three);
    Hints hints = by({"tuna", "packed"});
    hints.set("rondo_stall_timeout", "0.05");
    RONDO_Request request = RONDO_REQUEST_NULL;
    ASSERT_EQ(comparison.init(&request, hints), MPI_SUCCESS);
    if (world_rank() == 0) {
      const Shortage shortage(n, Lasting::yes);
      EXPECT_EQ(RONDO_Start(&request), MPI_SUCCESS);

      const int waited = RONDO_Wait(&request, MPI_STATUS_IGNORE);
      const int freed = RONDO_Request_free(&request);

      EXPECT_TRUE(waited == RONDO_ERR_STALLED || waited == RONDO_ERR_NO_MEMORY) << waited;
      EXPECT_EQ(freed, MPI_SUCCESS);
      EXPECT_EQ(request, RONDO_REQUEST_NULL);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() != 0) RONDO_Request_free(&request);
  }
}

// ---- Datatypes ---------------------------------------------------------------------------------------------------

TEST(TypeConstructorWithoutMemory, LeavesNothingBehind) {
  const std::array<MPI_Count, 3> counts{1, 3, 2};
  const long memory = live;
  const long objects = mpi_objects;
  bool failed = true;
  for (long n = 0; failed; ++n) {
    MPI_Datatype bucket = MPI_DATATYPE_NULL;
    MPI_Datatype circle = MPI_DATATYPE_NULL;
    {
      const Shortage shortage(n, Lasting::no);
      const int first = RONDO_Type_create_bucket(3, 4, counts.data(), MPI_INT, &bucket);
      const int second = RONDO_Type_create_circular_vector(20, 7, 20, 2, 5, MPI_INT, &circle);
      failed = failing_memory::refused > 0;
      EXPECT_EQ(first == RONDO_ERR_NO_MEMORY || second == RONDO_ERR_NO_MEMORY, failed);
      EXPECT_EQ(bucket == MPI_DATATYPE_NULL, first != MPI_SUCCESS);
      EXPECT_EQ(circle == MPI_DATATYPE_NULL, second != MPI_SUCCESS);
    }
    for (MPI_Datatype *type : {&bucket, &circle}) {
      if (*type != MPI_DATATYPE_NULL) MPI_Type_free(type);
    }
  }

  EXPECT_EQ(live, memory);
  EXPECT_EQ(mpi_objects, objects);
}

// ---- Memory to share ---------------------------------------------------------------------------------------------

class NoMemoryToShare : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (!ranks_share_memory()) GTEST_SKIP() << "nobody shares";
  }
};
INSTANTIATE_TEST_SUITE_P(OnRank, NoMemoryToShare, testing::Values(0, 1));

TEST_P(NoMemoryToShare, AtTheFirstInitMeansMessages) {
  const FreshRing ring;
  Comparison comparison(sends(three), receives(three), ring.comm());
  RONDO_Request request = RONDO_REQUEST_NULL;
  {
    const failing_memory::NoSharedMemory none(world_rank() == GetParam());
    ASSERT_EQ(comparison.init(&request, by("spread_out")), MPI_SUCCESS);
  }
  Request plan(request);

  EXPECT_STREQ(plan.report().wire, "packed");  // on all nodes: ranks agree by memory everywhere or nowhere
  comparison.expect_restarts(plan);
}

TEST_P(NoMemoryToShare, AtALaterInitIsToldByAllRanks) {
  const FreshRing ring;
  Comparison comparison(sends(long_and_short), receives(long_and_short), ring.comm());
  RONDO_Request first = RONDO_REQUEST_NULL;
  ASSERT_EQ(alltoallv(ring.comm(), MPI_INFO_NULL, &first), MPI_SUCCESS);
  RONDO_Request request = RONDO_REQUEST_NULL;
  {
    const failing_memory::NoSharedMemory none(world_rank() == GetParam());
    EXPECT_EQ(comparison.init(&request, by("tuna")), RONDO_ERR_NO_MEMORY);
  }

  EXPECT_EQ(request, RONDO_REQUEST_NULL);
  Request plan = comparison.plan(by("tuna"));
  comparison.expect_restarts(plan);
  RONDO_Request_free(&first);
}

}  // namespace
}  // namespace rondo
