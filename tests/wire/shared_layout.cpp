// Where messages lie in a rank's shared area: nothing overlaps, and no two messages have a cache line in common. Here
// there is no shared memory.

#include "wire/shared_layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string>
#include <tuple>

#include "exchanges.hpp"
#include "schedule/lower.hpp"
#include "schedule/run.hpp"
#include "tests/schedule/world.hpp"
#include "wire/page.hpp"

namespace rondo::internal::test {
namespace {

// Bytes of a bank, and which of its messages has them; -1 for scratch.
struct Claim {
  Extent bytes;
  int message;
};

std::string to_string(const Claim &claim) {
  return "message " + std::to_string(claim.message) + " at " + std::to_string(claim.bytes.offset);
}

// What a rank's only message to another has.
std::int64_t sent_to(const SharedTable &table, std::int64_t peer) {
  const auto send =
      std::find_if(table.sends.begin(), table.sends.end(), [&](const SharedEnd &end) { return end.peer == peer; });
  return send == table.sends.end() ? 0 : send->bytes;
}

std::vector<Claim> claims_of(const SharedLayout &layout, std::int64_t scratch_bytes) {
  constexpr auto flag = static_cast<std::int64_t>(sizeof(Flag));
  const SharedTable &table = layout.table();
  std::vector<Claim> claims;
  int message = 0;
  const auto claim_flags = [&](const SharedEnd &end, int flags) {
    for (int i = 0; i < flags; ++i) claims.push_back({{end.flag + i * cache_line, flag}, message});
  };
  for (int step = 0; step < layout.arrival_counters(); ++step, ++message) {
    claims.push_back({{step * static_cast<std::int64_t>(sizeof(ArrivalCounter)), sizeof(ArrivalCounter)}, message});
  }
  for (const SharedEnd &end : table.receives) {
    claim_flags(end, layout.flags_of_receive(end.bytes));
    for (const Piece &piece : table.pieces_of(end)) {
      if (piece.base == Base::bank) claims.push_back({{piece.offset, piece.length}, message});
    }
    if (end.is_tray != 0) claims.back().bytes.length += std::max<std::int64_t>(0, sent_to(table, end.peer) - end.bytes);
    ++message;
  }
  for (const SharedEnd &end : table.sends) {
    claim_flags(end, layout.flags_of_send(end.bytes));
    ++message;
  }
  if (scratch_bytes > 0) claims.push_back({{layout.offsets().scratch, scratch_bytes}, -1});
  std::sort(claims.begin(), claims.end(),
            [](const Claim &a, const Claim &b) { return a.bytes.offset < b.bytes.offset; });
  return claims;
}

// The first fault of what is claimed, in order of place.
std::string fault_of_claims(const std::vector<Claim> &claims, std::int64_t bank_bytes) {
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (claims[i].bytes.offset < 0 || claims[i].bytes.end() > bank_bytes) return to_string(claims[i]) + " is outside";
    if (i == 0) continue;
    const Claim &before = claims[i - 1];
    if (claims[i].bytes.offset < before.bytes.end()) return to_string(claims[i]) + " overlaps " + to_string(before);
    const bool same_line = claims[i].bytes.offset / cache_line == (before.bytes.end() - 1) / cache_line;
    if (same_line && claims[i].message != before.message) {
      return to_string(claims[i]) + " is on the cache line of " + to_string(before);
    }
  }
  return {};
}

struct Case {
  const char *algorithm;
  int ranks;
  std::int64_t most;
  bool pulls;
  std::int64_t most_in_inbox = INT64_MAX;
};

class SharedLayouts : public testing::TestWithParam<Case> {
 protected:
  // Of all ranks of one node, and their schedules.
  void SetUp() override {
    const Algorithm &algorithm = *find_algorithm(GetParam().algorithm);
    exchanges = uneven_exchanges(GetParam().ranks, GetParam().most, false);
    const Topology topology{GetParam().ranks, {}};
    schedules =
        plan_all(algorithm, effective(algorithm, {}, GetParam().ranks), topology, exchanges, Wire::shared).schedules;
    SharedGroup group{.members = std::vector<int>(exchanges.size()),
                      .pull_mapped = GetParam().pulls,
                      .most_in_inbox = GetParam().most_in_inbox};
    std::iota(group.members.begin(), group.members.end(), 0);
    for (const Schedule &schedule : schedules) {
      const auto rank = static_cast<std::size_t>(schedule.rank);
      PlanBuffers own;
      if (GetParam().pulls) own = {Extent{0, exchanges[rank].send.back().end()}, std::nullopt};
      layouts.emplace_back(schedule, group, own);
    }
  }

