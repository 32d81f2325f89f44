#include "pmpi/settings/settings.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace rondo::internal::pmpi {
namespace {

std::map<std::string, std::string> environment;

Settings read(std::map<std::string, std::string> variables) {
  environment = std::move(variables);
  return read_settings([](const char *name) -> const char * {
    const auto found = environment.find(name);
    return found == environment.end() ? nullptr : found->second.c_str();
  });
}

TEST(Settings, TakeAllCallsWithoutAnyVariable) {
  const Settings settings = read({});

  EXPECT_EQ(settings.fault, "");
  for (std::size_t call = 0; call < calls; ++call) {
    EXPECT_TRUE(settings.takes(static_cast<Call>(call)));
    EXPECT_EQ(settings.takes_by_messages(static_cast<Call>(call)), gains_by_messages(static_cast<Call>(call)));
  }
  EXPECT_TRUE(settings.takes(Call::alltoallv));
  EXPECT_TRUE(settings.takes(Call::persistent));
  EXPECT_FALSE(settings.takes_by_messages(Call::ialltoall));
}

TEST(Settings, TakeAllCallsOver) {
  const Settings settings = read({{"RONDO_INTERCEPT", "all"}});

  for (std::size_t call = 0; call < calls; ++call) EXPECT_TRUE(settings.takes(static_cast<Call>(call)));
}

TEST(Settings, TakeTheCallsThatAreNamed) {
  const Settings settings = read({{"RONDO_INTERCEPT", "alltoallw,persistent"}});

  EXPECT_TRUE(settings.takes(Call::alltoallw));
  EXPECT_TRUE(settings.takes(Call::persistent));
  EXPECT_FALSE(settings.takes(Call::alltoall));
  EXPECT_FALSE(settings.takes(Call::ialltoallw));
}

TEST(Settings, TakeNothingWhenTheyAreOff) {
  EXPECT_FALSE(read({{"RONDO_PMPI", "off"}}).takes(Call::alltoallv));
  EXPECT_FALSE(read({{"RONDO_INTERCEPT", "none"}}).takes(Call::alltoallv));
}

TEST(Settings, NameAWordThatIsNoCall) {
  EXPECT_TRUE(read({{"RONDO_INTERCEPT", "alltoallv,"}}).fault.starts_with("RONDO_INTERCEPT: there is no call ''"));
  EXPECT_TRUE(read({{"RONDO_INTERCEPT", "alltoal"}}).fault.starts_with("RONDO_INTERCEPT: there is no call 'alltoal'"));
}

TEST(Settings, NameAValueThatDoesNotParse) {
  EXPECT_EQ(read({{"RONDO_PMPI", "of"}}).fault, "RONDO_PMPI: 'of' is not 'on' or 'off'");
  EXPECT_EQ(read({{"RONDO_CACHE_AFTER", "0"}}).fault, "RONDO_CACHE_AFTER: '0' is not a whole number of at least 1");
  EXPECT_EQ(read({{"RONDO_CACHE_MEMORY", "1k"}}).fault, "RONDO_CACHE_MEMORY: '1k' is not a whole number of at least 0");
  EXPECT_EQ(read({{"RONDO_INIT_TIMEOUT", "-1"}}).fault, "RONDO_INIT_TIMEOUT: '-1' is not a whole number of at least 0");
}

TEST(Settings, HaveAFingerprintThatTellsThemApart) {
  const std::int64_t plain = read({}).fingerprint();

  EXPECT_EQ(plain, read({{"RONDO_INTERCEPT", "gaining"}}).fingerprint());
  EXPECT_NE(plain, read({{"RONDO_INTERCEPT", "alltoallv"}}).fingerprint());
  EXPECT_NE(plain, read({{"RONDO_CACHE_AFTER", "4"}}).fingerprint());
  EXPECT_NE(plain, read({{"RONDO_CACHE_MEMORY", "4096"}}).fingerprint());
  EXPECT_NE(plain, read({{"RONDO_REPORT", "1"}}).fingerprint());
  EXPECT_NE(read({{"RONDO_REPORT", "1"}}).fingerprint(), read({{"RONDO_REPORT", "saved"}}).fingerprint());
  EXPECT_NE(read({{"RONDO_REPORT", "1"}}).fingerprint(), read({{"RONDO_REPORT", "waits"}}).fingerprint());
}

TEST(Settings, TellWhichReportThereIsToBe) {
  EXPECT_FALSE(read({{"RONDO_REPORT", "off"}}).report.any());
  EXPECT_TRUE(read({{"RONDO_REPORT", "explain"}}).report.table);
  const ReportWish wish = read({{"RONDO_REPORT", "saved,json:there.json"}}).report;
  EXPECT_TRUE(wish.table && wish.samples && !wish.waits);
  EXPECT_EQ(wish.file, "there.json");
  EXPECT_FALSE(read({{"RONDO_REPORT", "json:there.json"}}).report.table);
  const ReportWish waits = read({{"RONDO_REPORT", "waits"}}).report;
  EXPECT_TRUE(waits.table && waits.waits && !waits.samples);
  EXPECT_EQ(read({{"RONDO_REPORT", "json:"}}).fault,
            "RONDO_REPORT: 'json:' is not 'on', 'off', 'explain', 'saved', 'waits' or 'json:FILE'");
}

}  // namespace
}  // namespace rondo::internal::pmpi
