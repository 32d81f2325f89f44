#include "pmpi/report/report.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <vector>

namespace rondo::internal::pmpi {
namespace {

using Ranks = std::vector<std::vector<ReportRow>>;

ReportRow row(Call call, const char *site, Counted by_rondo) {
  ReportRow made;
  made.call = call;
  std::strncpy(made.site, site, sizeof(made.site) - 1);
  made.communicators = 1;
  made.sum.done.front() = by_rondo;
  return made;
}

Counted &of(ReportRow &row, Done done) {
  return row.sum.done[index_of(done)];
}

TEST(ReportRows, OfSeveralRanksHaveTheCallsAndTimesOfTheSlowestAndAllBytes) {
  ReportRow one = row(Call::alltoallv, "program+0x10", {10, 0.5});
  ReportRow other = row(Call::alltoallv, "program+0x10", {12, 0.25});
  one.sum.bytes = 100;
  other.sum.bytes = 11;
  of(other, Done::too_early) = {2, 0.125};

  for (const auto &ranks : {Ranks{{one}, {other}}, Ranks{{other}, {one}}}) {
    const std::vector<ReportRow> rows = report_of(ranks).rows;

    ASSERT_EQ(rows.size(), 1U);
    EXPECT_EQ(rows[0].sum.done.front().calls, 10);
    EXPECT_EQ(rows[0].sum.done.front().seconds, 0.5);
    EXPECT_EQ(rows[0].sum.bytes, 111);
    EXPECT_EQ(rows[0].sum.left().calls, 0);
    EXPECT_EQ(rows[0].sum.seconds(), 0.5);
  }
}

TEST(ReportInAll, IsNotOfARankThatIsSlowAlone) {
  ReportRow alone = row(Call::alltoall, "a", {0, 0});
  of(alone, Done::not_served) = {6, 4};
  ReportRow together = row(Call::alltoall, "a", {1000, 0.5});

  const Report report = report_of({{together}, {alone}});

  EXPECT_EQ(report.in_all.done.front().calls, 1000);
  EXPECT_EQ(report.rows[0].sum.done.front().calls, 1000);
}

TEST(ReportInAll, IsOfTheSlowestWhereAllAreAlone) {
  ReportRow one = row(Call::alltoall, "a", {0, 0});
  of(one, Done::not_served) = {6, 4};
  ReportRow other = row(Call::alltoall, "a", {0, 0});
  of(other, Done::not_served) = {7, 5};

  EXPECT_EQ(report_of({{one}, {other}}).in_all.left().calls, 7);
}

// Each rank waits in one of two places for the other: the rows' times are then longer together than those of any rank.
TEST(ReportInAll, IsOfTheRankThatIsSlowestInAll) {
  const ReportRow early = row(Call::alltoallv, "a", {1, 0.5});
  const ReportRow late = row(Call::alltoallv, "a", {1, 0.25});
  ReportRow set_up = row(Call::alltoall, "b", {1, 0.125});
  set_up.sum.set_up = {1, 0.25};

  const Report report = report_of({{early}, {late, set_up}});

  EXPECT_EQ(report.ranks, 2);
  EXPECT_EQ(report.in_all.seconds(), 0.625);
  EXPECT_EQ(report.in_all.done.front().calls, 2);
  EXPECT_EQ(report.in_all.set_up.calls, 1);
  EXPECT_EQ(report.rows[0].sum.seconds() + report.rows[1].sum.seconds(), 0.875);
}

TEST(ReportRows, OfOtherPlacesAndKindsStandApartTheSlowestFirst) {
  const std::vector<ReportRow> rows =
      report_of({{row(Call::alltoallv, "a", {1, 0.1}), row(Call::alltoall, "a", {1, 0.3})},
                 {row(Call::alltoallv, "b", {9, 0.2})}})
          .rows;

  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0].call, Call::alltoall);
  EXPECT_STREQ(rows[1].site, "b");
  EXPECT_STREQ(rows[2].site, "a");
}

