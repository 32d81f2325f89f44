// The choice by measurement: that plans are right after it, that nothing but the choice comes of it, and that a profile
// keeps it.

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "api/inputs.hpp"
#include "api/prices.hpp"
#include "api/profile.hpp"
#include "tests/mpi/comparison.hpp"
#include "tests/mpi/each_for_itself.hpp"
#include "tests/mpi/refusal.hpp"

namespace rondo {
namespace {

Hints measured(std::initializer_list<std::pair<const char *, const char *>> more = {}) {
  Hints hints{{"rondo_tune", "measure"}, {"rondo_tune_budget", "0.002"}};
  for (const auto &[key, value] : more) hints.set(key, value);
  return hints;
}

// A communicator on which nothing has been planned.
class Fresh {
 public:
  Fresh() { MPI_Comm_dup(MPI_COMM_WORLD, &comm_); }
  ~Fresh() { MPI_Comm_free(&comm_); }
  Fresh(const Fresh &) = delete;
  Fresh &operator=(const Fresh &) = delete;
  [[nodiscard]] MPI_Comm get() const { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

// A uniform alltoall of bytes.
struct Uniform {
  explicit Uniform(std::size_t bytes)
      : size(static_cast<int>(bytes)),
        sent(bytes * static_cast<std::size_t>(world_ranks()), 'a'),
        received(sent.size(), 'b') {}
  Request plan(MPI_Comm comm, const Hints &hints) {
    RONDO_Request request = RONDO_REQUEST_NULL;
    detail::check(RONDO_Alltoall_init(sent.data(), size, MPI_CHAR, received.data(), size, MPI_CHAR, comm, hints.info(),
                                      &request));
    return Request(request);
  }

  int size;
  std::vector<char> sent;
  std::vector<char> received;
};

// ---- Plans that have been chosen so ------------------------------------------------------------------------

class Measured : public testing::TestWithParam<CountRule> {};
INSTANTIATE_TEST_SUITE_P(, Measured,
                         testing::Values(varied, symmetric, three, none, long_and_short, very_long_and_short,
                                         rank_0_sends_all));

TEST_P(Measured, PlansAreRight) {
  for (const char *wire : {"auto", "packed", "datatype"}) {
    Comparison comparison = Comparison::of(GetParam(), {.first = 3, .gap = 2}, {.first = 1, .gap = 1});
    Request plan = comparison.plan(measured({{"rondo_wire", wire}}));
    comparison.expect_restarts(plan);
  }
}

TEST_P(Measured, BetweenPretendedNodes) {
  Comparison comparison = Comparison::of(GetParam());
  Request plan = comparison.plan(measured({{"rondo_node_size", "2"}}));
  comparison.expect_restarts(plan);
}

TEST_P(Measured, OfElementsWithGaps) {
  MPI_Datatype columns = MPI_DATATYPE_NULL;
  MPI_Type_vector(2, 1, 3, MPI_INT, &columns);
  MPI_Type_commit(&columns);
  {
    Comparison comparison(sends(GetParam(), {.gap = 1}, columns), receives(GetParam(), {.gap = 1}, columns));
    Request plan = comparison.plan(measured());
    comparison.expect_restarts(plan);
  }
  MPI_Type_free(&columns);
}

TEST(MeasuredInPlace, PlansAreRight) {
  Comparison comparison = Comparison::in_place(receives(symmetric));
  Request plan = comparison.plan(measured());
  comparison.expect_restarts(plan);
}

TEST(MeasuredInit, LeavesTheBuffersAsTheyWere) {
  Comparison comparison = Comparison::of(varied);
  comparison.send_buffer.fill(1);
  comparison.receive_buffer.fill(2);
  const GuardedBuffer sent = comparison.send_buffer;
  const GuardedBuffer received = comparison.receive_buffer;

  const Request plan = comparison.plan(measured());

  EXPECT_EQ(comparison.send_buffer.difference(sent), "");
  EXPECT_EQ(comparison.receive_buffer.difference(received), "");
}

TEST(MeasuredInit, AmongParametersOfOneAlgorithm) {
  Comparison comparison = Comparison::of(three);
  Request plan = comparison.plan(measured({{"rondo_algorithm", "tuna"}}));

  EXPECT_STREQ(plan.report().algorithm, "tuna");
  comparison.expect_restarts(plan);
}

TEST(MeasuredInit, OfBuffersOfThePlan) {
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoall_init(RONDO_PLAN_BUFFER, 40, MPI_INT, RONDO_PLAN_BUFFER, 40, MPI_INT, MPI_COMM_WORLD,
                                measured().info(), &request),
            MPI_SUCCESS);
  Request plan(request);
  void *sent = nullptr;
  void *received = nullptr;
  RONDO_Request_buffers(request, &sent, &received);
  for (int i = 0; i < 40 * world_ranks(); ++i) static_cast<int *>(sent)[i] = 1000 * world_rank() + i;

  plan.run();

  for (int i = 0; i < 40 * world_ranks(); ++i) {
    EXPECT_EQ(static_cast<int *>(received)[i], 1000 * (i / 40) + 40 * world_rank() + i % 40);
  }
}

TEST(MeasuredInit, WithMemoryFarApartIsLeftToTheEstimate) {
  std::vector<char> sent(static_cast<std::size_t>(world_ranks()));
  std::vector<int> counts(sent.size(), 1);
  std::vector<int> near(sent.size());
  std::iota(near.begin(), near.end(), 0);
  std::vector<char> received(300'000'000 + sent.size());
  std::vector<int> far = near;
  if (world_rank() == 0) far.back() = 300'000'000;
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Alltoallv_init(sent.data(), counts.data(), near.data(), MPI_CHAR, received.data(), counts.data(),
                                 far.data(), MPI_CHAR, MPI_COMM_WORLD, measured().info(), &request),
            MPI_SUCCESS);
  const Request plan(request);

