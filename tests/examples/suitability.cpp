// SPDX-License-Identifier: BSD-3-Clause
#include "suitability.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "shared/file_error.hpp"
#include "shared/matrix_market.hpp"

namespace {

std::string fault_of(const std::string &kind, const std::string &rest) {
  std::istringstream stream("%%MatrixMarket matrix coordinate " + kind + "\n" + rest);
  try {
    cg::require_suitable(example::read_matrix_market(stream, "m.mtx"));
    return "none";
  } catch (const example::FileError &fault) {
    return fault.what();
  }
}

TEST(Suitability, TakesASymmetricFile) {
  EXPECT_EQ(fault_of("real symmetric", "2 2 3\n1 1 2\n2 1 1\n2 2 2\n"), "none");
}

TEST(Suitability, TakesAGeneralFileWithSymmetricValues) {
  EXPECT_EQ(fault_of("real general", "2 2 4\n1 1 2\n1 2 1\n2 1 1.0000000000001\n2 2 2\n"), "none");
}

TEST(Suitability, TakesAStoredZeroWithoutMirror) {
  EXPECT_EQ(fault_of("real general", "2 2 3\n1 1 2\n1 2 0\n2 2 2\n"), "none");
}

TEST(Suitability, RefusesAMatrixThatIsNotSquare) {
  EXPECT_EQ(fault_of("real general", "2 3 1\n1 1 1\n"),
            "m.mtx:2: the matrix is not square: it has 2 rows and 3 columns");
}

TEST(Suitability, RefusesUnsymmetricValues) {
  EXPECT_EQ(fault_of("integer general", "2 2 4\n1 1 2\n1 2 1\n2 1 3\n2 2 2\n"),
            "m.mtx:4: the matrix is not symmetric: entry (1, 2) is 1, but its mirror (2, 1) is 3 (line 5)");
}

TEST(Suitability, RefusesAnUnsymmetricPattern) {
  EXPECT_EQ(fault_of("pattern general", "2 2 3\n1 1\n2 1\n2 2\n"),
            "m.mtx:4: the matrix is not symmetric: entry (2, 1) is 1, but its mirror (1, 2) is not there");
}

TEST(Suitability, RefusesAMissingDiagonalEntry) {
  EXPECT_EQ(fault_of("real symmetric", "3 3 2\n1 1 1\n3 3 1\n"),
            "m.mtx: the matrix is not positive definite: its diagonal entry (2, 2) is not there");
}

TEST(Suitability, RefusesAMissingLastDiagonalEntry) {
  EXPECT_EQ(fault_of("real symmetric", "2 2 1\n1 1 1\n"),
            "m.mtx: the matrix is not positive definite: its diagonal entry (2, 2) is not there");
}

TEST(Suitability, RefusesANegativeDiagonalEntry) {
  EXPECT_EQ(fault_of("real symmetric", "2 2 2\n1 1 1\n2 2 -4\n"),
            "m.mtx:4: the matrix is not positive definite: its diagonal entry (2, 2) is -4");
}

TEST(Suitability, TakesNoMemoryForRowsThatAreNotThere) {
  EXPECT_EQ(fault_of("real symmetric", "1000000000 1000000000 1\n1 1 1\n"),
            "m.mtx: the matrix is not positive definite: its diagonal entry (2, 2) is not there");
}

}  // namespace
