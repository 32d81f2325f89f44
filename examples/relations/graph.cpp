// SPDX-License-Identifier: BSD-3-Clause
#include "relations/graph.hpp"

#include <limits>
#include <stdexcept>
#include <utility>

#include "shared/on_root.hpp"

namespace relations {
namespace {

// All ranks get what rank 0 has.
template <class Element>
void broadcast(std::vector<Element> &elements, MPI_Comm comm) {
  auto size = static_cast<std::uint64_t>(elements.size());
  MPI_Bcast(&size, 1, MPI_UINT64_T, 0, comm);
  elements.resize(size);
  MPI_Bcast(elements.data(), static_cast<int>(size * sizeof(Element)), MPI_BYTE, 0, comm);
}

void require_countable(const EdgeList &list) {
  constexpr std::size_t most = std::numeric_limits<int>::max() / sizeof(Edge);
  if (list.edges.size() > most)
    throw std::runtime_error("expected at most " + std::to_string(most) + " edges, found " +
                             std::to_string(list.edges.size()));
}

}  // namespace

Graph::Graph(EdgeList list) : list_(std::move(list)), offsets_(list_.names.size() + 1) {
  for (const Edge &edge : list_.edges) ++offsets_[edge.from + 1];
  for (std::size_t vertex = 0; vertex < list_.names.size(); ++vertex) offsets_[vertex + 1] += offsets_[vertex];
}

Graph read_graph(const Session &session, const std::string &path) {
  EdgeList list;
  example::on_root(session.comm, [&] {
    session.progress.stage("reading " + path);
    list = read_edge_list(path);
    require_countable(list);
  });
  broadcast(list.names, session.comm);
  broadcast(list.edges, session.comm);
  return Graph(std::move(list));
}

}  // namespace relations
