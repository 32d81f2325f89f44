#include "plans/relays.hpp"

#include <algorithm>
#include <numeric>

namespace rondo {

Relays::Relays(const Topology &topology, int leaders) : nodes_(topology), leaders_(leaders) {}

int Relays::relays(int node) const {
  return std::min(leaders_, nodes_.size(node));
}

int Relays::by_destination(int node, int destination) const {
  const int home = nodes_.node_of(destination);
  const std::int64_t lane = static_cast<std::int64_t>(home) * relays(home) + nodes_.local_index(destination);
  return static_cast<int>(lane % relays(node));
}

std::vector<std::int64_t> Relays::loads(int relays_there) const {
  std::vector<std::int64_t> change(static_cast<std::size_t>(relays_there) + 1, 0);
  // A node's lanes are consecutive: so many times round all relays, and from `first` on once more for the rest.
  for (int node = 0; node < nodes_.nodes(); ++node) {
    const std::int64_t first = static_cast<std::int64_t>(node) * relays(node) % relays_there;
    const std::int64_t end = first + nodes_.size(node) % relays_there;
    change[0] += nodes_.size(node) / relays_there + (end > relays_there ? 1 : 0);
    ++change[static_cast<std::size_t>(first)];
    --change[static_cast<std::size_t>(end > relays_there ? end - relays_there : end)];
  }
  change.pop_back();
  std::partial_sum(change.begin(), change.end(), change.begin());
  return change;
}

int Relays::by_node(int node, int other) const {
  const int distance = (other - node + nodes_.nodes()) % nodes_.nodes();
  return (distance - 1) % relays(node);
}

}  // namespace rondo
