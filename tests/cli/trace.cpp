#include "cli/trace.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "all_sizes.hpp"
#include "cli/usage_error.hpp"
#include "temporary_folder.hpp"

namespace rondo::internal::cli {
namespace {

// A file that is there as long as the test runs.
class TraceFile {
 public:
  explicit TraceFile(const std::string &text) { std::ofstream(path()) << text; }

  [[nodiscard]] std::string path() const { return folder_.file("trace"); }

 private:
  TemporaryFolder folder_;
};

std::string fault_of(const std::string &text) {
  const TraceFile file(text);
  try {
    read_trace(file.path());
  } catch (const UsageError &error) {
    return error.what();
  }
  return "none";
}

TEST(Trace, SizesAreThoseOfTheFile) {
  const TraceFile file("# bytes that rank 0, 1, 2 sends\n0 100 7\n\n300, 0,\t0  # to itself nothing\r\n1 2 3");
  const Problem problem = parse_problem("alltoallv dist=trace:" + file.path());

  EXPECT_EQ(problem.ranks, 3);
  EXPECT_EQ(problem.largest, 300);
  EXPECT_EQ(all_sizes(problem), (std::vector<std::int64_t>{0, 100, 7, 300, 0, 0, 1, 2, 3}));
  EXPECT_EQ(case_of(problem).largest_block, 300);
  EXPECT_EQ(case_of(problem).smallest_block, 0);
  EXPECT_EQ(parse_problem(to_string(problem)), problem);
}

TEST(Trace, SizesAreInProportionToTheLargestThatIsSaid) {
  const TraceFile file("10 20\n40 20\n");
  const std::string problem = "alltoallv dist=trace:" + file.path();

  EXPECT_EQ(all_sizes(parse_problem(problem + " max=4")), (std::vector<std::int64_t>{1, 2, 4, 2}));
  EXPECT_EQ(all_sizes(parse_problem(problem + " max=400")), (std::vector<std::int64_t>{100, 200, 400, 200}));
}

TEST(Trace, NothingIsSentWhereTheFileHasNothing) {
  const TraceFile file("0 0\n0 0\n");

  EXPECT_EQ(all_sizes(parse_problem("alltoallv max=9 dist=trace:" + file.path())), std::vector<std::int64_t>(4, 0));
}

TEST(Trace, WhatIsWrongIsSaidWithItsLine) {
  EXPECT_NE(fault_of("1 2\n3 x\n").find("line 2: 'x' is not a number of bytes"), std::string::npos);
  EXPECT_NE(fault_of("1 2\n3 -4\n").find("line 2: '-4' is not a number of bytes"), std::string::npos);
  EXPECT_NE(fault_of("1 2\n3\n").find("line 2: 1 numbers, and 2 in the first line"), std::string::npos);
  EXPECT_NE(fault_of("1 2\n").find("1 lines of 2 numbers"), std::string::npos);
  EXPECT_NE(fault_of("1 2\n3 4\n5 6\n").find("more lines of 2 numbers"), std::string::npos);
  EXPECT_NE(fault_of("# nothing\n").find("0 lines"), std::string::npos);
  EXPECT_THROW(read_trace("/"), UsageError);
  EXPECT_THROW(parse_problem("alltoallv p=2 dist=trace:/nowhere/at/all"), ProblemError);
}

TEST(Trace, IsOfItsOwnNumberOfRanks) {
  const TraceFile file("1 2\n3 4\n");
  try {
    parse_problem("alltoallv p=3 dist=trace:" + file.path());
    FAIL() << "three ranks have a trace of two";
  } catch (const ProblemError &error) {
    EXPECT_EQ(error.reason, "trace " + file.path() + " is of 2 ranks, and there are 3");
  }
}

}  // namespace
}  // namespace rondo::internal::cli
