#include "plans/relays.hpp"

#include <algorithm>
#include <numeric>

namespace rondo::internal {

void RelaySums::add(std::int64_t first_lane, std::int64_t lanes, std::int64_t value) {
  const auto relays = static_cast<std::int64_t>(change_.size()) - 1;
  const auto change = [&](std::int64_t relay, std::int64_t by) { change_[static_cast<std::size_t>(relay)] += by; };
  const std::int64_t first = first_lane % relays;
  const std::int64_t end = first + lanes % relays;
  change(0, value * (lanes / relays));
  change(first, value);
  if (end > relays) change(0, value);
  change(end > relays ? end - relays : end, -value);
}

std::vector<std::int64_t> RelaySums::sums() const {
  std::vector<std::int64_t> sums(change_.size() - 1);
  std::partial_sum(change_.begin(), change_.end() - 1, sums.begin());
  return sums;
}

Relays::Relays(const Topology &topology, int leaders) : nodes_(topology), leaders_(leaders) {}

int Relays::relays(int node) const {
  return std::min(leaders_, nodes_.size(node));
}

int Relays::by_destination(int node, int destination) const {
  const int home = nodes_.node_of(destination);
  return static_cast<int>((first_lane(home) + nodes_.local_index(destination)) % relays(node));
}

std::vector<std::int64_t> Relays::loads(int relays_there) const {
  RelaySums sums(relays_there);
  for (int node = 0; node < nodes_.nodes(); ++node) sums.add(first_lane(node), nodes_.size(node), 1);
  return sums.sums();
}

int Relays::by_node(int node, int other) const {
  const int distance = (other - node + nodes_.nodes()) % nodes_.nodes();
  return (distance - 1) % relays(node);
}

}  // namespace rondo::internal