  EXPECT_EQ(plan.report().measured_seconds, 0);
}

// MPICH 4.0's own call moves nothing in the first, and does not end in the second: both are fast until somebody looks.
TEST(MeasuredInit, WithNeighborsOnOneSideOnly) {
  if (world_ranks() == 1) GTEST_SKIP() << "there is no neighbour";
  const bool receives = world_rank() == 0;
  const bool sends = world_rank() == 1;
  const int other = receives ? 1 : 0;
  MPI_Comm edge = MPI_COMM_NULL;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, receives ? 1 : 0, &other, MPI_UNWEIGHTED, sends ? 1 : 0, &other,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &edge);
  constexpr int count = 100'000;
  std::vector<int> sent(count, 7);
  std::vector<int> received(count, -1);
  const MPI_Aint first = 0;
  const MPI_Datatype type = MPI_INT;
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Neighbor_alltoallw_init(sent.data(), &count, &first, &type, received.data(), &count, &first, &type,
                                          edge, measured().info(), &request),
            MPI_SUCCESS);

  Request(request).run();

  if (receives) {
    EXPECT_EQ(received, sent);
  }
  MPI_Comm_free(&edge);
}

TEST(MeasuredInit, OfLongBlocksWhoseElementsLieBackwards) {
  constexpr int count = 20'000;
  const int ranks = world_ranks();
  MPI_Datatype backwards = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(MPI_INT, 0, -static_cast<MPI_Aint>(sizeof(int)), &backwards);
  MPI_Type_commit(&backwards);
  const std::vector<int> counts(static_cast<std::size_t>(ranks), count);
  std::vector<int> places;
  for (int rank = 0; rank < ranks; ++rank) places.push_back(rank * count);
  const std::vector<int> sent(count, world_rank());
  std::vector<int> received(static_cast<std::size_t>(ranks) * count, -1);
  RONDO_Request request = RONDO_REQUEST_NULL;
  ASSERT_EQ(RONDO_Allgatherv_init(sent.data(), count, MPI_INT, &received.back(), counts.data(), places.data(),
                                  backwards, MPI_COMM_WORLD, measured({{"rondo_tune_budget", "0.2"}}).info(), &request),
            MPI_SUCCESS);

  Request(request).run();

  for (int rank = 0; rank < ranks; ++rank) {
    EXPECT_EQ(received[received.size() - 1 - static_cast<std::size_t>(rank) * count], rank);
    EXPECT_EQ(received[received.size() - static_cast<std::size_t>(rank + 1) * count], rank);
  }
  MPI_Type_free(&backwards);
}