  std::vector<Exchange> exchanges;
  std::vector<Schedule> schedules;
  std::vector<SharedLayout> layouts;
};

TEST_P(SharedLayouts, KeepMessagesApart) {
  for (const SharedLayout &layout : layouts) {
    const auto rank = static_cast<std::size_t>(&layout - layouts.data());

    const std::string fault = fault_of_claims(claims_of(layout, schedules[rank].scratch_bytes), layout.bank_bytes());

    EXPECT_EQ(fault, "") << "rank " << rank;
  }
}

TEST_P(SharedLayouts, HaveRoomForTheBanksAndTheBuffers) {
  for (const SharedLayout &layout : layouts) {
    const AreaOffsets &offsets = layout.offsets();

    const std::int64_t banks_end = offsets.bank(layout.banks());

    EXPECT_GE(offsets.bank(0), static_cast<std::int64_t>(sizeof(AreaHead)) + layout.table().bytes());
    EXPECT_EQ(offsets.bank(1), offsets.bank(0) + layout.bank_bytes());
    EXPECT_LE(banks_end, layout.area_bytes());
    EXPECT_EQ(layout.area_bytes() % page, 0);
    if (!layout.buffers().send) continue;
    EXPECT_GE(offsets.send_buffer + layout.buffers().send->offset, banks_end);
    EXPECT_LE(offsets.send_buffer + layout.buffers().send->end(), layout.area_bytes());
  }
}

TEST_P(SharedLayouts, GiveEveryByteOfAMessageAPlace) {
  for (const SharedLayout &layout : layouts) {
    const SharedTable &table = layout.table();
    const auto placed = [&](const SharedEnd &end) {
      const auto pieces = table.pieces_of(end);
      return std::accumulate(pieces.begin(), pieces.end(), std::int64_t{0},
                             [](std::int64_t sum, const Piece &piece) { return sum + piece.length; });
    };

    for (const SharedEnd &end : table.receives) {
      const auto ring = layout.ring(end.bytes);
      EXPECT_EQ(placed(end), layout.pulled(end.bytes) ? 0 : ring ? ring->slots * ring->cut : end.bytes);
    }
    const Schedule &schedule = schedules[static_cast<std::size_t>(&layout - layouts.data())];
    ASSERT_EQ(table.sends.size(), schedule.sends.size());  // all are shared
    for (std::size_t i = 0; i < table.sends.size(); ++i) {
      const SharedEnd &end = table.sends[i];
      const bool taken = layout.pulled(end.bytes) || layout.taken_at_rest(schedule.sends[i]);
      EXPECT_EQ(placed(end), taken ? end.bytes : 0);
    }
  }
}

// The memory of a plan of one hop on a node of 64 ranks, however long the blocks are, and however they travel.
class FullNode : public testing::TestWithParam<std::int64_t> {};
INSTANTIATE_TEST_SUITE_P(Blocks, FullNode, testing::Values(8, 4096, 65536, 1 << 20, std::int64_t{1} << 32));

TEST_P(FullNode, NeedsLittleMemory) {
  constexpr int ranks = 64;
  constexpr std::int64_t most = 32 << 20;
  const Exchange exchange = dense_exchange(0, ranks, constant(GetParam()));
  const Algorithm &algorithm = *find_algorithm("spread_out");
  const Route route = algorithm.route(0, {ranks, {}}, effective(algorithm, {}, ranks));
  std::vector<char> shares(ranks, 1);
  shares[0] = 0;
  const Schedule schedule = lower(algorithm.layout, {route, forwarding_table_of(route), known_sizes(route, exchange),
                                                     exchange, GetParam(), shares, Wire::packed});
  const bool exceeds = GetParam() * (ranks - 1) > most_in_inboxes(ranks);

  for (const bool pulls : {false, true}) {
    SharedGroup group{.members = std::vector<int>(ranks), .pull_attached = exceeds && pulls};
    std::iota(group.members.begin(), group.members.end(), 0);
    if (exceeds) group.least_pulled = most_in_inbox(ranks);
    if (exceeds && !pulls) group.most_in_inbox = most_in_inbox(ranks);
    const SharedLayout layout(schedule, group, {});

    EXPECT_LE(layout.area_bytes() * ranks / 4 * 5, most) << (pulls ? "pulled" : "through rings");
    EXPECT_EQ(layout.reads_others(), exceeds && pulls);
  }
}

TEST(Banks, AreTwoWhereRanksWaitForEachOtherInEachStart) {
  EXPECT_EQ(banks_for(false, 4, 8, 8), 2);
  EXPECT_EQ(banks_for(true, 1, 8, 8), 2);
}

TEST(Banks, AreManyWhereRanksOnlySendOrOnlyReceiveAndTakeTurns) {
  EXPECT_EQ(banks_for(true, 4, 8, 8), 32);
  EXPECT_EQ(banks_for(true, 4, 0, 8), 32);
}

TEST(Banks, AreFewerTheMoreTheyHold) {
  EXPECT_EQ(banks_for(true, 4, 64 << 10, 8), 4);
  EXPECT_EQ(banks_for(true, 4, 1 << 20, 8), 2);
  for (const int ranks : {2, 16, 64, 128, 1024}) {
    EXPECT_LE(banks_for(true, 4, 4096, ranks) * 4096, std::max<std::int64_t>(2 * 4096, 2 * most_in_inboxes(ranks)));
  }
}

// Of two ranks that send each other a block, of so many bytes each: the first rank's.
SharedLayout layout_of(std::int64_t sent, std::int64_t received, SharedGroup group = {.members = {0, 1}}) {
  const std::vector<Exchange> exchanges{{.rank = 0, .send = {{}, {0, sent}}, .receive = {{}, {0, received}}},
                                        {.rank = 1, .send = {{0, received}, {}}, .receive = {{0, sent}, {}}}};
  const Planned planned = plan_all(*find_algorithm("spread_out"), {}, {2, {}}, exchanges, Wire::shared);
  return {planned.schedules[0], std::move(group), {}};
}
std::int64_t bank_bytes_of(std::int64_t block) {
  return layout_of(block, block).bank_bytes();
}
bool has_tray(const SharedLayout &layout) {
  return layout.table().receives.front().is_tray != 0;
}

TEST(Trays, AreInboxesThatMessagesBothWaysFitIn) {
  EXPECT_TRUE(has_tray(layout_of(1000, 300)));
  EXPECT_TRUE(has_tray(layout_of(300, 1000)));
  EXPECT_EQ(layout_of(1000, 300).bank_bytes(), layout_of(300, 1000).bank_bytes());
  EXPECT_TRUE(has_tray(layout_of(200'000, 100'000))) << "in cuts";
}

TEST(Trays, AreNotForWhatIsShortOrGoesInOtherWays) {
  EXPECT_FALSE(has_tray(layout_of(1000, 8)));
  EXPECT_FALSE(has_tray(layout_of(8, 1000)));
  EXPECT_FALSE(has_tray(layout_of(0, 1000)));
  EXPECT_FALSE(has_tray(layout_of(70'000, 1000, {.members = {0, 1}, .pull_mapped = true})));
  EXPECT_FALSE(has_tray(layout_of(1000, 20'000, {.members = {0, 1}, .most_in_inbox = 4096})));
  EXPECT_FALSE(has_tray(layout_of(1000, 1000, {.members = {0, 1}, .banks = 5})));
}

// An inbox that is as long as what is sent could be much longer than what is received.
TEST(Trays, TakeNoMoreMemoryThanInboxesMayHave) {
  const std::int64_t most = most_in_inboxes(2);
  EXPECT_TRUE(has_tray(layout_of(most, 1000)));
  EXPECT_FALSE(has_tray(layout_of(most + 1, 1000)));
  EXPECT_LT(layout_of(most + 1, 1000).bank_bytes(), 8192);
}

// The first of three ranks: a tray with the second, and an inbox for what the third sends.
TEST(Trays, CountWithOtherInboxes) {
  const auto has_tray_beside = [](std::int64_t tray, std::int64_t inbox) {
    const std::vector<Exchange> exchanges{
        {.rank = 0, .send = {{}, {0, tray}, {}}, .receive = {{}, {0, 1000}, {1000, inbox}}},
        {.rank = 1, .send = {{0, 1000}, {}, {}}, .receive = {{0, tray}, {}, {}}},
        {.rank = 2, .send = {{0, inbox}, {}, {}}, .receive = {{}, {}, {}}}};
    const Planned planned = plan_all(*find_algorithm("spread_out"), {}, {3, {}}, exchanges, Wire::shared);
    const SharedLayout layout(planned.schedules[0], {.members = {0, 1, 2}}, {});
    const auto &receives = layout.table().receives;
    return std::any_of(receives.begin(), receives.end(), [](const SharedEnd &end) { return end.is_tray != 0; });
  };
  const std::int64_t most = most_in_inboxes(3);
  EXPECT_TRUE(has_tray_beside(most / 2, most / 2));
  EXPECT_FALSE(has_tray_beside(most / 2 + 1, most / 2));
}

// A flag in a line of its own, a block, and then lines that nobody uses, or a whole page: what fetches ahead of a copy
// does not come to where the next bank begins.
TEST(Banks, ThatAreCopiedFromLineByLineLieApart) {
  if (cache_line != 64) GTEST_SKIP() << "the figures are for cache lines of 64 bytes";
  EXPECT_EQ(bank_bytes_of(8), 64);
  EXPECT_EQ(bank_bytes_of(128), 64 + 128);
  EXPECT_EQ(bank_bytes_of(512), 64 + 512 + 256);
  EXPECT_EQ(bank_bytes_of(1024), 64 + 1024 + 256);
  EXPECT_EQ(bank_bytes_of(3000), 4096);
}

// What two ranks send each other lies in a buffer of the plan, in rows, of which the first rank's block has every other
// one from `first` on, and its block to itself some from `own` on.
SharedLayout layout_of_rows(std::int64_t first, std::int64_t own) {
  constexpr std::int64_t bytes = 100'000;
  constexpr std::int64_t row = 25'000;
  SideType rows{MPI_BYTE};
  rows.shape = {.size = bytes, .extent = 8 * row, .true_extent = 7 * row};
  rows.runs = std::make_shared<const std::vector<Extent>>(
      std::vector<Extent>{{0, row}, {2 * row, row}, {4 * row, row}, {6 * row, row}});
  Side side;
  side.ranks = 2;
  side.plan_allocates = true;
  side.unit = Side::Unit::bytes;
  side.types = {rows};
  side.parts = {{.peer = 0, .count = 1, .displacement = own, .type = 0},
                {.peer = 1, .count = 1, .displacement = first, .type = 0}};
  const std::vector<Extent> packed = extents_packed(side);
  const std::vector<Exchange> exchanges{{.rank = 0, .send = packed, .receive = packed},
                                        {.rank = 1, .send = packed, .receive = packed}};
  const Planned planned = plan_all(*find_algorithm("spread_out"), {}, {2, {}}, exchanges, Wire::shared);
  const RunSpace sent(side);
  return {planned.schedules[0], {.members = {0, 1}, .pull_mapped = true}, {reach(side), std::nullopt}, &sent};
}

TEST(RowsInABufferOfThePlan, AreThePiecesThatTheReceiverTakes) {
  const SharedLayout layout = layout_of_rows(25'000, 0);

  const auto pieces = layout.table().pieces_of(layout.table().sends.front());

  ASSERT_EQ(pieces.size(), 4U);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    EXPECT_EQ(pieces[i].base, Base::send_buffer);
    EXPECT_EQ(pieces[i].offset, 25'000 + static_cast<std::int64_t>(i) * 50'000);
    EXPECT_EQ(pieces[i].length, 25'000);
  }
  EXPECT_EQ(layout.buffers().send->length, 200'000);
  EXPECT_FALSE(layout.others_read(Base::process_send));
}

TEST(RowsInABufferOfThePlan, AreReadTwiceWhereBlocksShareThem) {
  EXPECT_TRUE(layout_of_rows(25'000, 0).reads_once());
  EXPECT_TRUE(layout_of_rows(0, 25'000).reads_once());
  EXPECT_FALSE(layout_of_rows(50'000, 0).reads_once());
  EXPECT_FALSE(layout_of_rows(0, 0).reads_once());
  EXPECT_FALSE(layout_of_rows(150'001, 0).reads_once());
}

// The four ranks and the figures of docs/design.md, "One message through shared memory".
struct TheMessageOfTheDesignPage : testing::Test {
  static SharedLayout layout_of_rank(int rank, std::int64_t scale, bool pulled) {
    constexpr std::int64_t sizes[4][4] = {{3, 9, 0, 5}, {3, 9, 6, 8}, {9, 2, 3, 7}, {2, 8, 7, 2}};
    std::vector<Exchange> exchanges(4);
    for (int self = 0; self < 4; ++self) {
      Exchange &exchange = exchanges[static_cast<std::size_t>(self)];
      exchange.rank = self;
      std::int64_t sent = 0;
      std::int64_t received = 0;
      for (int peer = 0; peer < 4; ++peer) {
        exchange.send.push_back({sent, sizes[self][peer] * scale});
        exchange.receive.push_back({received, sizes[peer][self] * scale});
        sent = exchange.send.back().end();
        received = exchange.receive.back().end();
      }
    }
    const Algorithm &tuna = *find_algorithm("tuna");
    const Planned planned = plan_all(tuna, {.radix = 2}, {4, {}}, exchanges, Wire::shared);
    const Exchange &own = exchanges[static_cast<std::size_t>(rank)];
    PlanBuffers buffers;
    if (pulled) buffers = {Extent{0, own.send.back().end()}, Extent{0, own.receive.back().end()}};
    return {
        planned.schedules[static_cast<std::size_t>(rank)], {.members = {0, 1, 2, 3}, .pull_mapped = pulled}, buffers};
  }
};

TEST_F(TheMessageOfTheDesignPage, LiesWhereThePageSaysWhenItIsPushed) {
  if (cache_line != 64) GTEST_SKIP() << "the page's figures are for cache lines of 64 bytes";
  const SharedLayout layout = layout_of_rank(0, 1, false);

  const SharedEnd &end = layout.table().receives.front();
  const auto pieces = layout.table().pieces_of(end);

  EXPECT_EQ(std::tuple(end.step, end.peer, end.bytes, end.flag), std::tuple(0, 1, 9, 128));
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(std::tuple(pieces[0].base, pieces[0].offset, pieces[0].length), std::tuple(Base::bank, 136, 3));
  EXPECT_EQ(std::tuple(pieces[1].base, pieces[1].offset, pieces[1].length), std::tuple(Base::scratch, 0, 6));
  EXPECT_EQ(std::tuple(layout.offsets().bank(0), layout.offsets().bank(1), layout.offsets().scratch),
            std::tuple(576, 896, 256));
  EXPECT_EQ(std::tuple(layout.bank_bytes(), layout.area_bytes()), std::tuple(320, 4096));
}

TEST_F(TheMessageOfTheDesignPage, HasAFlagAtEachEndAndNoInboxWhenItIsPulled) {
  if (cache_line != 64) GTEST_SKIP() << "the page's figures are for cache lines of 64 bytes";
  const SharedLayout receiver = layout_of_rank(0, 10'000, true);
  const SharedLayout sender = layout_of_rank(1, 10'000, true);

  const SharedEnd &received = receiver.table().receives.front();
  const SharedEnd &sent = sender.table().sends.front();

  EXPECT_EQ(std::tuple(received.peer, received.flag, received.pieces), std::tuple(1, 128, 0));
  EXPECT_EQ(std::tuple(sent.peer, sent.flag, sent.pieces), std::tuple(0, 192, 2));
}

INSTANTIATE_TEST_SUITE_P(Wires, SharedLayouts,
                         testing::Values(Case{"spread_out", 2, 8, false}, Case{"spread_out", 2, 200'001, false},
                                         Case{"spread_out", 4, 300, false}, Case{"spread_out", 4, 3000, false},
                                         Case{"pairwise", 3, 100, false}, Case{"tuna", 4, 90'000, false},
                                         Case{"tuna", 4, 90'000, true}, Case{"spread_out", 4, 200'001, false, 5000},
                                         Case{"tuna", 4, 90'000, false, 1}, Case{"tuna", 5, 60, false},
                                         Case{"sloav", 3, 500, false}, Case{"two_phase_bruck", 4, 60, false}),
                         [](const auto &chosen) {
                           return std::string(chosen.param.algorithm) + "_" + std::to_string(chosen.param.ranks) + "_" +
                                  std::to_string(chosen.param.most) + (chosen.param.pulls ? "_pulled" : "") +
                                  (chosen.param.most_in_inbox < INT64_MAX ? "_rings" : "");
                         });

}  // namespace
}  // namespace rondo::internal::test