TEST(ReportRows, OfOneRankJoinCommunicators) {
  const int here = 0;
  for (const double seconds : {0.5, 0.25}) {
    Tally *const tally = Tallies::make()->of(Call::alltoallw, &here);
    tally->done.front() = {1, seconds};
    tally->set_up = {1, 2};
  }

  const std::vector<ReportRow> rows = rows_of_rank();

  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].communicators, 2);
  EXPECT_EQ(rows[0].sum.done.front().calls, 2);
  EXPECT_EQ(rows[0].sum.done.front().seconds, 0.75);
  EXPECT_EQ(rows[0].sum.set_up.seconds, 4);
}

TEST(ReportRows, SaveWhatTheSamplesTellTimesTheCalls) {
  ReportRow one = row(Call::alltoallv, "a", {100, 2});
  EXPECT_FALSE(one.sum.saved());

  of(one, Done::sample) = {4, 0.25};
  of(one, Done::too_early) = {2, 1000};  // cold, and not what a later call takes

  EXPECT_EQ(one.sum.saved(), 100 * 0.25 / 4 - 2);
}

TEST(ReportTable, SaysWhyCallsHaveBeenLeft) {
  ReportRow one = row(Call::ialltoallv, "libsolver.so+0x9a", {0, 0});
  of(one, Done::must_not_wait) = {7, 0.5};

  const std::string text = table_of(report_of({{one}}), {.table = true});

  EXPECT_NE(text.find("ialltoallv          libsolver.so+0x9a"), std::string::npos) << text;
  EXPECT_NE(text.find("does not wait"), std::string::npos) << text;
  EXPECT_NE(text.find("0.500000 s in 7 calls of the MPI library's"), std::string::npos) << text;
}

TEST(ReportTable, HasAColumnOfWaitsWhereTheyAreAskedFor) {
  ReportRow one = row(Call::alltoallv, "a", {10, 2});
  one.sum.waits = {10, 0.25};

  EXPECT_EQ(table_of(report_of({{one}}), {.table = true}).find("waited"), std::string::npos);
  const std::string text = table_of(report_of({{one}}), {.table = true, .waits = true});

  EXPECT_NE(text.find("|  waited, s\n"), std::string::npos) << text;
  EXPECT_NE(text.find("|   0.250000\n"), std::string::npos) << text;
}

TEST(ReportRows, OfSeveralRanksHaveTheLongestWaits) {
  ReportRow one = row(Call::alltoallv, "a", {10, 2});
  ReportRow other = one;
  one.sum.waits = {10, 0.25};
  other.sum.waits = {10, 0.5};

  const std::vector<ReportRow> rows = report_of({{one}, {other}}).rows;

  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].sum.waits.seconds, 0.5);
  EXPECT_EQ(rows[0].sum.seconds(), 2);  // the waits come before the calls
}

TEST(ReportJson, HasWhatTheTableHas) {
  ReportRow one = row(Call::alltoall, "a", {100, 2});
  of(one, Done::sample) = {4, 0.25};
  one.sum.waits = {104, 0.75};

  const auto json = nlohmann::json::parse(json_of(report_of({{one}, {}, {}})));

  EXPECT_EQ(json["ranks"], 3);
  EXPECT_EQ(json["calls"][0]["call"], "alltoall");
  EXPECT_EQ(json["calls"][0]["by_rondo"]["calls"], 100);
  EXPECT_EQ(json["calls"][0]["left_to_mpi"]["sample"]["seconds"], 0.25);
  EXPECT_EQ(json["calls"][0]["saved_seconds"], 4.25);
  EXPECT_EQ(json["calls"][0]["waited_seconds"], 0.75);
  EXPECT_EQ(json["in_all"]["by_rondo"]["seconds"], 2);
  EXPECT_EQ(json["in_all"]["left_to_mpi"]["sample"]["calls"], 4);
}

}  // namespace
}  // namespace rondo::internal::pmpi