// The others exchange for longer than the timeout while a rank has nothing to do.
TEST(MeasuredInit, OfARankWithoutDataStallsNobody) {
  const auto not_of_the_last = [](int source, int destination) {
    const int last = world_ranks() - 1;
    return source == last || destination == last ? 0 : 300'000;
  };
  Comparison comparison = Comparison::of(not_of_the_last);

  Request plan = comparison.plan(measured({{"rondo_tune_budget", "0.5"}, {"rondo_stall_timeout", "2"}}));

  EXPECT_NE(plan.report().ranks, 0);
}

// ---- What is remembered ------------------------------------------------------------------------------------

class Remembered : public testing::Test {
 protected:
  void SetUp() override {
    if (world_ranks() == 1) GTEST_SKIP() << "there is nothing to choose";
    if (world_rank() == 0) {
      char name[] = "rondo-profile-XXXXXX";
      close(mkstemp(name));
      std::remove(name);
      path = name;
    }
    path.resize(20);
    MPI_Bcast(path.data(), 20, MPI_CHAR, 0, MPI_COMM_WORLD);
  }
  void TearDown() override {
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0) std::remove(path.c_str());
  }
  [[nodiscard]] Hints with_profile(bool measures = true) const {
    Hints hints = measures ? measured() : Hints{};
    if (measures) hints.set("rondo_tune_budget", "0.2");  // one candidate alone is not written
    hints.set("rondo_profile", path);
    return hints;
  }
  void write(const std::string &text) const {
    if (world_rank() == 0) std::ofstream(path) << text;
    MPI_Barrier(MPI_COMM_WORLD);
  }
  [[nodiscard]] std::string content() const {
    MPI_Barrier(MPI_COMM_WORLD);
    std::ifstream file(path);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    MPI_Barrier(MPI_COMM_WORLD);
    return text;
  }

  std::string path;
};

TEST_F(Remembered, BySizesThatAreAlike) {
  const Fresh comm;
  const double first = Uniform(1000).plan(comm.get(), measured()).report().measured_seconds;

  EXPECT_GT(first, 0);
  EXPECT_EQ(Uniform(1000).plan(comm.get(), measured()).report().measured_seconds, first) << "an earlier plan";
  EXPECT_EQ(Uniform(1010).plan(comm.get(), measured()).report().measured_seconds, first);
  EXPECT_NE(Uniform(9000).plan(comm.get(), measured()).report().measured_seconds, first);
  EXPECT_EQ(Uniform(1000).plan(comm.get(), {}).report().measured_seconds, first) << "known is known";
}

TEST_F(Remembered, InAProfile) {
  const Fresh comm;
  const RONDO_Report first = Uniform(1000).plan(comm.get(), with_profile()).report();
  const Fresh other;

  const RONDO_Report second = Uniform(1000).plan(other.get(), with_profile(false)).report();

  EXPECT_STREQ(second.algorithm, first.algorithm);
  EXPECT_EQ(second.radix, first.radix);
  EXPECT_NEAR(second.measured_seconds, first.measured_seconds, 2e-9);
  const auto json = nlohmann::json::parse(content());
  EXPECT_EQ(json["rondo_profile"], 1);
  ASSERT_EQ(json["measured"].size(), 1);
  ASSERT_EQ(json["measured"].begin()->size(), 1);
  EXPECT_EQ(json["measured"].begin()->begin()->at("algorithm"), first.algorithm);
}

TEST_F(Remembered, WhatPeopleWriteIntoAProfileIsTaken) {
  Uniform(64).plan(Fresh().get(), with_profile());
  auto json = nlohmann::json::parse(content());
  json["measured"].begin()->begin().value() = {{"algorithm", "tuna"}, {"radix", 2}, {"microseconds", 1}};
  write(json.dump());
  const Fresh comm;

  const RONDO_Report report = Uniform(64).plan(comm.get(), with_profile(false)).report();

  EXPECT_STREQ(report.algorithm, "tuna");
  EXPECT_EQ(report.radix, 2);
}

