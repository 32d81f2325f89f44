// Directed graphs from files: Matrix Market, or text of one edge a line.
//
// Of a Matrix Market file an entry is an edge from its row to its column, and of a symmetric file its mirror too; the
// values of an integer file are the edges' lengths. A line of text has the two vertices, and perhaps a length; lines
// that begin with # or % are comments. CRLF line ends are fine in both. An edge is 1 long where nothing is said.
//
// SPDX-License-Identifier: BSD-3-Clause
#ifndef RELATIONS_EDGE_LIST_HPP
#define RELATIONS_EDGE_LIST_HPP

#include <cstdint>
#include <istream>
#include <string>
#include <tuple>
#include <vector>

namespace relations {

struct Edge {
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t length;
  bool operator==(const Edge &) const = default;
  bool operator<(const Edge &other) const {
    return std::tie(from, to, length) < std::tie(other.from, other.to, other.length);
  }
};

struct EdgeList {
  std::vector<std::uint32_t> names;  // what the file calls the vertices, which are numbered from 0; ascending
  std::vector<Edge> edges;           // ascending; none twice, unless with another length
};

// Throws example::FileError, which names the line and what was expected there, or that the file cannot be opened.
[[nodiscard]] EdgeList read_edge_list(const std::string &path);

// The same from a stream; file is its name in messages.
[[nodiscard]] EdgeList read_edge_list(std::istream &stream, const std::string &file);

}  // namespace relations

#endif
