// SPDX-License-Identifier: BSD-3-Clause
#include "shared/matrix_market.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "shared/file_error.hpp"

namespace {

example::CoordinateMatrix read(const std::string &text) {
  std::istringstream stream(text);
  return example::read_matrix_market(stream, "m.mtx");
}

const std::string kGeneral = "%%MatrixMarket matrix coordinate real general\n";
const std::string kPattern = "%%MatrixMarket matrix coordinate pattern symmetric\n";
const std::string kSymmetric = "%%MatrixMarket matrix coordinate real symmetric\n";

TEST(MatrixMarket, SortsEntries) {
  const auto matrix = read(kGeneral + "2 3 3\n2 1 4\n1 3 -2.5e-1\n1 1 +1\n");

  EXPECT_EQ(matrix.rows, 2);
  EXPECT_EQ(matrix.columns, 3);
  EXPECT_FALSE(matrix.symmetric);
  ASSERT_EQ(matrix.entries.size(), 3U);
  EXPECT_EQ(matrix.entries[0].value, 1);
  EXPECT_EQ(matrix.entries[1].value, -0.25);
  EXPECT_EQ(matrix.entries[1].column, 2);
  EXPECT_EQ(matrix.entries[1].line, 4);
  EXPECT_EQ(matrix.entries[2].row, 1);
}

TEST(MatrixMarket, TakesCarriageReturnsBlankLinesAndComments) {
  const auto matrix = read(
      "%%matrixmarket MATRIX Coordinate Real Symmetric\r\n% comment\r\n\r\n 2\t2  2 \r\n1 1 1\r\n%\r\n\r\n2 2 "
      "2\r\n\r\n");

  ASSERT_EQ(matrix.entries.size(), 2U);
  EXPECT_TRUE(matrix.symmetric);
  EXPECT_EQ(matrix.size_line, 4);
  EXPECT_EQ(matrix.entries[1].line, 8);
}

TEST(MatrixMarket, TakesTheLastLineWithoutItsEnd) {
  EXPECT_EQ(read(kGeneral + "1 1 1\n1 1 7").entries[0].value, 7);
}

TEST(MatrixMarket, GivesPatternsTheValueOne) {
  EXPECT_EQ(read(kPattern + "1 1 1\n1 1\n").entries[0].value, 1);
}

TEST(MatrixMarket, TurnsTheUpperTriangleOver) {
  const auto matrix = read(kSymmetric + "2 2 1\n1 2 5\n");

  EXPECT_EQ(matrix.entries[0].row, 1);
  EXPECT_EQ(matrix.entries[0].column, 0);
}

TEST(MatrixMarket, TakesValuesTooSmallForADouble) {
  EXPECT_EQ(read(kGeneral + "1 1 1\n1 1 1e-400\n").entries[0].value, 0);
}

TEST(MatrixMarket, NamesAFileThatIsNotThere) {
  try {
    static_cast<void>(example::read_matrix_market("no/such/file.mtx"));
    FAIL() << "was read";
  } catch (const example::FileError &fault) {
    EXPECT_STREQ(fault.what(), "no/such/file.mtx: cannot be opened: No such file or directory");
  }
}

TEST(MatrixMarket, NamesADirectory) {
  EXPECT_THROW(static_cast<void>(example::read_matrix_market("/")), example::FileError);
}

}  // namespace