TEST_F(Remembered, AProfileThatIsNoneIsLeftAlone) {
  for (const char *text :
       {"", "no JSON", "[]", "{}", R"({"rondo_profile": 2, "measured": {}})",
        R"({"rondo_profile": 1.5, "measured": {}})", R"({"rondo_profile": 4294967297, "measured": {}})",
        R"({"rondo_profile": 1, "measured": {"x": {"y": {"algorithm": "tuna", "microseconds": -1}}}})",
        R"({"rondo_profile": 1})", R"({"rondo_profile": 1, "measured": {"x": 3}})",
        R"({"rondo_profile": 1, "measured": {}, "prices": 3})",
        R"({"rondo_profile": 1, "measured": {}, "prices": {"x": [{"ranks": 2}]}})",
        R"({"rondo_profile": 1, "measured": {}, "prices": {"x": [{"ranks": 2.5, "nodes": 1, "turns": 1}]}})",
        R"({"rondo_profile": 1, "measured": {}, "prices": {"x": [{"ranks": 2, "nodes": 0, "turns": 1}]}})",
        R"({"rondo_profile": 1, "measured": {"x": {"y": {"algorithm": 3}}}})"}) {
    write(text);
    const Fresh comm;
    Uniform exchange(200);
    exchange.plan(comm.get(), with_profile()).run();
    EXPECT_EQ(exchange.received.back(), 'a');
    EXPECT_EQ(content(), text);
  }
}

TEST_F(Remembered, AnAlgorithmThatThereIsNotIsMeasuredAnew) {
  Uniform(80).plan(Fresh().get(), with_profile());
  auto json = nlohmann::json::parse(content());
  json["measured"].begin()->begin().value() = {{"algorithm", "no_such"}, {"microseconds", 1}};
  write(json.dump());
  const Fresh comm;

  const RONDO_Report report = Uniform(80).plan(comm.get(), with_profile()).report();

  EXPECT_GT(report.measured_seconds, 0);
  EXPECT_EQ(content().find("no_such"), std::string::npos);
}

TEST_F(Remembered, AnAlgorithmThatDoesNotServeIsMeasuredAnew) {
  Uniform(90).plan(Fresh().get(), with_profile());
  auto json = nlohmann::json::parse(content());
  json["measured"].begin()->begin().value() = {{"algorithm", "spread_out"}, {"radix", 7}, {"microseconds", 1}};
  write(json.dump());

  EXPECT_GT(Uniform(90).plan(Fresh().get(), with_profile()).report().measured_seconds, 0);
  EXPECT_EQ(nlohmann::json::parse(content())["measured"].begin()->begin()->dump().find("\"radix\":7"),
            std::string::npos);
}

TEST_F(Remembered, WhatIsNoFileIsNotWaitedFor) {
  if (world_rank() == 0) mkfifo(path.c_str(), 0600);
  MPI_Barrier(MPI_COMM_WORLD);
  const Fresh comm;

  EXPECT_GT(Uniform(400).plan(comm.get(), with_profile()).report().measured_seconds, 0);
}

TEST_F(Remembered, ALinkStaysOneAndAFileKeepsItsMode) {
  const std::string real = path + ".real";
  if (world_rank() == 0) {
    std::ofstream(real) << R"({"rondo_profile": 1, "measured": {}})";
    chmod(real.c_str(), 0640);
    std::filesystem::create_symlink(real, path);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  const Fresh comm;
  Uniform(500).plan(comm.get(), with_profile());

  EXPECT_NE(content().find("alltoallv"), std::string::npos);
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() > 0) return;
  EXPECT_TRUE(std::filesystem::is_symlink(path));
  struct stat status{};
  stat(real.c_str(), &status);
  EXPECT_EQ(status.st_mode & 0777, 0640);
  std::remove(real.c_str());
}

TEST_F(Remembered, AVariableThatIsNoTextLeavesNoFilesBehind) {
  setenv("FI_PROVIDER", "tcp\xff", 1);
  const Fresh comm;
  Uniform(600).plan(comm.get(), with_profile());
  unsetenv("FI_PROVIDER");
  MPI_Barrier(MPI_COMM_WORLD);

  EXPECT_NE(content().find("FI_PROVIDER=tcp?"), std::string::npos);
  if (world_rank() > 0) return;
  for (const auto &entry : std::filesystem::directory_iterator(".")) {
    EXPECT_FALSE(entry.path().filename().string().starts_with(path + ".")) << entry.path();
  }
}

