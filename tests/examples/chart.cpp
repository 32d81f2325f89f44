// SPDX-License-Identifier: BSD-3-Clause
#include "chart.hpp"

#include <gtest/gtest.h>

namespace {

const cg::Cost kEveryTime{"MPI_Alltoallv", 0, 0, 2e-6};
const cg::Cost kPersistent{"MPI_Alltoallv_init", 20e-6, 0, 1.5e-6};

std::string script(const cg::Cost &rondo, int exchanges_made, const std::string &path = "chart.svg") {
  return cg::gnuplot_script({"title", "subtitle", {kEveryTime, kPersistent, rondo}, exchanges_made}, path);
}

bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(Chart, MarksWhereInitIsPaidFor) {
  const auto text = script({"Rondo", 101e-6, 0, 1e-6}, 1000);

  EXPECT_TRUE(has(text, "'paid for after 101 against MPI_Alltoallv'"));
  EXPECT_TRUE(has(text, "'paid for after 162 against MPI_Alltoallv_init'"));
}

TEST(Chart, SaysWhereInitIsNotPaidFor) {
  const auto text = script({"Rondo", 100e-6, 0, 1.8e-6}, 1000);

  EXPECT_TRUE(has(text, "against MPI_Alltoallv'"));
  EXPECT_TRUE(has(text, "'init not paid for against MPI_Alltoallv_init'"));
}

TEST(Chart, ShowsBothSidesOfTheCrossing) {
  EXPECT_TRUE(has(script({"Rondo", 101e-6, 0, 1e-6}, 10), "set xrange [0:324]"));
  EXPECT_TRUE(has(script({"Rondo", 101e-6, 0, 1e-6}, 500), "set xrange [0:500]"));
  EXPECT_TRUE(has(script({"Rondo", 101e-6, 0, 1e-6}, 100000), "set xrange [0:972]"));
}

TEST(Chart, MarksTheEndOfTheSolveWhenItIsInSight) {
  EXPECT_TRUE(has(script({"Rondo", 101e-6, 0, 1e-6}, 10), "'this solve: 10 exchanges'"));
  EXPECT_FALSE(has(script({"Rondo", 101e-6, 0, 1e-6}, 100000), "this solve"));
}

// In double quotes gnuplot would run what stands between backquotes.
TEST(Chart, QuotesFileNames) {
  EXPECT_TRUE(has(script({"Rondo", 0, 0, 1e-6}, 10, "it's `x`\n.svg"), "set output 'it''s `x`?.svg'\n"));
}

}  // namespace
