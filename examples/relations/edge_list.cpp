// SPDX-License-Identifier: BSD-3-Clause
#include "relations/edge_list.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "shared/file_error.hpp"
#include "shared/matrix_market.hpp"
#include "shared/numbered_lines.hpp"
#include "shared/open_to_read.hpp"

namespace relations {
namespace {

// Pairs of two vertices are words, of which one means none.
constexpr std::int64_t kMostName = 4'294'967'293;
constexpr std::int64_t kMostLength = 1'000'000;

std::uint32_t length_of(const example::CoordinateMatrix &matrix, const example::Entry &entry) {
  if (!matrix.integers) return 1;
  if (entry.value < 1 || entry.value > kMostLength)
    throw example::FileError(matrix.file, entry.line,
                             "expected a length from 1 to " + std::to_string(kMostLength) + ", found '" +
                                 std::to_string(std::llround(entry.value)) + "'");
  return static_cast<std::uint32_t>(entry.value);
}

EdgeList edges_of(const example::CoordinateMatrix &matrix) {
  if (matrix.rows != matrix.columns)
    throw example::FileError(matrix.file, matrix.size_line,
                             "expected as many columns as rows, found " + std::to_string(matrix.rows) + " rows and " +
                                 std::to_string(matrix.columns) + " columns");
  EdgeList list;
  list.names.resize(matrix.rows);
  std::iota(list.names.begin(), list.names.end(), 1);
  for (const example::Entry &entry : matrix.entries) {
    const auto from = static_cast<std::uint32_t>(entry.row);
    const auto to = static_cast<std::uint32_t>(entry.column);
    const auto length = length_of(matrix, entry);
    list.edges.push_back({from, to, length});
    if (matrix.symmetric && from != to) list.edges.push_back({to, from, length});
  }
  return list;
}

Edge read_edge(const example::NumberedLines &lines) {
  const auto words = lines.words();
  if (words.size() != 2 && words.size() != 3) lines.fail("an edge 'FROM TO' or 'FROM TO LENGTH'");
  const auto name = [&](std::size_t word) {
    return static_cast<std::uint32_t>(lines.integer(word, 0, kMostName, "a vertex"));
  };
  const auto length = words.size() == 3 ? lines.integer(2, 1, kMostLength, "a length") : 1;
  return {name(0), name(1), static_cast<std::uint32_t>(length)};
}

void number_vertices(EdgeList &list) {
  auto &names = list.names;
  for (const Edge &edge : list.edges) names.insert(names.end(), {edge.from, edge.to});
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const auto number = [&](std::uint32_t name) {
    return static_cast<std::uint32_t>(std::lower_bound(names.begin(), names.end(), name) - names.begin());
  };
  for (Edge &edge : list.edges) edge = {number(edge.from), number(edge.to), edge.length};
}

EdgeList read_text(std::istream &stream, const std::string &file) {
  EdgeList list;
  example::NumberedLines lines(stream, file, "#%");
  while (lines.next_content()) list.edges.push_back(read_edge(lines));
  number_vertices(list);
  return list;
}

// By its banner, %%MatrixMarket in any case.
bool is_matrix_market(std::istream &stream) {
  const bool begins_so = stream.get() == '%' && stream.get() == '%';
  stream.clear();
  stream.seekg(0);
  return begins_so;
}

}  // namespace

EdgeList read_edge_list(std::istream &stream, const std::string &file) {
  EdgeList list =
      is_matrix_market(stream) ? edges_of(example::read_matrix_market(stream, file)) : read_text(stream, file);
  std::sort(list.edges.begin(), list.edges.end());
  list.edges.erase(std::unique(list.edges.begin(), list.edges.end()), list.edges.end());
  if (list.edges.empty()) throw example::FileError(file, 0, "has no edges");
  return list;
}

EdgeList read_edge_list(const std::string &path) {
  auto stream = example::open_to_read(path);
  return read_edge_list(stream, path);
}

}  // namespace relations