TEST_F(Remembered, AProfileThatCannotBeWritten) {
  const Fresh comm;
  Hints hints = measured({{"rondo_profile", "/no/such/folder/profile"}});

  EXPECT_GT(Uniform(300).plan(comm.get(), hints).report().measured_seconds, 0);
}

// ---- Prices ------------------------------------------------------------------------------------------------

class Calibrated : public Remembered {
 protected:
  // A profile of this machine in which a message costs so much, and the library's own call so much, in microseconds;
  // for any number of turns. A long one between as many nodes costs more by `asking`.
  void write_prices(double message, double native, int nodes = 1, double asking = 0) const {
    const std::string setting = internal::this_setting();
    nlohmann::json json{{"rondo_profile", 1}, {"measured", nlohmann::json::object()}};
    for (int turns = 1; turns <= 2; ++turns) {
      nlohmann::json one{{"ranks", world_ranks()}, {"nodes", nodes}, {"turns", turns}};
      for (const char *price : {"step", "byte", "far_byte", "copied_byte", "shared_step", "shared_byte", "turn"}) {
        one["nanoseconds"][price] = 1e-3;
      }
      one["nanoseconds"]["message"] = one["nanoseconds"]["shared_message"] = message * 1e3;
      if (asking > 0) one["nanoseconds"]["long_message"] = asking * 1e3;
      for (const char *block : {"0", "8", "64", "512", "4096", "32768", "262144"}) {
        one["native_microseconds"][block] = native;
      }
      json["prices"][setting].push_back(one);
    }
    write(json.dump());
  }
};

TEST_F(Calibrated, ThePricesOfAProfileDecide) {
  write_prices(50, 1);
  EXPECT_STREQ(Uniform(512).plan(Fresh().get(), with_profile(false)).report().algorithm, "native");
  EXPECT_NEAR(Uniform(512).plan(Fresh().get(), with_profile(false)).report().predicted_seconds, 1e-6, 1e-12);

  write_prices(0.1, 10);
  const Fresh comm;
  EXPECT_STRNE(Uniform(512).plan(comm.get(), with_profile(false)).report().algorithm, "native");
  EXPECT_EQ(Uniform(512).plan(comm.get(), with_profile(false)).report().reused, 1);
}

// By more than a quarter of an hour for an exchange.
TEST_F(Calibrated, PricesThatCannotBeRightAreRefused) {
  write_prices(50, 2e9);

  EXPECT_GT(Uniform(512).plan(Fresh().get(), with_profile(false)).report().predicted_seconds, 0);
  if (world_rank() == 0) {
    EXPECT_THROW((void)internal::Profile::read(path), internal::Error);
  }
}

TEST_F(Calibrated, PlansAreRight) {
  write_prices(50, 1);
  Comparison comparison = Comparison::of(varied);
  Request plan = comparison.plan(with_profile(false));
  comparison.expect_restarts(plan);
}

