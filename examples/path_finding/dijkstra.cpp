// SPDX-License-Identifier: BSD-3-Clause
#include "dijkstra.hpp"

#include <functional>
#include <queue>
#include <utility>

#include "path.hpp"

namespace paths {

std::vector<std::uint32_t> search(const relations::Graph &graph, std::uint32_t source) {
  using Reached = std::pair<std::uint32_t, std::uint32_t>;  // length, vertex
  std::priority_queue<Reached, std::vector<Reached>, std::greater<> > open;
  std::vector<std::uint32_t> lengths(graph.vertices(), kUnreached);
  open.emplace(lengths[source] = 0, source);
  while (!open.empty()) {
    const auto [length, vertex] = open.top();
    open.pop();
    if (length > lengths[vertex]) continue;
    for (const auto &edge : graph.from(vertex))
      if (length + edge.length < lengths[edge.to]) open.emplace(lengths[edge.to] = length + edge.length, edge.to);
  }
  return lengths;
}

relations::Answer search_from(const relations::Graph &graph, std::span<const std::uint32_t> sources) {
  relations::Answer answer;
  for (const auto source : sources) {
    const auto lengths = search(graph, source);
    for (std::uint32_t vertex = 0; vertex < graph.vertices(); ++vertex)
      if (lengths[vertex] != kUnreached) add(answer, {vertex, source, lengths[vertex]});
  }
  return answer;
}

}  // namespace paths
