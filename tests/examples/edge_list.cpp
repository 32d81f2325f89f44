// SPDX-License-Identifier: BSD-3-Clause
#include "relations/edge_list.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "shared/file_error.hpp"

namespace {

using relations::Edge;
using Edges = std::vector<Edge>;
using Names = std::vector<std::uint32_t>;

const std::string kSymmetric = "%%MatrixMarket matrix coordinate pattern symmetric\n";
const std::string kInteger = "%%MatrixMarket matrix coordinate integer general\n";

relations::EdgeList read(const std::string &text) {
  std::istringstream stream(text);
  return relations::read_edge_list(stream, "g");
}

std::string fault_of(const std::string &text) {
  try {
    static_cast<void>(read(text));
    return "was read";
  } catch (const example::FileError &fault) {
    return fault.what();
  }
}

TEST(EdgeList, ExpandsASymmetricMatrix) {
  const auto list = read(kSymmetric + "3 3 2\n2 1\n3 3\n");

  EXPECT_EQ(list.names, (Names{1, 2, 3}));
  EXPECT_EQ(list.edges, (Edges{{0, 1, 1}, {1, 0, 1}, {2, 2, 1}}));
}

TEST(EdgeList, TakesLengthsFromAnIntegerMatrix) {
  const auto list = read(kInteger + "2 2 2\n2 1 7\n1 2 5\n");

  EXPECT_EQ(list.edges, (Edges{{0, 1, 5}, {1, 0, 7}}));
}

TEST(EdgeList, TakesNoLengthsFromARealMatrix) {
  const auto list = read("%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 -0.5\n");

  EXPECT_EQ(list.edges, (Edges{{0, 1, 1}}));
}

TEST(EdgeList, NumbersTheVerticesOfText) {
  const auto list = read("# from to\n% also a comment\n70 5\n5 900 3\n");

  EXPECT_EQ(list.names, (Names{5, 70, 900}));
  EXPECT_EQ(list.edges, (Edges{{0, 2, 3}, {1, 0, 1}}));
}

TEST(EdgeList, TakesCarriageReturnsTabsAndRepeatedEdges) {
  const auto list = read("0\t1\r\n\r\n0 1\r\n1\t0");

  EXPECT_EQ(list.edges, (Edges{{0, 1, 1}, {1, 0, 1}}));
}

TEST(EdgeList, SaysWhereAndWhat) {
  EXPECT_EQ(fault_of(""), "g: has no edges");
  EXPECT_EQ(fault_of("0 1\n\n2\n"), "g:3: expected an edge 'FROM TO' or 'FROM TO LENGTH', found '2'");
  EXPECT_EQ(fault_of("0 1\r\n1 x\r\n"), "g:2: expected an integer, found 'x'");
  EXPECT_EQ(fault_of("0 -1\n"), "g:1: expected a vertex from 0 to 4294967293, found '-1'");
  EXPECT_EQ(fault_of("0 1 0\n"), "g:1: expected a length from 1 to 1000000, found '0'");
  EXPECT_EQ(fault_of(kInteger + "2 2 1\n2 1 -7\n"), "g:3: expected a length from 1 to 1000000, found '-7'");
  EXPECT_EQ(fault_of(kInteger + "2 3 1\n2 1 7\n"), "g:2: expected as many columns as rows, found 2 rows and 3 columns");
}

}  // namespace
