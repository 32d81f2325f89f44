// SPDX-License-Identifier: BSD-3-Clause
#include "serial_closure.hpp"

#include <vector>

#include "relations/pair.hpp"

namespace closure {

relations::Answer search_from_all(const relations::Graph &graph) {
  relations::Answer answer;
  for (std::uint32_t source = 0; source < graph.vertices(); ++source) {
    std::vector<bool> reached(graph.vertices());
    std::vector<std::uint32_t> open = {source};
    while (!open.empty()) {
      const auto vertex = open.back();
      open.pop_back();
      for (const auto &edge : graph.from(vertex)) {
        if (reached[edge.to]) continue;
        reached[edge.to] = true;
        open.push_back(edge.to);
        answer.add(relations::pair(source, edge.to));
      }
    }
  }
  return answer;
}

}  // namespace closure