// Each rank is a node of its own.
TEST_F(Calibrated, LongMessagesBetweenNodesAreHalvedWhereThatCostsLess) {
  const auto messages_with = [&](double asking, const char *wire) {
    write_prices(1, 1e9, world_ranks(), asking);
    Hints hints = with_profile(false);
    hints.set("rondo_node_size", "1");
    hints.set("rondo_algorithm", "spread_out");
    hints.set("rondo_wire", wire);
    const CountRule ints = [](int source, int) { return source == 0 ? 20'000 : 10; };
    const Fresh comm;
    Comparison comparison(sends(ints), receives(ints), comm.get());
    Request plan = comparison.plan(hints);
    comparison.expect_restarts(plan);
    return plan.report().messages;
  };
  const int others = world_ranks() - 1;
  const int halved = world_rank() == 0 ? 2 * others : others;

  EXPECT_EQ(messages_with(50, "auto"), halved);
  EXPECT_EQ(messages_with(50, "packed"), halved);
  EXPECT_EQ(messages_with(50, "datatype"), others);
  EXPECT_EQ(messages_with(0.5, "auto"), others);
}

// As `rondo calibrate` asks for it, of no exchange.
TEST_F(Calibrated, WhetherHalvingPaysIsKnownOfTheRanksAlone) {
  write_prices(1, 1e9, world_ranks(), 50);
  Hints given = with_profile(false);
  given.set("rondo_node_size", "1");
  const internal::Hints hints = internal::parse_hints(given.info());
  const Fresh comm;
  const internal::Channel channel = internal::open_channel(comm.get(), nullptr);
  internal::Features features{.situation = {.topology = internal::topology_of(channel, hints)}};

  const bool decide = internal::prepare_prices(channel, hints, internal::all_to_all, features.situation.topology);
  channel.open_messages();
  internal::learn_prices(channel, hints, decide, features);

  EXPECT_TRUE(decide);
  EXPECT_TRUE(features.halves_messages);
}

TEST_F(Calibrated, WhatIsMeasuredGoesBesideThem) {
  write_prices(1, 1);
  Uniform(64).plan(Fresh().get(), with_profile());

  const auto json = nlohmann::json::parse(content());
  EXPECT_EQ(json["prices"].begin()->size(), 2);
  EXPECT_LE(json["measured"].size(), 1);  // none where the machine was too busy to time two candidates
}

TEST_F(Calibrated, APriceOfAlmostNothingStaysAPrice) {
  write_prices(1e-12, 1e-9);
  Uniform(64).plan(Fresh().get(), with_profile());

  const auto one = nlohmann::json::parse(content())["prices"].begin()->front();
  EXPECT_GT(one["nanoseconds"]["message"], 0);
  EXPECT_GT(one["native_microseconds"]["8"], 0);
  Uniform(64).plan(Fresh().get(), with_profile(false));
}

TEST_F(Calibrated, AnotherMachinesPricesAreLeftAlone) {
  write_prices(50, 1);
  auto json = nlohmann::json::parse(content());
  json["prices"] = {{"another machine", *json["prices"].begin()}};
  write(json.dump());

  EXPECT_STRNE(Uniform(512).plan(Fresh().get(), with_profile(false)).report().algorithm, "native");
}

// ---- Why -----------------------------------------------------------------------------------------------------

TEST(Explained, TheEstimatesStandBeforeThePlan) {
  testing::internal::CaptureStderr();
  Uniform(64).plan(MPI_COMM_WORLD, {{"rondo_report", "explain"}});
  const std::string text = testing::internal::GetCapturedStderr();

  if (world_rank() > 0) {
    EXPECT_EQ(text, "");
    return;
  }
  const auto estimates = text.find("[rondo] estimates of ");
  const auto plan = text.find("[rondo] plan ");
  ASSERT_NE(estimates, std::string::npos) << text;
  EXPECT_LT(estimates, plan) << text;
  EXPECT_NE(text.find("spread_out", estimates), std::string::npos) << text;
}

TEST(Explained, WhereTheMeasuredOnesStood) {
  testing::internal::CaptureStderr();
  Uniform(48).plan(Fresh().get(), measured({{"rondo_report", "1"}}));
  const std::string text = testing::internal::GetCapturedStderr();

  EXPECT_EQ(text.find("[rondo] measured in ") != std::string::npos, world_rank() == 0 && world_ranks() > 1) << text;
}

// ---- Hints -------------------------------------------------------------------------------------------------

TEST(TuningHints, OtherValuesAreRefused) {
  for (const auto &[key, value] :
       std::vector<std::pair<const char *, const char *>>{{"rondo_tune", "guess"}, {"rondo_tune_budget", "-1"}}) {
    RONDO_Request request = RONDO_REQUEST_NULL;
    Comparison comparison = Comparison::of(three);
    const Refusal refusal = refused(comparison.init(&request, {{key, value}}));
    EXPECT_EQ(refusal.code, RONDO_ERR_HINT);
    EXPECT_NE(refusal.message.find(key), std::string::npos) << refusal.message;
  }
}

}  // namespace
}  // namespace rondo
