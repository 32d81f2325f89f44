#include "schedule/sizes.hpp"

#include <gtest/gtest.h>

#include "exchange/error.hpp"
#include "schedule/run.hpp"
#include "tests/plans/settings.hpp"
#include "tests/route/journey.hpp"
#include "tests/schedule/world.hpp"

namespace rondo::internal {
namespace {

std::vector<Sizes> learned(const std::vector<Route> &routes, const std::vector<Exchange> &world) {
  std::vector<ForwardingTable> forwarding;
  for (const Route &route : routes) forwarding.push_back(forwarding_table_of(route));
  return learn_all_sizes(routes, forwarding, world);
}

// The true sizes of the blocks of one direction.
std::vector<std::int64_t> true_sizes(const Traffic &traffic) {
  std::vector<std::int64_t> sizes;
  for (const Block &block : traffic.blocks()) sizes.push_back(irregular(block.source, block.part));
  return sizes;
}

Error mismatch_of(const std::vector<Route> &routes, const std::vector<Exchange> &world) {
  try {
    learned(routes, world);
  } catch (const Error &error) {
    return error;
  }
  return {Fault::none, "no error"};
}

TEST(LearnedSizes, AreTheTrueOnes) {
  for (const Algorithm *algorithm : routed_algorithms()) {
    for (const Setting &setting : settings_up_to(*algorithm, 13)) {
      const std::vector<Route> routes = routes_of_all_ranks(*algorithm, setting);
      const std::vector<Sizes> sizes = learned(routes, dense_world(setting.ranks, irregular));
      for (std::size_t rank = 0; rank < routes.size(); ++rank) {
        ASSERT_EQ(sizes[rank].sent, true_sizes(routes[rank].sends)) << algorithm->name << ", " << describe(setting);
        ASSERT_EQ(sizes[rank].received, true_sizes(routes[rank].receives)) << algorithm->name;
      }
    }
  }
}

TEST(LearnedSizes, MismatchNamesThePairAndBothSizes) {
  std::vector<Exchange> world = dense_world(3, constant(8));
  world[2].receive[0].length = 6;

  const Error error = mismatch_of(relay().routes(), world);

  EXPECT_EQ(error.fault, Fault::mismatch);
  EXPECT_EQ(error.message(), "rank 0 sends 8 bytes to rank 2, which receives 6 bytes");
  EXPECT_EQ(error.peer, 0);
  EXPECT_EQ(error.value, 8);
  EXPECT_EQ(error.other, 6);
}

TEST(LearnedSizes, MismatchOfADirectBlockIsFoundToo) {
  std::vector<Exchange> world = dense_world(3, constant(8));
  world[2].send[1].length = 0;

  const Error error = mismatch_of(relay().routes(), world);

  EXPECT_EQ(error.message(), "rank 2 sends 0 bytes to rank 1, which receives 8 bytes");
}

TEST(LearnedSizes, MismatchIsFoundByEveryAlgorithm) {
  std::vector<Exchange> world = dense_world(8, constant(8));
  world[6].receive[1].length = 9;

  for (const Algorithm *algorithm : routed_algorithms()) {
    const std::vector<Route> routes = routes_of_all_ranks(*algorithm, settings(*algorithm, 8).at(0));

    EXPECT_EQ(mismatch_of(routes, world).message(), "rank 1 sends 8 bytes to rank 6, which receives 9 bytes")
        << algorithm->name;
  }
}

TEST(KnownSizes, AreOwnBlocksAndThoseThatEndHere) {
  const Route route = relay().routes()[1];
  const Exchange exchange = dense_exchange(1, 3, [](int source, int destination) { return 10 * source + destination; });

  const Sizes sizes = known_sizes(route, exchange);

  EXPECT_EQ(sizes.sent, (std::vector<std::int64_t>{10, 0, 12}));
  EXPECT_EQ(sizes.received, (std::vector<std::int64_t>{1, 0, 21}));
}

TEST(KnownSizes, AreEnoughForADirectRoute) {
  const Algorithm &spread_out = *find_algorithm("spread_out");
  const Route route = spread_out.route(3, {.ranks = 6, .node_of = {}}, {});

  const Sizes sizes = known_sizes(route, dense_exchange(3, 6, irregular));

  EXPECT_EQ(sizes.sent, true_sizes(route.sends));
  EXPECT_EQ(sizes.received, true_sizes(route.receives));
}

TEST(Announcement, CarriesTheSizesOfOneMessage) {
  const Route route = relay().routes()[1];
  const Message &last = route.sends.messages(1)[0];
  Sizes sizes{.sent = {1, 2, 3}, .received = {0, 0, 0}};
  std::vector<std::int64_t> numbers(last.count);

  announce(last, sizes, numbers);
  take_announced(route.receives.messages(0)[0], numbers, sizes);

  EXPECT_EQ(numbers, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(sizes.received, (std::vector<std::int64_t>{2, 3, 0}));
}

TEST(ForwardSizes, FillsInWhatIsSentOnInThatStep) {
  const Route route = relay().routes()[1];
  Sizes sizes{.sent = {1, 0, 3}, .received = {5, 7, 0}};

  forward_sizes(route, forwarding_table_of(route), 1, sizes);

  EXPECT_EQ(sizes.sent, (std::vector<std::int64_t>{1, 7, 3}));
}

}  // namespace
}  // namespace rondo::internal
